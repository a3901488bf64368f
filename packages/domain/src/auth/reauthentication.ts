/** How somebody signed in. */
export const signInMethods = ['password', 'passkey', 'company'] as const;
export type SignInMethod = (typeof signInMethods)[number];

/** For so long after a proof people do what is dangerous without another one, in minutes. */
export const REAUTHENTICATION_MINUTES = 15;

/** Whether somebody proved who they are recently enough for what is dangerous. */
export function isReauthenticationRecent(provenAt: Date | null, now: Date): boolean {
  return provenAt !== null && now.getTime() - provenAt.getTime() < REAUTHENTICATION_MINUTES * 60_000;
}

/**
 * Whether a session may do nothing yet but set up a second factor: its workspace asks for one, and the password alone opened it.
 * A passkey is two factors in itself, and the company's provider has its own rules.
 */
export function mustSetUpSecondFactor(session: {
  isRequired: boolean;
  hasSecondFactor: boolean;
  method: SignInMethod;
}): boolean {
  return session.isRequired && !session.hasSecondFactor && session.method === 'password';
}
