import type { BusinessProfile } from '@app/domain/settings/general-settings';
import type { ReactNode } from 'react';
import { useAction } from '../actions/use-action.ts';
import { api, orpc } from '../api.ts';
import { errorMessage } from '../error-message.ts';
import { formatDateTime } from '../formats.ts';
import { t } from '../messages.ts';
import { queryClient } from '../query-client.ts';
import { refusalText } from '../languages/refusal-text.ts';
import { can } from '../session.ts';
import { Button } from '../../ui/button.tsx';
import { Banner, type BannerTone } from '../../ui/states.tsx';
import { notify } from '../../ui/toast.ts';

export type PushState = Omit<Awaited<ReturnType<typeof api.settings.getProfileState>>, 'numbers'>;

const tones: Record<string, BannerTone> = { done: 'success', refused: 'danger', unreachable: 'warning' };

interface ProfileStateProps {
  push: PushState;
  /** Left out: each number without a profile of its own. */
  channelId?: string;
  /** The one whose profile is read, where that is another. */
  readsFrom?: string;
  /** With what the platform shows; left out for who only reads. */
  onTake?: (profile: BusinessProfile) => void;
  children?: ReactNode;
}

/** Whether the platform shows what is kept here; what it shows can be taken over, and ours handed over once more. */
export function ProfileState({
  push: { state, code, reason, keepsAbout, changedAt },
  channelId,
  readsFrom = channelId,
  onTake,
  children,
}: ProfileStateProps) {
  const ofNumber = channelId === undefined ? {} : { channelId };
  const push = useAction({
    mutationFn: () => api.settings.pushProfile(ofNumber),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: orpc.settings.key() }),
    onError: (error) => notify.error(errorMessage(error)),
  });
  const read = useAction({
    mutationFn: () => api.settings.readProfile(readsFrom === undefined ? {} : { channelId: readsFrom }),
    onSuccess: (answer) => {
      if (answer.outcome === 'done') {
        onTake?.(answer.profile);
        notify.info(t('settings.profile.taken'));
      } else {
        notify.error(
          answer.outcome === 'refused'
            ? t('settings.profile.refused', { reason: refusalText(answer.code, answer.reason) })
            : t('settings.profile.unreachable'),
        );
      }
    },
    onError: (error) => notify.error(errorMessage(error)),
  });
  return (
    <Banner
      tone={tones[state] ?? 'info'}
      action={
        can('settings:manage') && onTake ? (
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
        : t(`settings.profile.${state}`, { reason: refusalText(code ?? '', reason ?? '') })}
      {keepsAbout ? <> {t('settings.profile.keepsAbout')}</> : null}
    </Banner>
  );
}
