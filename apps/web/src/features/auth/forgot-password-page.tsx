import { KeyRound, MailCheck } from 'lucide-react';
import { useEffect, useState } from 'react';
import type { FormEvent } from 'react';
import { checkEmail, checkPassword } from '@app/domain/auth/sign-up-rules';
import { t } from '../../shared/messages.ts';
import { paths } from '../../shared/paths.ts';
import {
  SignInFailure,
  postNewPassword,
  postPasswordResetRequest,
  postResetLink,
  type OtherWaysIn,
} from '../../shared/sign-in/sign-in-calls.ts';
import { Button } from '../../ui/button.tsx';
import { Checkbox } from '../../ui/controls/choice.tsx';
import { Field } from '../../ui/field.tsx';
import { Input, PasswordInput } from '../../ui/input.tsx';
import { authErrorMessage, fieldErrorMessages } from './auth-error-message.ts';
import { AuthFrame, FormFailure, textLink } from './auth-frame.tsx';
import { AuthResult } from './auth-result.tsx';
import { readEarlyInput } from '../../shared/sign-in/early-input.ts';
import { usePublicSearch } from '../../shared/sign-in/public-navigation.ts';
import { keepTypedEmail, readTypedEmail } from './typed-email.ts';

/** Asks for a link; with the token of a link in the address, takes the new password. */
export function ForgotPasswordPage() {
  const token = new URLSearchParams(usePublicSearch()).get('token');
  return token ? <NewPasswordForm token={token} /> : <LinkRequestForm />;
}

function LinkRequestForm() {
  const [email, setEmail] = useState(readTypedEmail);
  const { error, failure, isSending, isDone, clear, send } = useSubmission();
  if (isDone) {
    return (
      <AuthResult
        icon={<MailCheck />}
        title={t('auth.forgot.sentTitle')}
        text={t('auth.forgot.sentText', { email: email.trim() })}
      />
    );
  }
  function submit(event: FormEvent) {
    event.preventDefault();
    const problem = checkEmail(email);
    void send(problem && t(`auth.problem.${problem}`), () => postPasswordResetRequest(email.trim()));
  }
  return (
    <AuthFrame title={t('auth.forgot.title')} purpose={t('auth.forgot.purpose')} footer={<SignInLink />}>
      <form onSubmit={submit} noValidate className="flex flex-col gap-4">
        <FormFailure>{failure}</FormFailure>
        <Field label={t('auth.field.email')} error={error} required>
          <Input
            type="email"
            name="email"
            autoComplete="username"
            className="h-10"
            value={email}
            onChange={(event) => {
              setEmail(event.target.value);
              keepTypedEmail(event.target.value);
              clear();
            }}
          />
        </Field>
        <Button type="submit" variant="primary" className="h-10 w-full" loading={isSending}>
          {t('auth.forgot.submit')}
        </Button>
      </form>
    </AuthFrame>
  );
}

