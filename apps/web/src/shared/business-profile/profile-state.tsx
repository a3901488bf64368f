import type { BusinessProfile } from '@app/domain/settings/general-settings';
import type { ReactNode } from 'react';
import { useAct } from '../acts/use-act.ts';
import { api, orpc } from '../api.ts';
import { failureText } from '../failure-text.ts';
import { formatDateTime } from '../formats.ts';
import { t } from '../messages.ts';
import { queryClient } from '../query-client.ts';
import { can } from '../session.ts';
import { Button } from '../../ui/button.tsx';
import { Banner, type BannerTone } from '../../ui/states.tsx';
import { notify } from '../../ui/toast.ts';

type State = Awaited<ReturnType<typeof api.settings.getProfileState>>;

const tones: Record<string, BannerTone> = { done: 'success', refused: 'danger', unreachable: 'warning' };

interface ProfileStateProps {
  push: State;
  /** Left out: the number through which the workspace sends. */
  channelId?: string;
  /** With what the platform shows. */
  onTake: (profile: BusinessProfile) => void;
  children?: ReactNode;
}

/** Whether the platform shows what is kept here; what it shows can be taken over, and ours handed over once more. */
export function ProfileState({
  push: { state, reason, changedAt },
  channelId,
  onTake,
  children,
}: ProfileStateProps) {
  const ofNumber = channelId === undefined ? {} : { channelId };
  const push = useAct({
    mutationFn: () => api.settings.pushProfile(ofNumber),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: orpc.settings.key() }),
    onError: (error) => notify.error(failureText(error)),
  });
  const read = useAct({
    mutationFn: () => api.settings.readProfile(ofNumber),
    onSuccess: (answer) => {
      if (answer.outcome === 'done') {
        onTake(answer.profile);
        notify.info(t('settings.profile.taken'));
      } else {
        notify.error(
          answer.outcome === 'refused'
            ? t('settings.profile.refused', { reason: answer.reason })
            : t('settings.profile.unreachable'),
        );
      }
    },
    onError: (error) => notify.error(failureText(error)),
  });
  return (
    <Banner
      tone={tones[state] ?? 'info'}
      action={
        can('settings:manage') ? (
          <span className="flex flex-wrap gap-2">
            <Button size="small" loading={read.isPending} onClick={() => read.mutate()}>
              {t('settings.profile.take')}
            </Button>
            {state === 'done' || state === 'waiting' ? null : (
              <Button size="small" loading={push.isPending} onClick={() => push.mutate()}>
                {t(state === 'none' ? 'settings.profile.send' : 'settings.profile.again')}
              </Button>
            )}
          </span>
        ) : undefined
      }
    >
      {children}
      {state === 'done' && changedAt !== null
        ? t('settings.profile.done', { time: formatDateTime(changedAt) })
        : t(`settings.profile.${state}`, { reason: reason ?? '' })}
    </Banner>
  );
}
