import { CircleAlert, RefreshCw, Square, Unplug } from 'lucide-react';
import { t } from '../../shared/messages.ts';
import { can } from '../../shared/session.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button, IconButton } from '../../ui/button.tsx';
import { Card } from '../../ui/page-frame.tsx';
import {
  descriptionOf,
  featureText,
  problemText,
  uncheckedOf,
  type Integration,
  type IntegrationDialog,
} from './integrations-queries.ts';
import { figuresText, StatusBadge } from './status-line.tsx';
import { useIntegrationActions } from './use-integration-actions.ts';

/** A card shows so many tags, and then how many more there are. */
const SHOWN_FEATURES = 3;

type Props = { integration: Integration; onOpen: (dialog: IntegrationDialog) => void };

export function IntegrationCard({ integration, onOpen }: Props) {
  const { title, status, features, problem, problemDetail } = integration;
  const rest = features.length - SHOWN_FEATURES;
  const isOn = status !== 'disconnected';
  const unchecked = uncheckedOf(integration);
  return (
    <Card
      title={title}
      badges={<StatusBadge status={status} />}
      footer={
        isOn || can('settings:manage') ? <CardButtons integration={integration} onOpen={onOpen} /> : undefined
      }
    >
      <p className="text-pretty text-muted">{descriptionOf(integration)}</p>
      <ul className="mt-3 flex flex-wrap gap-1.5">
        {features.slice(0, SHOWN_FEATURES).map((feature) => (
          <li key={feature} className="max-w-full">
            <Badge>{featureText(feature)}</Badge>
          </li>
        ))}
        {rest > 0 ? (
          <li>
            <Badge title={features.slice(SHOWN_FEATURES).map(featureText).join(', ')}>
              {t('integrations.more', { n: rest })}
            </Badge>
          </li>
        ) : null}
      </ul>
      {isOn ? (
        <p className="mt-3 text-sm text-muted tabular-nums empty:hidden">{figuresText(integration)}</p>
      ) : null}
      {status === 'connected' && !problem && unchecked ? (
        <p className="mt-2 text-sm text-pretty text-muted">{unchecked}</p>
      ) : null}
      {isOn && problem ? (
        <p className={`mt-2 flex gap-1.5 text-sm ${status === 'error' ? 'text-danger' : 'text-warning'}`}>
          <CircleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
          <span className="min-w-0 wrap-anywhere">{problemText(problem, problemDetail)}</span>
        </p>
      ) : null}
    </Card>
  );
}

/** What can be done in each state. Without the permission only a look remains. */
function CardButtons({ integration, onOpen }: Props) {
  const { title, status, isStarted, syncsContacts } = integration;
  const { sync, cancel, disconnect, isBusy } = useIntegrationActions(integration);
  const manages = can('settings:manage');
  const configure = (
    <Button
      size="small"
      onClick={() => onOpen('configure')}
      aria-label={t('integrations.configureOf', { name: title })}
    >
      {t('integrations.configure')}
    </Button>
  );
  if (status === 'disconnected')
    return (
      <Button
        size="small"
        variant="primary"
        onClick={() => onOpen('connect')}
        aria-label={t('integrations.connectOf', { name: title })}
      >
        {t('integrations.connect')}
      </Button>
    );
  if (!manages) return configure;
  const isReviewed = isStarted || !syncsContacts;
  return (
    <>
      <span className="flex flex-wrap items-center gap-2">
        {status === 'error' ? (
          <Button size="small" variant="primary" onClick={() => onOpen('connect')}>
            {t('integrations.fix')}
          </Button>
        ) : null}
        {status === 'connected' && !isReviewed ? (
          <Button size="small" variant="primary" onClick={() => onOpen('configure')}>
            {t('integrations.reviewFirst')}
          </Button>
        ) : (
          configure
        )}
        {status === 'connected' && isReviewed && syncsContacts ? (
          <IconButton
            size="small"
            label={t('integrations.syncOf', { name: title })}
            disabled={isBusy}
            onClick={sync}
          >
            <RefreshCw aria-hidden />
          </IconButton>
        ) : null}
        {status === 'syncing' ? (
          <IconButton
            size="small"
            label={t('integrations.stopOf', { name: title })}
            disabled={isBusy}
            onClick={cancel}
          >
            <Square aria-hidden />
          </IconButton>
        ) : null}
      </span>
      <Button
        size="small"
        variant="ghost"
        icon={<Unplug aria-hidden />}
        disabled={isBusy}
        onClick={() => void disconnect()}
      >
        {t('integrations.disconnect')}
      </Button>
    </>
  );
}
