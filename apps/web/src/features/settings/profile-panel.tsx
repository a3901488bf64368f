import type { BusinessProfile } from '@app/domain/settings/general-settings';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useAct } from '../../shared/acts/use-act.ts';
import { api, orpc } from '../../shared/api.ts';
import { failureText } from '../../shared/failure-text.ts';
import { formatDateTime } from '../../shared/formats.ts';
import { t } from '../../shared/messages.ts';
import { can } from '../../shared/session.ts';
import { Button } from '../../ui/button.tsx';
import { Banner, type BannerTone } from '../../ui/states.tsx';
import { notify } from '../../ui/toast.ts';
import { profileStateOptions } from './settings-queries.ts';

const tones: Record<string, BannerTone> = { done: 'success', refused: 'danger', unreachable: 'warning' };

/** Whether the platform shows what is kept here; what it shows can be taken over, and ours handed over once more. */
export function ProfilePanel({ onTake }: { onTake: (profile: BusinessProfile) => void }) {
  const queryClient = useQueryClient();
  const { data } = useQuery(profileStateOptions());
  const push = useAct({
    ...orpc.settings.pushProfile.mutationOptions(),
    onSuccess: (state) => queryClient.setQueryData(profileStateOptions().queryKey, state),
    onError: (error) => notify.error(failureText(error)),
  });
  const read = useAct({
    mutationFn: () => api.settings.readProfile({}),
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
  if (!data?.channel) return null;
  const { state, reason, changedAt } = data;
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
              <Button size="small" loading={push.isPending} onClick={() => push.mutate({})}>
                {state === 'none' ? t('settings.profile.send') : t('settings.profile.again')}
              </Button>
            )}
          </span>
        ) : undefined
      }
    >
      {state === 'done' && changedAt !== null
        ? t('settings.profile.done', { time: formatDateTime(changedAt) })
        : t(`settings.profile.${state}`, { reason: reason ?? '' })}
    </Banner>
  );
}
