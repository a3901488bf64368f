import { stillNeeded } from '../../shared/actions/still-needed.ts';
import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { api, orpc } from '../../shared/api.ts';
import { useAction } from '../../shared/actions/use-action.ts';
import { errorMessageOf } from '../../shared/error-message.ts';
import { t } from '../../shared/messages.ts';
import { useSession } from '../../shared/session.ts';
import { Field } from '../../ui/field.tsx';
import { PasswordInput } from '../../ui/input.tsx';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import { FormDialog } from '../../ui/overlays/form-dialog.tsx';
import { CompanyReauthentication } from './company-reauthentication.tsx';

const errorMessage = errorMessageOf({
  password_wrong: 'profile.password.wrong',
  password_missing: 'profile.proof.noPassword',
  account_locked: 'profile.password.locked',
});

type Answer = (isProven: boolean) => void;

/** The password once more, or the company's provider; the answer is whether the person proved who they are. */
export function ReauthenticationDialog({ onAnswer }: { onAnswer: Answer }) {
  const company = useQuery({ ...orpc.companySignIn.get.queryOptions({ input: {} }), staleTime: 0 });
  const profile = useQuery(orpc.profile.get.queryOptions({ input: {} }));
  const { provider, link } = company.data ?? {};
  const byCompany =
    provider && link ? (
      <CompanyReauthentication
        name={provider.name}
        since={company.data?.provenAt ?? null}
        onProven={() => onAnswer(true)}
      />
    ) : null;
  if (byCompany && profile.data?.hasPassword === false)
    return (
      <Dialog
        title={t('profile.proof.title')}
        size="small"
        open
        onOpenChange={(isOpen) => {
          if (!isOpen) onAnswer(false);
        }}
      >
        {byCompany}
      </Dialog>
    );
  return <PasswordReauthentication onAnswer={onAnswer}>{byCompany}</PasswordReauthentication>;
}

function PasswordReauthentication({ onAnswer, children }: { onAnswer: Answer; children: ReactNode }) {
  const { user } = useSession();
  const [password, setPassword] = useState('');
  const confirm = useAction({
    mutationFn: () => api.profile.confirmPassword({ password }),
    onSuccess: () => onAnswer(true),
    // It shows at the field.
    onError: () => undefined,
  });
  return (
    <FormDialog
      title={t('profile.proof.title')}
      description={t('profile.proof.text')}
      size="small"
      submitLabel={t('profile.proof.submit')}
      isReady={password !== ''}
      whyNot={stillNeeded(t('profile.password.current'))}
      isSaving={confirm.isPending}
      onSubmit={() => confirm.mutate()}
      onClose={() => onAnswer(false)}
    >
      <input type="hidden" autoComplete="username" value={user?.email ?? ''} readOnly />
      <Field
        label={t('profile.password.current')}
        error={confirm.error ? errorMessage(confirm.error) : undefined}
        required
      >
        <PasswordInput
          autoComplete="current-password"
          value={password}
          onChange={(event) => {
            setPassword(event.target.value);
            confirm.reset();
          }}
        />
      </Field>
      {children}
    </FormDialog>
  );
}
