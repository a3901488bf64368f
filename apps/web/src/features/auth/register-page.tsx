import { MailCheck } from 'lucide-react';
import { useState } from 'react';
import type { FormEvent } from 'react';
import { checkSignUp, requestableRoles } from '@app/domain/auth/sign-up-rules';
import type { SignUpForm, SignUpProblem } from '@app/domain/auth/sign-up-rules';
import { readEarlyInput } from '../../shared/sign-in/early-input.ts';
import { t } from '../../shared/messages.ts';
import { paths } from '../../shared/paths.ts';
import { goTo } from '../../shared/sign-in/public-navigation.ts';
import { signUp } from '../../shared/sign-in/sign-in.ts';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { Input } from '../../ui/input.tsx';
import { Banner } from '../../ui/states.tsx';
import { NameFields, NewPasswordFields, PhoneField } from '../../shared/sign-in/account-fields.tsx';
import { authErrorMessage, fieldErrorMessages } from './auth-error-message.ts';
import { AuthFrame, FormFailure, textLink } from './auth-frame.tsx';
import { AuthResult } from './auth-result.tsx';
import { useSignInHints, useSignedInRedirect } from './use-sign-in-hints.ts';
import { RoleChoice } from './role-choice.tsx';
import { keepTypedEmail, readTypedEmail } from './typed-email.ts';

function readFirstForm(): SignUpForm {
  const role = readEarlyInput('role');
  return {
    firstName: readEarlyInput('firstName'),
    lastName: readEarlyInput('lastName'),
    email: readTypedEmail(),
    phoneNumber: readEarlyInput('phoneNumber'),
    role: requestableRoles.find((offered) => offered === role) ?? 'agent',
    password: readEarlyInput('password'),
    confirmPassword: readEarlyInput('confirmPassword'),
  };
}

type Errors = Partial<Record<keyof SignUpForm, string>>;

export function RegisterPage() {
  const hints = useSignInHints();
  useSignedInRedirect(paths.dashboard);
  const [form, setForm] = useState(readFirstForm);
  const [errors, setErrors] = useState<Errors>({});
  const [failure, setFailure] = useState<string>();
  const [isSending, setSending] = useState(false);
  const [pending, setPending] = useState<'pending' | 'unconfirmed'>();

  if (pending) {
    return (
      <AuthResult
        icon={<MailCheck />}
        title={t('auth.signUp.pendingTitle')}
        text={t(pending === 'pending' ? 'auth.signUp.pendingText' : 'auth.signUp.confirmText', {
          email: form.email.trim(),
        })}
      />
    );
  }

  function edit(name: keyof SignUpForm, value: string) {
    setForm({ ...form, [name]: value });
    if (name === 'email') keepTypedEmail(value);
    setErrors({ ...errors, [name]: undefined });
    setFailure(undefined);
  }

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const problems = Object.entries(checkSignUp(form));
    setErrors(Object.fromEntries(problems.map(([field, problem]) => [field, problemText(problem)])));
    const [firstWrong] = problems[0] ?? [];
    if (firstWrong) {
      event.currentTarget.querySelector<HTMLInputElement>(`[name="${firstWrong}"]`)?.focus();
      return;
    }
    setSending(true);
    try {
      const outcome = await signUp(form);
      if (outcome !== 'signed-in') setPending(outcome);
      else goTo(paths.dashboard, { replace: true });
    } catch (error) {
      const fields = fieldErrorMessages(error);
      setErrors(fields);
      if (Object.keys(fields).length === 0) setFailure(authErrorMessage(error, 'auth.failure.signUp'));
    } finally {
      setSending(false);
    }
  }

  /** The wiring that every text field of the form shares. */
  const text = (name: Exclude<keyof SignUpForm, 'role'>, autoComplete: string) => ({
    name,
    autoComplete,
    className: 'h-10',
    value: form[name],
    onChange: (event: { target: { value: string } }) => edit(name, event.target.value),
  });

  return (
    <AuthFrame
      title={t('auth.signUp.title')}
      purpose={t('auth.signUp.purpose')}
      footer={
        <>
          {t('auth.signUp.haveAccount')}{' '}
          <a href={paths.login} className={textLink}>
            {t('auth.signUp.signIn')}
          </a>
        </>
      }
    >
      <form method="dialog" onSubmit={(event) => void submit(event)} noValidate>
        <FormFailure>{failure}</FormFailure>
        <div className="flex flex-col gap-4">
          {hints?.isFirstAccount ? <Banner>{t('auth.signUp.firstAccount')}</Banner> : null}
          <NameFields text={text} errors={errors} />
          <Field label={t('auth.field.email')} error={errors.email} required>
            <Input type="email" {...text('email', 'username')} />
          </Field>
          <PhoneField text={text} errors={errors} />
          <RoleChoice
            value={form.role}
            hint={hints?.isFirstAccount ? undefined : t('auth.signUp.roleHint')}
            onChange={(role) => edit('role', role)}
          />
          <NewPasswordFields text={text} errors={errors} />
          <Button type="submit" variant="primary" className="mt-1 h-10 w-full" loading={isSending}>
            {t('auth.signUp.submit')}
          </Button>
        </div>
      </form>
    </AuthFrame>
  );
}

function problemText(problem: SignUpProblem): string {
  return t(`auth.problem.${problem}`);
}
