import { EMAIL_UNDO_DAYS } from '@app/domain/auth/email-change';
import type { ApiDependencies } from '../platform/request-context.ts';

/** Mailed links, second steps and challenges that nobody took in their time; strangers can ask for some of them. */
export async function clearPastReauthentications({
  db,
  clock,
}: Pick<ApiDependencies, 'db' | 'clock'>): Promise<void> {
  await db.systemPool.query('DELETE FROM verifications WHERE expires_at < $1', [clock()]);
  // What the former address can no longer take back.
  const past = new Date(clock().getTime() - (EMAIL_UNDO_DAYS + 1) * 24 * 3_600_000);
  await db.systemPool.query('DELETE FROM email_changes WHERE coalesce(confirmed_at, asked_at) < $1', [past]);
}
