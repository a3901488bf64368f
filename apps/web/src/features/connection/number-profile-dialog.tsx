import type { BusinessProfile } from '@app/domain/settings/general-settings';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { useAction } from '../../shared/actions/use-action.ts';
import { api, orpc } from '../../shared/api.ts';
import { ProfileFields } from '../../shared/business-profile/profile-fields.tsx';
import { problemsOfProfile, writtenProfile } from '../../shared/business-profile/profile-problems.ts';
import { ProfileState } from '../../shared/business-profile/profile-state.tsx';
import { errorMessage, errorMessageOf } from '../../shared/error-message.ts';
import { useLiveQuery } from '../../shared/live/use-live-query.ts';
import { t } from '../../shared/messages.ts';
import { can } from '../../shared/session.ts';
import { useMessages } from '../../shared/use-messages.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import { FormDialog } from '../../ui/overlays/form-dialog.tsx';
import { Banner, ErrorState, Skeleton, SkeletonRegion } from '../../ui/states.tsx';
import { notify } from '../../ui/toast.ts';

type NumberProfile = Awaited<ReturnType<typeof api.settings.getNumberProfile>>;

const failureOf = errorMessageOf({ settings_changed: 'connection.profile.conflict' });
const optionsOf = (channelId: string) =>
  orpc.settings.getNumberProfile.queryOptions({ input: { channelId } });

interface NumberProfileDialogProps {
  channelId: string;
  displayNumber: string;
  onClose: () => void;
}

/** What people see of the business beside this number: its own, or that of the workspace. */
export function NumberProfileDialog(props: NumberProfileDialogProps) {
  const hasWords = useMessages('settings');
  useMessages('deliveries');
  const { data, error, refetch } = useQuery(optionsOf(props.channelId));
  useLiveQuery(['settings'], [orpc.settings.getNumberProfile.key()]);
  if (hasWords && data)
    return can('settings:manage') ? (
      <ProfileForm {...props} saved={data} />
    ) : (
      <ShownProfile {...props} saved={data} />
    );
  return (
    <ProfileFrame {...props}>
      {error && !data ? (
        <ErrorState text={errorMessage(error)} onRetry={() => void refetch()} />
      ) : (
        <SkeletonRegion className="flex flex-col gap-4">
          <Skeleton className="h-12" />
          <Skeleton className="h-32" />
        </SkeletonRegion>
      )}
    </ProfileFrame>
  );
}

/** For who only reads. */
function ShownProfile({ saved, ...props }: NumberProfileDialogProps & { saved: NumberProfile }) {
  const { push, isOwn, profile } = saved;
  return (
    <ProfileFrame {...props}>
      <Banner tone="info">{t('settings.readOnly')}</Banner>
      <ProfileState push={push} channelId={props.channelId}>
        {isOwn ? null : <>{t('connection.profile.generalShown')} </>}
      </ProfileState>
      <fieldset disabled>
        <ProfileFields values={profile} change={() => {}} />
      </fieldset>
    </ProfileFrame>
  );
}

function ProfileFrame({
  displayNumber,
  onClose,
  children,
}: NumberProfileDialogProps & { children: ReactNode }) {
  return (
    <Dialog
      open
      onOpenChange={(isOpen) => {
        if (!isOpen) onClose();
      }}
      title={t('connection.profile.title', { number: displayNumber })}
      size="large"
      footer={<Button onClick={onClose}>{t('common.close')}</Button>}
    >
      <div className="flex flex-col gap-4">{children}</div>
    </Dialog>
  );
}

function ProfileForm({
  channelId,
  displayNumber,
  onClose,
  saved,
}: NumberProfileDialogProps & { saved: NumberProfile }) {
  const queryClient = useQueryClient();
  // As it was opened: what is saved must follow what the person saw.
  const [{ version, profile: opened }] = useState(saved);
  const [values, setValues] = useState<BusinessProfile>(opened);
  const keep = (kept: NumberProfile) => queryClient.setQueryData(optionsOf(channelId).queryKey, kept);
  const save = useAction({
    mutationFn: (profile: BusinessProfile | null) =>
      api.settings.updateNumberProfile({ channelId, version, profile }),
    onSuccess: (kept) => {
      keep(kept);
      notify.success(t('connection.profile.saved'));
      onClose();
    },
  });
  const change = (patch: Partial<BusinessProfile>) => setValues((before) => ({ ...before, ...patch }));
  const written = writtenProfile(values);
  const isRight = Object.keys(problemsOfProfile(written)).length === 0;
  const { push: pushed, isOwn } = saved;
  return (
    <FormDialog
      title={t('connection.profile.title', { number: displayNumber })}
      size="large"
      submitLabel={t('connection.profile.save')}
      isSaving={save.isPending}
      isReady={isRight && (!isOwn || JSON.stringify(written) !== JSON.stringify(opened))}
      whyNot={t(isRight ? 'connection.profile.unchanged' : 'connection.profile.needsMending')}
      onSubmit={() => save.mutate(written)}
      onClose={onClose}
      note={
        isOwn ? (
          <Button variant="ghost" disabled={save.isPending} onClick={() => save.mutate(null)}>
            {t('connection.profile.useGeneral')}
          </Button>
        ) : null
      }
    >
      {save.error ? <Banner tone="danger">{failureOf(save.error)}</Banner> : null}
      <ProfileState push={pushed} channelId={channelId} onTake={setValues}>
        {isOwn ? null : <>{t('connection.profile.general')} </>}
      </ProfileState>
      <ProfileFields values={values} change={change} />
    </FormDialog>
  );
}
