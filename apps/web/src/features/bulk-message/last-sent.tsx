import { useQuery } from '@tanstack/react-query';
import { orpc } from '../../shared/api.ts';
import { formatDateTime } from '../../shared/formats.ts';
import { ButtonLink } from '../../shared/links.tsx';
import { useLiveQuery } from '../../shared/live/use-live-query.ts';
import { t } from '../../shared/messages.ts';
import { paths } from '../../shared/paths.ts';
import { can } from '../../shared/session.ts';
import { Timer } from 'lucide-react';
import { TakeBackButton, useSecondsHeld } from '../sending/held-start.tsx';
import { Banner } from '../../ui/states.tsx';
import type { SentBulkMessage } from './use-send-bulk-message.ts';

/** What was sent last, and how far it is; while it is held, with the way back. */
export function LastSent({ sent, onTakenBack }: { sent: SentBulkMessage; onTakenBack: () => void }) {
  const { recipients, scheduledAt, quietUntil, campaignId } = sent;
  const leavesAt = quietUntil ?? scheduledAt;
  const seconds = useSecondsHeld(sent);
  if (seconds > 0) {
    return (
      <Banner
        tone="info"
        icon={<Timer aria-hidden />}
        action={
          <>
            <TakeBackButton campaignId={campaignId} onTakenBack={onTakenBack} />
            <ViewCampaign campaignId={campaignId} />
          </>
        }
      >
        {t('bulkMessage.lastHeld', { n: recipients, seconds })}
      </Banner>
    );
  }
  return (
    <Banner tone="success" action={<ViewCampaign campaignId={campaignId} />}>
      {leavesAt === null ? (
        <OnItsWay campaignId={campaignId} recipients={recipients} />
      ) : (
        t('bulkMessage.lastScheduled', { n: recipients, time: formatDateTime(leavesAt) })
      )}
    </Banner>
  );
}

export function TakenBack({ sent: { campaignId } }: { sent: SentBulkMessage }) {
  return <Banner action={<ViewCampaign campaignId={campaignId} />}>{t('bulkMessage.takenBack')}</Banner>;
}

function ViewCampaign({ campaignId }: { campaignId: string }) {
  return (
    <ButtonLink to={paths.campaign(campaignId)} size="small">
      {t('bulkMessage.viewCampaign')}
    </ButtonLink>
  );
}

function OnItsWay({ campaignId, recipients }: { campaignId: string; recipients: number }) {
  const options = orpc.campaigns.get.queryOptions({ input: { campaignId } });
  const campaign = useQuery({ ...options, enabled: can('campaigns:read') }).data;
  useLiveQuery(['campaign-progress'], [options.queryKey], {
    concerns: (payload) => payload['campaignId'] === campaignId,
  });
  if (campaign?.status === 'completed') {
    const { total, sent } = campaign.counts;
    return sent === total
      ? t('bulkMessage.lastSentDone', { n: sent })
      : t('bulkMessage.lastSentInPart', { n: sent, others: total - sent });
  }
  return (
    <>
      {t('bulkMessage.lastSent', { n: recipients })}
      {campaign && campaign.counts.pending < campaign.counts.total ? (
        // Its start and its end are read out, not each of its steps.
        <span aria-live="off" className="ml-2 font-normal whitespace-nowrap tabular-nums">
          {t('bulkMessage.lastSentSoFar', {
            done: campaign.counts.total - campaign.counts.pending,
            total: campaign.counts.total,
          })}
        </span>
      ) : null}
    </>
  );
}
