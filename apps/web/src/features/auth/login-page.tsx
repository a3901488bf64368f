import { useState } from 'react';
import type { FormEvent } from 'react';
import { normaliseEmail } from '@app/domain/auth/sign-up-rules';
import { readEarlyInput } from '../../shared/sign-in/early-input.ts';
import { t } from '../../shared/messages.ts';
import { paths } from '../../shared/paths.ts';
import { goTo, readReturnAddress } from '../../shared/sign-in/public-navigation.ts';
import { isNewcomerHere } from '../../shared/sign-in/newcomer.ts';
import { signIn } from '../../shared/sign-in/sign-in.ts';
import { Button, LinkButton } from '../../ui/button.tsx';
import { Checkbox } from '../../ui/controls/choice.tsx';
import { Field } from '../../ui/field.tsx';
import { Input, PasswordInput } from '../../ui/input.tsx';
import { Banner } from '../../ui/states.tsx';
import { authErrorMessage, fieldErrorMessages } from './auth-error-message.ts';
import { CompanySignIn } from './company-sign-in.tsx';
import { useCompanyReturn } from './use-company-return.ts';
import { useConfirmedAddress } from './use-confirmed-address.ts';
import { AuthFrame, FormFailure, textLink } from './auth-frame.tsx';
import { useSignInHints, useSignedInRedirect } from './use-sign-in-hints.ts';
import { CodeStep, LoginStep, PendingResult, ReauthenticationResult } from './login-step.tsx';
import { PasskeySignIn } from './passkey-sign-in.tsx';
import { SampleSignIn } from './sample-sign-in.tsx';
import { keepTypedEmail, readTypedEmail } from './typed-email.ts';

type LoginErrors = { email?: string; password?: string };

