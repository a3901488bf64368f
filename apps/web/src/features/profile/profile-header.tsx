import { Camera, Trash2 } from 'lucide-react';
import { useQueryClient } from '@tanstack/react-query';
import { api } from '../../shared/api.ts';
import { useAction } from '../../shared/actions/use-action.ts';
import { errorMessage, errorMessageOf } from '../../shared/error-message.ts';
import { t } from '../../shared/messages.ts';
import { sendPicture } from '../../shared/media/send-picture.ts';
import { readSessionAnew } from '../../shared/session.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { Badge, RoleBadge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { FileButton } from '../../ui/controls/file-button.tsx';
import { notify } from '../../ui/toast.ts';
import { profileOptions } from './profile-queries.ts';
import type { Profile } from './profile-values.ts';

const avatarFailure = errorMessageOf({
  media_type_unsupported: 'profile.avatar.unsupported',
  body_too_large: 'profile.avatar.tooLarge',
});

/** Who it is, with the picture and how to change it. */
export function ProfileHeader({ profile }: { profile: Profile }) {
  const { update, remove } = useAvatarActions();
  const name = `${profile.firstName} ${profile.lastName}`.trim();
  return (
    <section className="mb-4 flex flex-wrap items-center gap-x-5 gap-y-4 rounded-card border border-border bg-raised px-5 py-4">
      <Avatar name={name} image={profile.avatar} size="large" />
      <div className="min-w-0 flex-1 basis-48">
        <p className="text-lg font-semibold wrap-anywhere">{name}</p>
        <p className="wrap-anywhere text-muted">{profile.email}</p>
        <div className="mt-1.5 flex flex-wrap gap-1.5">
          <RoleBadge role={profile.role}>{t(`common.role.${profile.role}`)}</RoleBadge>
          <Badge tone={profile.isActive ? 'success' : 'neutral'} dot>
            {t(profile.isActive ? 'profile.active' : 'profile.inactive')}
          </Badge>
        </div>
      </div>
      <div className="flex flex-wrap gap-2">
        <FileButton
          accept="image/*"
          label={t('profile.avatar.change')}
          icon={<Camera aria-hidden />}
          loading={update.isPending}
          onFile={(file) => update.mutate(file)}
        >
          {t('profile.avatar.change')}
        </FileButton>
        {profile.avatar ? (
          <Button
            variant="ghost"
            icon={<Trash2 aria-hidden />}
            loading={remove.isPending}
            onClick={() => remove.mutate()}
          >
            {t('profile.avatar.remove')}
          </Button>
        ) : null}
      </div>
    </section>
  );
}

function useAvatarActions() {
  const queryClient = useQueryClient();
  async function readAnew() {
    await Promise.all([queryClient.invalidateQueries(profileOptions()), readSessionAnew()]);
  }
  const update = useAction({
    mutationFn: (file: File) => sendPicture('/api/profile/avatar', file),
    onSuccess: async () => {
      await readAnew();
      notify.success(t('profile.avatar.updated'));
    },
    onError: (error) => notify.error(avatarFailure(error)),
  });
  const remove = useAction({
    mutationFn: () => api.profile.removeAvatar({}),
    onSuccess: readAnew,
    onError: (error) => notify.error(errorMessage(error)),
  });
  return { update, remove };
}
