import { useEffect, useState } from 'react';
import { goTo } from '../../shared/sign-in/public-navigation.ts';
import { findSession } from '../../shared/sign-in/sign-in.ts';
import { fetchSignInHints } from '../../shared/sign-in/sign-in-calls.ts';
import type { SignInHints } from '../../shared/sign-in/sign-in-calls.ts';

/** What the page may show beside the form; undefined until known, and while the server is away. */
export function useSignInHints(): SignInHints | undefined {
  const [hints, setHints] = useState<SignInHints>();
  useEffect(() => {
    fetchSignInHints().then(setHints, () => undefined);
  }, []);
  return hints;
}

/** Whoever is signed in already does not need the form; not while they are signing in as somebody, perhaps else. */
export function useSignedInRedirect(target: string, isWaiting = false): void {
  useEffect(() => {
    if (isWaiting) return;
    let isHere = true;
    findSession().then(
      (session) => {
        if (isHere && session) goTo(target, { replace: true });
      },
      () => undefined,
    );
    return () => {
      isHere = false;
    };
  }, [target, isWaiting]);
}
