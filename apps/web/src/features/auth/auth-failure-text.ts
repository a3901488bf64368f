import { t } from '../../shared/messages.ts';
import type { MessageKey } from '../../shared/messages.ts';
import { SignInFailure } from '../../shared/sign-in-calls.ts';

const sentences: Record<string, MessageKey> = {
  invalid_credentials: 'auth.failure.invalid_credentials',
  account_inactive: 'auth.failure.account_inactive',
  sample_locked: 'auth.failure.sample_locked',
  email_taken: 'auth.failure.email_taken',
  reset_link_invalid: 'auth.failure.reset_link_invalid',
  account_locked: 'auth.failure.account_locked',
  too_many_attempts: 'auth.failure.too_many_attempts',
  busy: 'auth.failure.busy',
  offline: 'auth.failure.offline',
};

/** The sentence for a refusal of `/api/auth/*`; `fallback` when there is none of its own. */
export function authFailureText(error: unknown, fallback: MessageKey): string {
  if (!(error instanceof SignInFailure)) return t(fallback);
  const minutes = Math.max(1, Math.ceil(error.retryAfterSeconds / 60));
  return t(sentences[error.code] ?? fallback, { minutes });
}
