import { NO_REASON } from '@app/domain/campaigns/recipient-outcome';
import { Ellipsis } from 'lucide-react';
import { formatNumber } from '../../shared/formats.ts';
import { t } from '../../shared/messages.ts';
import { Badge } from '../../ui/badge.tsx';
import { IconButton } from '../../ui/button.tsx';
import { Panel } from '../../ui/page-frame.tsx';
import { outcomeText } from '../sending/delivery-words.ts';
import { RecipientActions } from './recipient-actions.tsx';
import type { CampaignReading } from './use-campaign-reading.ts';

/** Why people did not get it, how many for each reason, and whether it is worth trying again. */
export function UndeliveredReasons({
  campaignId,
  reading: { reasons },
}: {
  campaignId: string;
  reading: CampaignReading;
}) {
  if (!reasons || reasons.length === 0) return null;
  return (
    <Panel title={t('campaigns.reasons.title')}>
      <ul className="flex flex-col divide-y divide-border">
        {reasons.map((reason) => (
          <li
            key={`${reason.outcome} ${reason.errorCode}`}
            className="flex flex-wrap items-start gap-x-3 gap-y-1.5 py-2.5 first:pt-0 last:pb-0 sm:flex-nowrap"
          >
            <span className="min-w-8 shrink-0 text-right font-semibold tabular-nums">
              {formatNumber(reason.count)}
            </span>
            <span className="min-w-0 flex-1 basis-[calc(100%-3rem)] text-pretty wrap-anywhere sm:basis-0">
              {reasonText(reason)}
            </span>
            {reason.outcome === 'failed' ? (
              <Badge tone={reason.canSucceed ? 'info' : 'neutral'}>
                {t(reason.canSucceed ? 'campaigns.reasons.again' : 'campaigns.reasons.never')}
              </Badge>
            ) : null}
            <RecipientActions
              campaignId={campaignId}
              outcome={reason.outcome}
              reason={reason.errorCode ?? NO_REASON}
              trigger={
                <IconButton
                  size="small"
                  className="-my-1"
                  label={t('campaigns.people.of', { of: reasonText(reason) })}
                >
                  <Ellipsis aria-hidden />
                </IconButton>
              }
            />
          </li>
        ))}
      </ul>
    </Panel>
  );
}

function reasonText(reason: NonNullable<CampaignReading['reasons']>[number]): string {
  return outcomeText(reason) ?? t(`campaigns.outcome.${reason.outcome}`);
}
