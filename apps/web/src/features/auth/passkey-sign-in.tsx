import { Fingerprint } from 'lucide-react';
import { useEffect, useState } from 'react';
import { t } from '../../shared/messages.ts';
import { signInWithPasskey } from '../../shared/sign-in/sign-in.ts';
import { Button } from '../../ui/button.tsx';
import { authErrorMessage } from './auth-error-message.ts';

/** In place of the password, where the browser has passkeys at all: they need https, or this machine alone. */
export function PasskeySignIn({
  rememberMe,
  onDone,
  onFailure,
}: {
  rememberMe: boolean;
  onDone: () => void;
  onFailure: (text: string | undefined) => void;
}) {
  const [isOffered, setOffered] = useState(false);
  const [isAsking, setAsking] = useState(false);
  // Not in the page as it is drawn while building: only the browser knows.
  useEffect(() => setOffered('parseRequestOptionsFromJSON' in (globalThis.PublicKeyCredential ?? {})), []);

  async function ask() {
    onFailure(undefined);
    setAsking(true);
    try {
      if (await signInWithPasskey(rememberMe)) return onDone();
    } catch (error) {
      onFailure(authErrorMessage(error, 'auth.failure.signIn'));
    }
    setAsking(false);
  }

  return isOffered ? (
    <Button
      icon={<Fingerprint aria-hidden />}
      className="h-10 w-full"
      loading={isAsking}
      onClick={() => void ask()}
    >
      {t('auth.passkey.signIn')}
    </Button>
  ) : null;
}
