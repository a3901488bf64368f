import { CircleAlert, CircleCheck } from 'lucide-react';
import { useEffect } from 'react';
import { t } from '../../shared/messages.ts';
import { SignInFailure } from '../../shared/sign-in/sign-in-calls.ts';
import { authErrorMessage } from './auth-error-message.ts';
import { AuthResult } from './auth-result.tsx';

/** What the window shows in which somebody proved anew who they are; it closes itself where browsers let it. */
export function ReauthenticationResult({ code }: { code: string }) {
  const isDone = code === 'done';
  useEffect(() => {
    if (isDone) window.close();
  }, [isDone]);
  return isDone ? (
    <AuthResult
      icon={<CircleCheck />}
      title={t('auth.company.provenTitle')}
      text={t('auth.company.provenText')}
      hasWayBack={false}
    />
  ) : (
    <AuthResult
      icon={<CircleAlert />}
      tone="danger"
      title={t('auth.company.notProvenTitle')}
      text={authErrorMessage(new SignInFailure(code), 'auth.failure.company_sign_in_refused')}
      hasWayBack={false}
    />
  );
}
