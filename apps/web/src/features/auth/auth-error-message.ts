import type { FailureCode } from '../../shared/api-client.ts';
import { findText, t } from '../../shared/messages.ts';
import type { MessageKey } from '../../shared/messages.ts';
import { SignInFailure } from '../../shared/sign-in/sign-in-calls.ts';

const sentences: Record<string, MessageKey> = {
  invalid_credentials: 'auth.failure.invalid_credentials',
  account_inactive: 'auth.failure.account_inactive',
  sample_locked: 'auth.failure.sample_locked',
  email_taken: 'auth.failure.email_taken',
  invitation_invalid: 'auth.failure.invitation_invalid',
  sample_account: 'auth.failure.sample_account',
  reset_link_invalid: 'auth.failure.reset_link_invalid',
  account_locked: 'auth.failure.account_locked',
  sign_in_slowed: 'auth.failure.sign_in_slowed',
  too_many_attempts: 'auth.failure.too_many_attempts',
  code_wrong: 'auth.failure.code_wrong',
  two_factor_locked: 'auth.failure.two_factor_locked',
  passkey_refused: 'auth.failure.passkey_refused',
  company_sign_in_refused: 'auth.failure.company_sign_in_refused',
  company_sign_in_away: 'auth.failure.company_sign_in_away',
  company_sign_in_unlinked: 'auth.failure.company_sign_in_unlinked',
  company_email_missing: 'auth.failure.company_email_missing',
  sign_in_expired: 'auth.failure.sign_in_expired',
  email_unverified: 'auth.failure.email_unverified',
  address_link_invalid: 'auth.failure.address_link_invalid',
  email_link_invalid: 'auth.failure.email_link_invalid',
  server_busy: 'auth.failure.busy',
  offline: 'auth.failure.offline',
} satisfies Partial<Record<FailureCode, MessageKey>>;

/** The sentence for a refusal of `/api/auth/*`; `fallback` when there is none of its own. */
export function authErrorMessage(error: unknown, fallback: MessageKey): string {
  if (!(error instanceof SignInFailure)) return t(fallback);
  const minutes = Math.max(1, Math.ceil(error.retryAfterSeconds / 60));
  const seconds = Math.max(1, error.retryAfterSeconds);
  return t(sentences[error.code] ?? fallback, { minutes, seconds });
}

/** The sentence at each field that the server refused; a problem that the form does not know has none. */
export function fieldErrorMessages(error: unknown): Record<string, string> {
  if (!(error instanceof SignInFailure)) return {};
  const texts = Object.entries(error.problems).map(([field, problem]) => [
    field,
    findText(`auth.problem.${problem}`),
  ]);
  return Object.fromEntries(texts.filter(([, text]) => text !== undefined));
}
