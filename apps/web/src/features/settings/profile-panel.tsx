import type { BusinessProfile } from '@app/domain/settings/general-settings';
import { useQuery } from '@tanstack/react-query';
import { ProfileState, type PushState } from '../../shared/business-profile/profile-state.tsx';
import { errorMessage } from '../../shared/error-message.ts';
import { formatList } from '../../shared/formats.ts';
import { t } from '../../shared/messages.ts';
import { useMessages } from '../../shared/use-messages.ts';
import { Badge, type BadgeTone } from '../../ui/badge.tsx';
import { Banner, ErrorState } from '../../ui/states.tsx';
import { profileStateOptions } from './settings-queries.ts';

const tones: Record<PushState['state'], BadgeTone> = {
  none: 'neutral',
  waiting: 'primary',
  done: 'success',
  refused: 'danger',
  unreachable: 'warning',
};
/** What needs somebody most stands for all. */
const order: readonly PushState['state'][] = ['refused', 'unreachable', 'waiting', 'none', 'done'];

/** What the platform shows beside each number that has no profile of its own. */
export function ProfilePanel({ onTake }: { onTake: (profile: BusinessProfile) => void }) {
  useMessages('deliveries');
  const { data, error, refetch } = useQuery(profileStateOptions());
  if (error && !data) return <ErrorState text={errorMessage(error)} onRetry={() => void refetch()} />;
  if (!data || data.numbers.length === 0) return null;
  const sharing = data.numbers.filter(({ isOwn }) => !isOwn);
  const own = data.numbers.filter(({ isOwn }) => isOwn).map(nameOf);
  const [worst] = sharing.toSorted((a, b) => order.indexOf(a.state) - order.indexOf(b.state));
  if (!worst) return <Banner tone="info">{t('settings.profile.allOwn')}</Banner>;
  const isSenderSharing = sharing.some((one) => nameOf(one) === data.channel?.displayName);
  return (
    <ProfileState
      push={worst}
      onTake={onTake}
      {...(!isSenderSharing && sharing[0] && { readsFrom: sharing[0].channelId })}
    >
      {sharing.length > 1 ? (
        <>
          {t('settings.profile.sharing')}{' '}
          <ul aria-label={t('settings.profile.sharing')} className="my-1 flex flex-col gap-1">
            {sharing.map((one) => (
              <li key={one.channelId} className="flex flex-wrap items-center gap-2">
                <bdi className="tabular-nums">{nameOf(one)}</bdi>
                <Badge tone={tones[one.state]}>{t(`settings.profile.short.${one.state}`)}</Badge>
              </li>
            ))}
          </ul>
        </>
      ) : null}
      {own.length > 0 ? <>{t('settings.profile.own', { numbers: formatList(own, 'and') })} </> : null}
    </ProfileState>
  );
}

function nameOf({ channel, channelId }: { channel: PushState['channel']; channelId: string }): string {
  return channel?.displayName ?? channelId;
}