export function LoginPage() {
  // The address changes while the page still stands; where it leads was settled when it opened.
  const [target] = useState(readReturnAddress);
  const [hasEnded] = useState(() => new URLSearchParams(location.search).get('reason') === 'ended');
  const [isNewcomer] = useState(isNewcomerHere);
  const hints = useSignInHints();
  const [form, setForm] = useState(() => ({
    email: readTypedEmail(),
    password: readEarlyInput('password'),
    rememberMe: readEarlyInput('rememberMe') !== '',
  }));
  const [errors, setErrors] = useState<LoginErrors>({});
  const [failure, setFailure] = useState<string>();
  const [isSending, setSending] = useState(false);
  const [isSecondStep, setSecondStep] = useState(false);
  const [pending, setPending] = useState<{ mustConfirmAddress: boolean }>();
  const [proof] = useState(() => new URLSearchParams(location.search).get('proof'));
  const confirmed = useConfirmedAddress(setFailure);
  const isReturning = useCompanyReturn({
    onOutcome: (outcome) => {
      if (outcome.step === 'signed-in') return goTo(target, { replace: true });
      if (outcome.step === 'pending') return setPending(outcome);
      setForm((before) => ({ ...before, rememberMe: outcome.rememberMe }));
      setSecondStep(true);
    },
    onFailure: setFailure,
  });
  useSignedInRedirect(target, isReturning || proof !== null);

  if (proof !== null)
    return (
      <LoginStep>
        <ReauthenticationResult code={proof} />
      </LoginStep>
    );
  if (pending)
    return (
      <LoginStep>
        <PendingResult {...pending} companyName={hints?.companySignIn?.name} />
      </LoginStep>
    );
  if (isSecondStep)
    return (
      <LoginStep>
        <CodeStep
          rememberMe={form.rememberMe}
          onDone={() => goTo(target, { replace: true })}
          onBack={(why) => {
            setForm({ ...form, password: '' });
            setFailure(why);
            setSecondStep(false);
          }}
        />
      </LoginStep>
    );
  if (isReturning)
    return (
      <AuthFrame title={t('auth.signIn.title')}>
        <p role="status" className="text-muted">
          {t('auth.company.working')}
        </p>
      </AuthFrame>
    );

  function edit(change: Partial<typeof form>) {
    setForm({ ...form, ...change });
    if (change.email !== undefined) keepTypedEmail(change.email);
    setErrors(Object.keys(change).reduce((rest, name) => ({ ...rest, [name]: undefined }), errors));
    setFailure(undefined);
  }

  async function submit(event: FormEvent) {
    event.preventDefault();
    const found: LoginErrors = {
      ...(!form.email.trim() && { email: t('auth.problem.emailMissing') }),
      ...(!form.password && { password: t('auth.problem.passwordMissing') }),
    };
    setErrors(found);
    if (Object.keys(found).length > 0) return;
    setSending(true);
    try {
      const outcome = await signIn({ ...form, email: normaliseEmail(form.email) });
      if (outcome === 'signed-in') return goTo(target, { replace: true });
      setSecondStep(true);
      setSending(false);
    } catch (error) {
      const fields = fieldErrorMessages(error);
      setErrors(fields);
      if (Object.keys(fields).length === 0) setFailure(authErrorMessage(error, 'auth.failure.signIn'));
      setSending(false);
    }
  }

  return (
    <AuthFrame
      title={isNewcomer ? t('auth.signUp.title') : t('auth.signIn.title')}
      purpose={isNewcomer ? t('auth.signUp.purpose') : t('auth.signIn.purpose')}
      extra={
        <>
          {hints?.companySignIn ? (
            <CompanySignIn
              name={hints.companySignIn.name}
              rememberMe={form.rememberMe}
              returnTo={target}
              onFailure={setFailure}
            />
          ) : null}
          {hints?.sampleSignIn ? <SampleSignIn {...hints.sampleSignIn} onFill={edit} /> : null}
        </>
      }
      footer={
        isNewcomer ? undefined : (
          <>
            {hints?.isFirstAccount ? t('auth.signIn.firstAccount') : t('auth.signIn.noAccount')}{' '}
            <a href={paths.register} className={textLink}>
              {t('auth.signIn.register')}
            </a>
          </>
        )
      }
    >
      {isNewcomer ? (
        <>
          <LinkButton href={paths.register} variant="primary" className="h-10 w-full">
            {t('auth.signUp.submit')}
          </LinkButton>
          <h2 className="mt-8 mb-4 border-t border-border pt-6 text-lg font-semibold">
            {t('auth.signIn.orSignIn')}
          </h2>
        </>
      ) : null}
      <form method="dialog" onSubmit={(event) => void submit(event)} noValidate>
        <FormFailure>{failure}</FormFailure>
        {/* A place of its own, so that the fields that stand there already keep theirs. */}
        <div className="mb-4 empty:hidden">
          {hasEnded && !failure ? <Banner>{t('auth.signIn.ended')}</Banner> : null}
          {confirmed && !failure ? <Banner tone="success">{t('auth.confirm.done')}</Banner> : null}
        </div>
        <div className="flex flex-col gap-4">
          <Field label={t('auth.field.email')} error={errors.email} required>
            <Input
              type="email"
              name="email"
              autoComplete="username"
              className="h-10"
              value={form.email}
              onChange={(event) => edit({ email: event.target.value })}
            />
          </Field>
          <Field label={t('auth.field.password')} error={errors.password} required>
            <PasswordInput
              name="password"
              autoComplete="current-password"
              className="h-10"
              value={form.password}
              onChange={(event) => edit({ password: event.target.value })}
            />
          </Field>
          <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
            <Checkbox
              name="rememberMe"
              label={t('auth.signIn.rememberMe')}
              checked={form.rememberMe}
              onChange={(event) => edit({ rememberMe: event.target.checked })}
            />
            <a href={paths.forgotPassword} className={textLink}>
              {t('auth.signIn.forgot')}
            </a>
          </div>
          <Button
            type="submit"
            variant={isNewcomer ? 'secondary' : 'primary'}
            className="mt-1 h-10 w-full"
            loading={isSending}
          >
            {t('auth.signIn.submit')}
          </Button>
          <PasskeySignIn
            rememberMe={form.rememberMe}
            onDone={() => goTo(target, { replace: true })}
            onFailure={setFailure}
          />
        </div>
      </form>
    </AuthFrame>
  );
}
