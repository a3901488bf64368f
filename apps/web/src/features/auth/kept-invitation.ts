import { SignInFailure } from '../../shared/sign-in/sign-in-calls.ts';

const KEPT = 'invitation';

/** Keeps the link in this tab, while its reader signs in. Where storage is off they open the mail once more. */
export function keepInvitation(token: string): void {
  try {
    sessionStorage.setItem(KEPT, token);
  } catch {
    // As said above.
  }
}

/** The link that was kept; empty without one, which is no invitation. */
export function readInvitation(): string {
  try {
    return sessionStorage.getItem(KEPT) ?? '';
  } catch {
    return '';
  }
}

export function clearInvitation(): void {
  try {
    sessionStorage.removeItem(KEPT);
  } catch {
    // Then nothing was kept.
  }
}

/** Whether the invitation asks for another sign-in than there is now: the page shows which. */
export function isAboutAccount(error: unknown): boolean {
  return (
    error instanceof SignInFailure && ['invitation_signed_out', 'invitation_of_other'].includes(error.code)
  );
}
