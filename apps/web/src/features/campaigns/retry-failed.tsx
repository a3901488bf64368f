import { RotateCw } from 'lucide-react';
import { t } from '../../shared/messages.ts';
import { ButtonLink } from '../../shared/links.tsx';
import { paths } from '../../shared/paths.ts';
import { Button } from '../../ui/button.tsx';
import { Banner } from '../../ui/states.tsx';
import { mayRetry, type Campaign, type RetryPreflight } from './campaigns-queries.ts';
import type { useCampaignActions } from './use-campaign-actions.ts';

type Props = { campaign: Campaign; preflight: RetryPreflight | undefined };

/** Sends again to those whose message failed: to as many as the server would reach now. */
export function RetryButton({
  campaign,
  preflight,
  acts,
  onRetried,
}: Props & { acts: ReturnType<typeof useCampaignActions>; onRetried: (retry: Campaign) => void }) {
  if (!mayRetry(campaign) || !preflight) return null;
  if (preflight.runningId !== null || preflight.receiving === 0) return null;
  return (
    <Button
      icon={<RotateCw aria-hidden />}
      loading={acts.isRetrying}
      onClick={() => void acts.retryFailed(campaign).then((retry) => retry && onRetried(retry))}
    >
      {t('campaigns.act.retry', { n: preflight.receiving })}
    </Button>
  );
}

/** Why nobody can be sent to again now. */
export function RetryNote({ campaign, preflight }: Props) {
  if (!mayRetry(campaign) || !preflight) return null;
  if (preflight.runningId !== null) {
    return (
      <Banner
        tone="info"
        action={
          <ButtonLink to={paths.campaign(preflight.runningId)} size="small">
            {t('campaigns.retryOpen')}
          </ButtonLink>
        }
      >
        {t('campaigns.retryRunning')}
      </Banner>
    );
  }
  if (preflight.receiving > 0) return null;
  return <p className="text-sm text-muted">{t('campaigns.retryNobody')}</p>;
}
