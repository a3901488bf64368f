import { checkEmail, normaliseEmail } from '@app/domain/auth/sign-up-rules';
import { useQueryClient } from '@tanstack/react-query';
import { AtSign } from 'lucide-react';
import { useState } from 'react';
import { api } from '../../shared/api.ts';
import { useAction } from '../../shared/actions/use-action.ts';
import { errorMessage, errorMessageOf } from '../../shared/error-message.ts';
import { t } from '../../shared/messages.ts';
import { readSessionAnew } from '../../shared/session.ts';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { Input } from '../../ui/input.tsx';
import { FormDialog } from '../../ui/overlays/form-dialog.tsx';
import { Banner } from '../../ui/states.tsx';
import { notify } from '../../ui/toast.ts';
import { profileOptions } from './profile-queries.ts';
import { problemText, type Profile } from './profile-values.ts';

const failure = errorMessageOf({
  too_many_mails: 'profile.email.tooMany',
  email_taken: 'profile.email.taken',
  mail_missing: 'profile.email.others',
});

/** Asks for another address to sign in with. */
export function EmailChange({ profile }: { profile: Profile }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button icon={<AtSign aria-hidden />} onClick={() => setOpen(true)}>
        {t('profile.email.change')}
      </Button>
      {isOpen ? <EmailDialog profile={profile} onClose={() => setOpen(false)} /> : null}
    </>
  );
}

/** What is known of a change that is not there yet, and why there can be none. */
export function EmailNote({ profile: { newEmail, emailChange } }: { profile: Profile }) {
  const queryClient = useQueryClient();
  const withdraw = useAction({
    mutationFn: () => api.profile.withdrawEmail({}),
    onSuccess: (profile) => {
      queryClient.setQueryData(profileOptions().queryKey, profile);
      notify.success(t('profile.email.withdrawn'));
    },
    onError: (error) => notify.error(errorMessage(error)),
  });
  if (newEmail)
    return (
      <Banner
        action={
          <Button size="small" loading={withdraw.isPending} onClick={() => withdraw.mutate()}>
            {t('profile.email.withdraw')}
          </Button>
        }
      >
        {t('profile.email.waits', { email: newEmail })}
      </Banner>
    );
  return emailChange === 'others' ? <Banner>{t('profile.email.others')}</Banner> : null;
}

function EmailDialog({ profile, onClose }: { profile: Profile; onClose: () => void }) {
  const queryClient = useQueryClient();
  const [typed, setTyped] = useState('');
  const [problem, setProblem] = useState<string>();
  const email = normaliseEmail(typed);
  const isAtOnce = profile.emailChange === 'at-once';
  const change = useAction({
    mutationFn: () => api.profile.changeEmail({ email }),
    onSuccess: async (changed) => {
      queryClient.setQueryData(profileOptions().queryKey, changed);
      onClose();
      notify.success(t(isAtOnce ? 'profile.email.changed' : 'profile.email.sent', { email }));
      if (isAtOnce) await readSessionAnew();
    },
    onError: (error) => setProblem(failure(error)),
  });
  return (
    <FormDialog
      title={t('profile.email.title')}
      description={t(isAtOnce ? 'profile.email.textAtOnce' : 'profile.email.text')}
      size="small"
      submitLabel={t(isAtOnce ? 'profile.email.submitAtOnce' : 'profile.email.submit')}
      isReady={email !== '' && email !== profile.email}
      whyNot={t('profile.email.needs')}
      isSaving={change.isPending}
      onSubmit={() => {
        const found = checkEmail(typed);
        if (found) setProblem(problemText(found));
        else change.mutate();
      }}
      onClose={onClose}
    >
      <Field label={t('profile.email.new')} error={problem} required>
        <Input
          type="email"
          autoComplete="email"
          value={typed}
          onChange={(event) => {
            setTyped(event.target.value);
            setProblem(undefined);
          }}
        />
      </Field>
    </FormDialog>
  );
}
