import { useState } from 'react';
import { t } from '../../shared/messages.ts';
import { paths } from '../../shared/paths.ts';
import { goTo } from '../../shared/sign-in/public-navigation.ts';
import { joinWithAccount, signOutHere } from '../../shared/sign-in/sign-in.ts';
import { Button } from '../../ui/button.tsx';
import { authErrorMessage } from './auth-error-message.ts';
import { AuthFrame, FormFailure } from './auth-frame.tsx';
import { clearInvitation, isAboutAccount } from './kept-invitation.ts';
import { keepTypedEmail } from './typed-email.ts';

const words = {
  own: { text: 'auth.invitation.ownText', act: 'auth.invitation.submit' },
  'signed-out': { text: 'auth.invitation.signInText', act: 'auth.invitation.signIn' },
  other: { text: 'auth.invitation.otherText', act: 'auth.invitation.signOut' },
} as const;

/** An invitation to somebody who has an account: they join with it as it is, once they are signed in with that one. */
export function JoinWithAccount({
  token,
  email,
  account,
  purpose,
  onSignIn,
  onChange,
}: {
  token: string;
  email: string;
  account: keyof typeof words;
  purpose: string;
  /** Called before the page makes room for the sign-in. */
  onSignIn: () => void;
  /** Who is signed in is another one than the page shows. */
  onChange: () => void;
}) {
  const [failure, setFailure] = useState<string>();
  const [isSending, setSending] = useState(false);

  async function act() {
    if (account === 'signed-out') {
      onSignIn();
      keepTypedEmail(email);
      return goTo(`${paths.login}?redirect=${encodeURIComponent(paths.invitation)}`);
    }
    setSending(true);
    setFailure(undefined);
    try {
      if (account === 'own') {
        const workspaceId = await joinWithAccount(token);
        clearInvitation();
        return goTo(`${paths.dashboard}?workspace=${workspaceId}`, { replace: true });
      }
      await signOutHere();
      onChange();
    } catch (error) {
      if (isAboutAccount(error)) onChange();
      else
        setFailure(
          authErrorMessage(
            error,
            account === 'own' ? 'auth.invitation.failed' : 'auth.invitation.signOutFailed',
          ),
        );
    }
    setSending(false);
  }

  return (
    <AuthFrame title={t('auth.invitation.title')} purpose={purpose}>
      <FormFailure>{failure}</FormFailure>
      <p className="mb-4 break-words">{t(words[account].text, { email })}</p>
      <Button
        variant={account === 'other' ? 'secondary' : 'primary'}
        className="h-10 w-full"
        loading={isSending}
        onClick={() => void act()}
      >
        {t(words[account].act)}
      </Button>
    </AuthFrame>
  );
}
