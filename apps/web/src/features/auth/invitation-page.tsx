import { MailX } from 'lucide-react';
import { useEffect, useState } from 'react';
import type { FormEvent } from 'react';
import { checkSignUp } from '@app/domain/auth/sign-up-rules';
import { t } from '../../shared/messages.ts';
import { paths } from '../../shared/paths.ts';
import { goTo } from '../../shared/sign-in/public-navigation.ts';
import { acceptInvitation } from '../../shared/sign-in/sign-in.ts';
import { postInvitationLink, type InvitationData } from '../../shared/sign-in/sign-in-calls.ts';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { Input } from '../../ui/input.tsx';
import { NameFields, NewPasswordFields, PhoneField } from '../../shared/sign-in/account-fields.tsx';
import { authErrorMessage, fieldErrorMessages } from './auth-error-message.ts';
import { AuthFrame, FormFailure } from './auth-frame.tsx';
import { AuthResult } from './auth-result.tsx';
import { JoinWithAccount } from './join-with-account.tsx';
import { isAboutAccount, keepInvitation, readInvitation } from './kept-invitation.ts';

/** Where the link of an invitation leads: who invites to what, and the form that makes the account, or the account that there is. */
export function InvitationPage() {
  const [token] = useState(() => new URLSearchParams(location.search).get('token') ?? readInvitation());
  const [invitation, setInvitation] = useState<InvitationData>();
  const [failure, setFailure] = useState<string>();
  const [readings, setReadings] = useState(0);
  useEffect(() => {
    postInvitationLink(token).then(setInvitation, (error: unknown) =>
      setFailure(authErrorMessage(error, 'common.error.internal')),
    );
  }, [token, readings]);
  const readAnew = () => setReadings((count) => count + 1);
  if (failure)
    return (
      <AuthResult icon={<MailX />} tone="danger" title={t('auth.invitation.failedTitle')} text={failure} />
    );
  if (!invitation)
    return (
      <AuthFrame title={t('auth.invitation.title')}>
        <p role="status" className="text-muted">
          {t('common.loading')}
        </p>
      </AuthFrame>
    );
  const { account, email } = invitation;
  if (account === 'new')
    return <AcceptForm token={token} invitation={invitation} onAccountFound={readAnew} />;
  return (
    <JoinWithAccount
      token={token}
      email={email}
      account={account}
      purpose={purposeOf(invitation)}
      onSignIn={() => keepInvitation(token)}
      onChange={readAnew}
    />
  );
}

function purposeOf({ role, workspaceName, invitedByName }: InvitationData): string {
  return t('auth.invitation.purpose', {
    name: invitedByName,
    workspace: workspaceName,
    role: t(`auth.role.${role}`),
  });
}

const emptyForm = { firstName: '', lastName: '', phoneNumber: '', password: '', confirmPassword: '' };
type Name = keyof typeof emptyForm;

function AcceptForm({
  token,
  invitation,
  onAccountFound,
}: {
  token: string;
  invitation: InvitationData;
  /** Somebody made one since the page was opened. */
  onAccountFound: () => void;
}) {
  const { email, role } = invitation;
  const [form, setForm] = useState(emptyForm);
  const [errors, setErrors] = useState<Partial<Record<string, string>>>({});
  const [failure, setFailure] = useState<string>();
  const [isSending, setSending] = useState(false);

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const problems = Object.entries(checkSignUp({ ...form, email, role }));
    setErrors(Object.fromEntries(problems.map(([field, problem]) => [field, t(`auth.problem.${problem}`)])));
    const [firstWrong] = problems[0] ?? [];
    if (firstWrong) {
      event.currentTarget.querySelector<HTMLInputElement>(`[name="${firstWrong}"]`)?.focus();
      return;
    }
    setSending(true);
    try {
      await acceptInvitation({ ...form, token });
      goTo(paths.dashboard, { replace: true });
    } catch (error) {
      if (isAboutAccount(error)) return onAccountFound();
      const fields = fieldErrorMessages(error);
      setErrors(fields);
      if (Object.keys(fields).length === 0) setFailure(authErrorMessage(error, 'auth.invitation.failed'));
    } finally {
      setSending(false);
    }
  }

  /** The wiring that every field of the form shares. */
  const text = (name: Name, autoComplete: string) => ({
    name,
    autoComplete,
    className: 'h-10',
    value: form[name],
    onChange: (event: { target: { value: string } }) => {
      setForm({ ...form, [name]: event.target.value });
      setErrors({ ...errors, [name]: undefined });
      setFailure(undefined);
    },
  });

  return (
    <AuthFrame title={t('auth.invitation.title')} purpose={purposeOf(invitation)}>
      <form method="dialog" onSubmit={(event) => void submit(event)} noValidate>
        <FormFailure>{failure}</FormFailure>
        <div className="flex flex-col gap-4">
          <Field label={t('auth.field.email')} hint={t('auth.invitation.emailHint')}>
            <Input
              type="email"
              name="email"
              autoComplete="username"
              className="h-10"
              value={email}
              readOnly
            />
          </Field>
          <NameFields text={text} errors={errors} />
          <PhoneField text={text} errors={errors} />
          <NewPasswordFields text={text} errors={errors} />
          <Button type="submit" variant="primary" className="mt-1 h-10 w-full" loading={isSending}>
            {t('auth.invitation.submit')}
          </Button>
        </div>
      </form>
    </AuthFrame>
  );
}
