import { formatRelativeTime } from '../../shared/formats.ts';
import { t } from '../../shared/messages.ts';
import { Button } from '../../ui/button.tsx';
import { Banner } from '../../ui/states.tsx';
import { problemText, type Integration } from './integrations-queries.ts';
import { useIntegrationActions } from './use-integration-actions.ts';

/** Why the connection shows an error, and whether it still does: what was mended at the service needs no new credentials. */
export function FixBanner({ integration }: { integration: Integration }) {
  const { title, status, problem, problemDetail, checkedAt } = integration;
  const { check, isBusy } = useIntegrationActions(integration);
  if (status !== 'error')
    return <Banner tone="success">{t('integrations.worksAgain', { name: title })}</Banner>;
  if (problem === null) return null;
  return (
    <Banner
      tone="danger"
      action={
        problem === 'restored' ? undefined : (
          <Button size="small" loading={isBusy} onClick={check}>
            {t('integrations.check')}
          </Button>
        )
      }
    >
      <p>{problemText(problem, problemDetail)}</p>
      {checkedAt ? (
        <p className="mt-1 text-sm">{t('integrations.checked', { time: formatRelativeTime(checkedAt) })}</p>
      ) : null}
    </Banner>
  );
}
