import { MailCheck } from 'lucide-react';
import { t } from '../../shared/messages.ts';
import { AuthResult } from './auth-result.tsx';

export { CodeStep } from './code-step.tsx';
export { ReauthenticationResult } from './reauthentication-result.tsx';

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
