import { endEmailChange } from '../auth/email-change/ask-for-email.ts';
import { endAllSessions } from '../auth/sessions/end-all-sessions.ts';
import type { OwnAccount } from '../platform/account/own-account.ts';
import { trustNoDevice } from '../two-factor/trusted-devices.ts';

/**
 * Sets a new password. Links to a reset, sign-ins that wait for a code and the browsers that need none end with it, in the same
 * transaction; so do the other sessions, if wanted. Returns how many sessions ended. Emits `account.password_changed`.
 */
export async function setPassword(
  { client, userId, emit, now }: OwnAccount,
  { passwordHash, sessionId, endsOthers }: { passwordHash: string; sessionId: string; endsOthers: boolean },
): Promise<number> {
  await client.query(
    `UPDATE accounts SET password = $2, updated_at = $3 WHERE user_id = $1 AND provider_id = 'credential'`,
    [userId, passwordHash, now],
  );
  await client.query('DELETE FROM verifications WHERE value = $1', [userId]);
  await endEmailChange(client, userId, now);
  await trustNoDevice(client, userId);
  await keepProof(client, sessionId, now);
  const sessions = endsOthers ? await endAllSessions(client, { userId, butOne: sessionId, now }) : 0;
  await emit({ type: 'account.password_changed', subject: userId, values: { sessions } });
  return sessions;
}

/** The person has just proved who they are. */
export async function keepProof(client: OwnAccount['client'], sessionId: string, now: Date): Promise<void> {
  await client.query('UPDATE sessions SET proven_at = $2 WHERE id = $1', [sessionId, now]);
}
