import { Suspense, type ReactNode } from 'react';
import { loadMessages, t } from '../../shared/messages.ts';
import { lazyPart } from '../../ui/load-file.ts';
import { AuthFrame } from './auth-frame.tsx';
import type * as steps from './login-steps.tsx';

export const CodeStep = lazyPart(async () => (await loadSteps()).CodeStep);
export const PendingResult = lazyPart(async () => (await loadSteps()).PendingResult);
export const ReauthenticationResult = lazyPart(async () => (await loadSteps()).ReauthenticationResult);

/** Most people sign in with one form, so what may follow it comes in a file and a catalogue of its own. */
async function loadSteps(): Promise<typeof steps> {
  const [loaded] = await Promise.all([import('./login-steps.tsx'), loadMessages('account-access')]);
  return loaded;
}

/** The frame of the sign-in stands while the step loads. */
export function LoginStep({ children }: { children: ReactNode }) {
  return (
    <Suspense
      fallback={
        <AuthFrame title={t('auth.signIn.title')}>
          <p role="status" className="text-muted">
            {t('common.loading')}
          </p>
        </AuthFrame>
      }
    >
      {children}
    </Suspense>
  );
}
