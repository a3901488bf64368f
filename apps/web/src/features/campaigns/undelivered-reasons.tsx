import { useQuery } from '@tanstack/react-query';
import { orpc } from '../../shared/api.ts';
import { failureText } from '../../shared/failure-text.ts';
import { formatNumber } from '../../shared/formats.ts';
import { useLiveQuery } from '../../shared/live/use-live-query.ts';
import { t } from '../../shared/messages.ts';
import { Badge } from '../../ui/badge.tsx';
import { Panel } from '../../ui/page-frame.tsx';
import { ErrorState, Skeleton, SkeletonRegion } from '../../ui/states.tsx';
import { outcomeText } from '../sending/delivery-words.ts';
import type { Campaign } from './campaigns-queries.ts';

/** Why people did not get it, how many for each reason, and whether it is worth trying again. */
export function UndeliveredReasons({ campaign: { id, counts } }: { campaign: Campaign }) {
  const isNeeded = counts.failed + counts.cancelled > 0;
  const options = orpc.campaigns.countReasons.queryOptions({ input: { campaignId: id } });
  const { data, error, refetch } = useQuery({ ...options, enabled: isNeeded });
  useLiveQuery(['campaign-progress'], [options.queryKey], {
    isOn: isNeeded,
    concerns: (progress) => progress['campaignId'] === id,
  });
  if (!isNeeded) return null;
  return (
    <Panel title={t('campaigns.reasons.title')}>
      {data ? (
        <ul className="flex flex-col divide-y divide-border">
          {data.reasons.map((reason) => (
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
      ) : error ? (
        <ErrorState text={failureText(error)} onRetry={() => void refetch()} />
      ) : (
        <SkeletonRegion>
          <Skeleton className="h-12 w-full" />
        </SkeletonRegion>
      )}
    </Panel>
  );
}
