import { formatDateTime } from '../../shared/formats.ts';
import { codeText } from '../../shared/languages/refusal-text.ts';
import { t } from '../../shared/messages.ts';
import { useMessages } from '../../shared/use-messages.ts';
import { Banner } from '../../ui/states.tsx';
import { problemText, type Connection } from './connection-queries.ts';

/** Whether messages can leave now, and if not why, with the way to mend it. */
export function ConnectionStatus({
  connection,
  hasOthers,
}: {
  /** Undefined for one that is being connected. */
  connection: Connection | undefined;
  /** Whether messages leave through another number meanwhile. */
  hasOthers: boolean;
}) {
  useMessages('deliveries');
  if (!connection && hasOthers) return <Banner>{t('connection.status.new')}</Banner>;
  if (!connection?.isConnected && hasOthers)
    return <Banner tone="warning">{t('connection.disconnected')}</Banner>;
  if (!connection?.isConnected)
    return (
      <Banner tone="warning">
        <b>{t('connection.status.off')}</b> {t('connection.status.offText')}
      </Banner>
    );
  const { displayName, accountName, lastSync, stopped, trouble, endsAt } = connection;
  if (stopped)
    return (
      <Banner tone="danger">
        <b>{t('connection.status.stopped', { name: displayName })}</b>{' '}
        {stopped.code === null ? '' : (codeText(stopped.code) ?? '')} {t('connection.status.stoppedText')}
      </Banner>
    );
  if (trouble)
    return (
      <Banner tone="danger">
        <b>{t('connection.status.trouble', { name: displayName })}</b> {problemText(trouble)}{' '}
        <span className="text-sm">{t('connection.status.told', { time: formatDateTime(trouble.at) })}</span>
      </Banner>
    );
  if (endsAt !== null)
    return (
      <Banner tone="warning">
        <b>{t('connection.status.endsSoon', { name: displayName })}</b>{' '}
        {t('connection.status.endsSoonText', { time: formatDateTime(endsAt) })}
      </Banner>
    );
  return (
    <Banner tone="success">
      <b>{t('connection.status.on', { name: displayName })}</b> {accountName}
      {lastSync === null ? null : (
        <span className="text-sm"> · {t('connection.lastSync', { time: formatDateTime(lastSync) })}</span>
      )}
    </Banner>
  );
}
