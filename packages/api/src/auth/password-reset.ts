import { APIError } from 'better-auth/api';
import { checkEmail, checkPassword, normaliseEmail } from '@app/domain/auth/sign-up-rules';
import { publishToWorkspace } from './announce-sign-in.ts';
import type { AuthParts, Caller } from './auth-parts.ts';
import { AuthRefusal } from './auth-response.ts';
import { forgetFailures } from './sign-in-failures.ts';
import { refuseBadFields } from './sign-up.ts';

/** Answers the same, and as fast, whether or not the address has an account: the mail goes out behind it. */
export async function requestPasswordReset(
  parts: AuthParts,
  caller: Caller,
  form: { email: string },
): Promise<void> {
  const problem = checkEmail(form.email);
  if (problem) refuseBadFields({ email: problem });
  const email = normaliseEmail(form.email);
  for (const key of [`from ${caller.ipAddress}`, `to ${email}`]) {
    const limit = parts.resetLimit.begin(key);
    if (!limit.isAllowed)
      throw new AuthRefusal('too_many_attempts', { retryAfterSeconds: limit.retryAfterSeconds });
  }
  await parts.db.systemPool.query('DELETE FROM verifications WHERE expires_at < $1', [parts.clock()]);
  await parts.engine.api.requestPasswordReset({ body: { email } });
}

/** Takes a new password for the token of a mailed link and ends every session of the account. */
export async function resetPassword(
  parts: AuthParts,
  form: { token: string; password: string },
): Promise<void> {
  const problem = checkPassword(form.password);
  if (problem) refuseBadFields({ password: problem });
  try {
    await parts.hashing.run(() =>
      parts.engine.api.resetPassword({ body: { token: form.token, newPassword: form.password } }),
    );
  } catch (error) {
    if (error instanceof APIError && error.statusCode < 500) throw new AuthRefusal('reset_link_invalid');
    throw error;
  }
}

/** Whoever reads the mail of an address owns the account: its lock-out ends, and open streams close. */
export async function afterPasswordReset(
  parts: Pick<AuthParts, 'db' | 'liveEvents'>,
  user: { id: string; email: string },
): Promise<void> {
  await forgetFailures(parts.db, user.email);
  const { rows } = await parts.db.systemPool.query<{ workspace_id: string }>(
    'SELECT workspace_id FROM memberships WHERE user_id = $1',
    [user.id],
  );
  for (const { workspace_id: workspaceId } of rows) await publishToWorkspace(parts, workspaceId);
}
