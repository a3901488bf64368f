import { useState } from 'react';
import { api } from '../../shared/api.ts';
import { useAct } from '../../shared/acts/use-act.ts';
import { failureTextOf } from '../../shared/failure-text.ts';
import { t } from '../../shared/messages.ts';
import { useSession } from '../../shared/session.ts';
import { Field } from '../../ui/field.tsx';
import { PasswordInput } from '../../ui/input.tsx';
import { FormDialog } from '../../ui/overlays/form-dialog.tsx';

const failureText = failureTextOf({
  password_wrong: 'profile.password.wrong',
  password_missing: 'profile.proof.noPassword',
  account_locked: 'profile.password.locked',
});

/** The password once more; the answer is whether it was right. */
export function ProofDialog({ onAnswer }: { onAnswer: (isProven: boolean) => void }) {
  const { user } = useSession();
  const [password, setPassword] = useState('');
  const confirm = useAct({
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
      isSaving={confirm.isPending}
      onSubmit={() => confirm.mutate()}
      onClose={() => onAnswer(false)}
    >
      <input type="hidden" autoComplete="username" value={user?.email ?? ''} readOnly />
      <Field
        label={t('profile.password.current')}
        error={confirm.error ? failureText(confirm.error) : undefined}
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
    </FormDialog>
  );
}
