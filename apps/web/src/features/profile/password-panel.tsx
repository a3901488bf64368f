import { checkPassword, type SignUpProblem } from '@app/domain/auth/sign-up-rules';
import { KeyRound } from 'lucide-react';
import { useState } from 'react';
import { api, readFailure } from '../../shared/api.ts';
import { useAction } from '../../shared/actions/use-action.ts';
import { errorMessageOf } from '../../shared/error-message.ts';
import { t } from '../../shared/messages.ts';
import { useUnsavedWarning } from '../../shared/use-unsaved-warning.ts';
import { Button } from '../../ui/button.tsx';
import { Checkbox } from '../../ui/controls/choice.tsx';
import { Field } from '../../ui/field.tsx';
import { PasswordInput } from '../../ui/input.tsx';
import { Panel } from '../../ui/page-frame.tsx';
import { notify } from '../../ui/toast.ts';
import { problemText } from './profile-values.ts';

const errorMessage = errorMessageOf({
  password_wrong: 'profile.password.wrong',
  account_locked: 'profile.password.locked',
});

/** A button that opens the form of the password; saved, it is cleared and closed. */
export function PasswordPanel({ hasPassword }: { hasPassword: boolean }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <Panel
      title={t('profile.password.title')}
      purpose={t(hasPassword ? 'profile.password.text' : 'profile.password.none')}
    >
      {hasPassword && !isOpen ? (
        <Button icon={<KeyRound aria-hidden />} onClick={() => setOpen(true)}>
          {t('profile.password.title')}
        </Button>
      ) : null}
      {hasPassword && isOpen ? <PasswordForm onClose={() => setOpen(false)} /> : null}
    </Panel>
  );
}

const empty = { currentPassword: '', newPassword: '', confirmation: '' };
type Values = typeof empty;

function PasswordForm({ onClose }: { onClose: () => void }) {
  const [values, setValues] = useState(empty);
  const [endsOtherSessions, setEndsOthers] = useState(true);
  const [errors, setErrors] = useState<Partial<Values>>({});
  useUnsavedWarning(Object.values(values).some(Boolean));
  const change = useAction({
    mutationFn: ({ currentPassword, newPassword }: Values) =>
      api.profile.changePassword({ currentPassword, newPassword, endsOtherSessions }),
    onSuccess: () => {
      onClose();
      notify.success(t('profile.password.changed'));
    },
    onError: (error) => {
      const { field, issues } = readFailure(error);
      const problem = issues[0]?.message as SignUpProblem | undefined; // the rules of the form are the server's too
      if (problem) setErrors({ newPassword: problemText(problem) });
      else if (field === 'currentPassword') setErrors({ currentPassword: errorMessage(error) });
      else notify.error(errorMessage(error));
    },
  });

  function submit() {
    const problem = checkPassword(values.newPassword);
    const found: Partial<Values> = {
      ...(!values.currentPassword && { currentPassword: t('profile.password.wrong') }),
      ...(problem && { newPassword: problemText(problem) }),
      ...(values.newPassword !== values.confirmation && { confirmation: t('profile.password.differ') }),
    };
    setErrors(found);
    if (Object.keys(found).length === 0) change.mutate(values);
  }

  const field = (name: keyof Values, label: string, autoComplete: string) => (
    <Field label={label} error={errors[name]} required>
      <PasswordInput
        autoComplete={autoComplete}
        value={values[name]}
        onChange={(event) => {
          setValues({ ...values, [name]: event.target.value });
          setErrors({ ...errors, [name]: undefined });
        }}
      />
    </Field>
  );
  return (
    <form
      noValidate
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      {field('currentPassword', t('profile.password.current'), 'current-password')}
      {field('newPassword', t('profile.password.new'), 'new-password')}
      {field('confirmation', t('profile.password.confirm'), 'new-password')}
      <Checkbox
        label={t('profile.password.endOthers')}
        checked={endsOtherSessions}
        onChange={(event) => setEndsOthers(event.target.checked)}
      />
      <div className="flex flex-wrap justify-end gap-2">
        <Button onClick={onClose}>{t('profile.cancel')}</Button>
        <Button type="submit" variant="primary" loading={change.isPending}>
          {t('profile.password.save')}
        </Button>
      </div>
    </form>
  );
}