function NewPasswordForm({ token }: { token: string }) {
  const [password, setPassword] = useState(() => readEarlyInput('password'));
  const [removesPasskeys, setRemovesPasskeys] = useState(false);
  const [removesCompanyLink, setRemovesCompanyLink] = useState(false);
  const { error, failure, isLinkOver, isSending, isDone, clear, send, refuse } = useSubmission();
  const { passkeys, companyLink } = useOtherWaysIn(token, refuse);
  if (isDone) {
    return (
      <AuthResult icon={<KeyRound />} title={t('auth.forgot.savedTitle')} text={t('auth.forgot.savedText')} />
    );
  }
  function submit(event: FormEvent) {
    event.preventDefault();
    const problem = checkPassword(password);
    void send(problem && t(`auth.problem.${problem}`), () =>
      postNewPassword({ token, password, removesPasskeys, removesCompanyLink }),
    );
  }
  return (
    <AuthFrame
      title={t('auth.forgot.newTitle')}
      purpose={t('auth.forgot.newPurpose')}
      footer={isLinkOver ? <NewLink /> : <SignInLink />}
    >
      <form onSubmit={submit} noValidate className="flex flex-col gap-4">
        <FormFailure>{failure}</FormFailure>
        <Field label={t('auth.field.newPassword')} hint={t('auth.field.passwordHint')} error={error} required>
          <PasswordInput
            name="password"
            autoComplete="new-password"
            className="h-10"
            value={password}
            onChange={(event) => {
              setPassword(event.target.value);
              clear();
            }}
          />
        </Field>
        {passkeys.length > 0 ? (
          <div className="rounded-card border border-border p-3.5">
            <p>{t('auth.forgot.passkeys', { n: passkeys.length })}</p>
            <ul className="my-2 list-disc pl-5">
              {passkeys.map(({ name, createdAt }) => (
                <li key={`${name} ${createdAt}`} className="wrap-anywhere">
                  <bdi>{name}</bdi>
                </li>
              ))}
            </ul>
            <Checkbox
              label={t('auth.forgot.removePasskeys', { n: passkeys.length })}
              checked={removesPasskeys}
              onChange={(event) => setRemovesPasskeys(event.target.checked)}
            />
          </div>
        ) : null}
        {companyLink ? (
          <div className="rounded-card border border-border p-3.5">
            <p className="mb-2 wrap-anywhere">
              {t('auth.forgot.companyLink', { provider: companyLink.provider })}
            </p>
            <Checkbox
              label={t('auth.forgot.removeCompanyLink')}
              checked={removesCompanyLink}
              onChange={(event) => setRemovesCompanyLink(event.target.checked)}
            />
          </div>
        ) : null}
        <Button type="submit" variant="primary" className="h-10 w-full" loading={isSending}>
          {t('auth.forgot.save')}
        </Button>
      </form>
    </AuthFrame>
  );
}

const NONE: OtherWaysIn = { passkeys: [], companyLink: null };

/** What signs in to the account beside the password; nothing until it is known. Nobody chooses a password for a link that is over. */
function useOtherWaysIn(token: string, refuse: (thrown: unknown) => void): OtherWaysIn {
  const [ways, setWays] = useState(NONE);
  useEffect(() => {
    postResetLink(token).then(setWays, (thrown: unknown) => {
      // Anything else is said by saving.
      if (isOver(thrown)) refuse(thrown);
    });
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- looked at once for each link
  }, [token]);
  return ways;
}

function useSubmission() {
  const [error, setError] = useState<string>();
  const [failure, setFailure] = useState<string>();
  const [isSending, setSending] = useState(false);
  const [isDone, setDone] = useState(false);
  const [isLinkOver, setLinkOver] = useState(false);
  function refuse(thrown: unknown) {
    setLinkOver(isOver(thrown));
    setFailure(authErrorMessage(thrown, 'common.error.internal'));
  }
  function clear() {
    setError(undefined);
    setFailure(undefined);
  }
  async function send(problem: string | null, call: () => Promise<unknown>) {
    clear();
    if (problem) {
      setError(problem);
      return;
    }
    setSending(true);
    try {
      await call();
      setDone(true);
    } catch (thrown) {
      const [field] = Object.values(fieldErrorMessages(thrown));
      if (field) setError(field);
      else refuse(thrown);
    } finally {
      setSending(false);
    }
  }
  return { error, failure, isLinkOver, isSending, isDone, clear, send, refuse };
}

function isOver(thrown: unknown): boolean {
  return thrown instanceof SignInFailure && thrown.code === 'reset_link_invalid';
}

function NewLink() {
  return (
    <a href={paths.forgotPassword} className={textLink}>
      {t('auth.forgot.again')}
    </a>
  );
}

function SignInLink() {
  return (
    <a href={paths.login} className={textLink}>
      {t('auth.signUp.backToSignIn')}
    </a>
  );
}
