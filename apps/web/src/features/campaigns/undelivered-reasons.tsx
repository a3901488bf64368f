import { formatNumber } from '../../shared/formats.ts';
import { t } from '../../shared/messages.ts';
import { Badge } from '../../ui/badge.tsx';
import { Panel } from '../../ui/page-frame.tsx';
import { outcomeText } from '../sending/delivery-words.ts';
import type { CampaignReading } from './use-campaign-reading.ts';

/** Why people did not get it, how many for each reason, and whether it is worth trying again. */
export function UndeliveredReasons({ reading: { reasons } }: { reading: CampaignReading }) {
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
              {outcomeText(reason) ?? t(`campaigns.outcome.${reason.outcome}`)}
            </span>
            {reason.outcome === 'failed' ? (
              <Badge tone={reason.canSucceed ? 'info' : 'neutral'}>
                {t(reason.canSucceed ? 'campaigns.reasons.again' : 'campaigns.reasons.never')}
              </Badge>
            ) : null}
          </li>
        ))}
      </ul>
    </Panel>
  );
}
