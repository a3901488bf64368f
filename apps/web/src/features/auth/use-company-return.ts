import { useEffect, useState } from 'react';
import { signInByCompany } from '../../shared/sign-in/sign-in.ts';
import type { CompanyOutcome } from '../../shared/sign-in/sign-in.ts';
import { authErrorMessage } from './auth-error-message.ts';

/**
 * Takes what came of a way to the company's provider whose end led here; `undefined` where none did. Its name leaves the address bar
 * at once: it counts only once.
 */
export function useCompanyReturn({
  onOutcome,
  onFailure,
}: {
  onOutcome: (outcome: CompanyOutcome) => void;
  onFailure: (text: string) => void;
}): boolean {
  const [attempt, setAttempt] = useState(() => new URLSearchParams(location.search).get('company'));
  useEffect(() => {
    if (attempt === null) return;
    const url = new URL(location.href);
    url.searchParams.delete('company');
    history.replaceState(null, '', url);
    signInByCompany(attempt).then(onOutcome, (error: unknown) => {
      onFailure(authErrorMessage(error, 'auth.failure.signIn'));
      setAttempt(null);
    });
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- once for each visit: what came of it is taken once
  }, []);
  return attempt !== null;
}
