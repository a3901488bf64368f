import { CircleAlert, CircleCheck, MailCheck } from 'lucide-react';
import { useEffect } from 'react';
import { t } from '../../shared/messages.ts';
import { SignInFailure } from '../../shared/sign-in/sign-in-calls.ts';
import { authErrorMessage } from './auth-error-message.ts';
import { AuthResult } from './auth-result.tsx';

export { CodeStep } from './code-step.tsx';

/** Shown after a sign-in with the company: the account waits for its address or for an administrator. */
export function PendingResult({
  mustConfirmAddress,
  companyName,
}: {
  mustConfirmAddress: boolean;
  companyName: string | undefined;
}) {
  return (
    <AuthResult
      icon={<MailCheck />}
      title={t('auth.signUp.pendingTitle')}
      text={
        mustConfirmAddress
          ? t('auth.company.confirmText')
          : t('auth.company.pendingText', { name: companyName ?? t('auth.company.yours') })
      }
    />
  );
}

/** What the window shows in which a user signed in again before a protected change; it closes itself where browsers let it. */
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
