import { titleOfKind } from '@app/domain/channel-kinds/kind-list';
import type { ChosenAudience } from '@app/domain/delivery/audience';
import { useQuery } from '@tanstack/react-query';
import { orpc } from '../../shared/api.ts';
import { formatWholePercent } from '../../shared/formats.ts';
import { t } from '../../shared/messages.ts';
import { whileReachable } from '../../shared/offline/kept-rows.ts';
import { useChannels } from './number-field.tsx';

/** How many of an audience a number or agent reaches, as its platform says before a start. Nothing where the platform cannot be asked. */
export function ReachLine({ audience, channelId }: { audience: ChosenAudience; channelId: string | null }) {
  const kind = useChannels().find(({ id }) => id === channelId)?.kind;
  const { data, isError, isFetching } = useQuery(
    orpc.campaigns.countReachable.queryOptions({
      input: { audience, channelId: channelId ?? '' },
      enabled: channelId !== null && kind !== undefined,
      placeholderData: whileReachable,
      staleTime: 60_000,
    }),
  );
  if (channelId === null || kind === undefined || data?.asked === null) return null;
  // Whether the platform can be asked at all is known from its first answer.
  if (!data && !isError && !isFetching) return null;
  return (
    <dl className="mt-4 border-t border-border pt-4" aria-busy={isFetching || undefined}>
      <dt className="text-sm text-muted">{t('sending.reach.title', { channel: titleOfKind(kind) })}</dt>
      <dd className="text-lg font-semibold tabular-nums" role="status">
        {data
          ? t('sending.reach.share', {
              ...{ reachable: data.reachable, asked: data.asked },
              share: formatWholePercent(data.asked === 0 ? 0 : data.reachable / data.asked),
            })
          : t(isError ? 'sending.reach.failed' : 'sending.reach.checking')}
      </dd>
    </dl>
  );
}
