import type { SqlQueries } from '@app/database/sql-queries';
import { QueryError } from '@app/database/query-error';
import { EMAIL_UNDO_DAYS } from '@app/domain/auth/email-change';
import { deleteIdentitiesSince } from '../../company-sign-in/company-identities.ts';
import { removePasskeysSince } from '../../passkeys/passkeys-queries.ts';
import { changeAcrossWorkspaces, emitEverywhere } from '../../platform/system-work.ts';
import { trustNoDevice } from '../../two-factor/trusted-devices.ts';
import type { AuthParts } from '../auth-parts.ts';
import { AuthError } from '../auth-response.ts';
import { readLinkToken } from '../link-token.ts';
import { endAllSessions } from '../sessions/end-all-sessions.ts';
import { emailNotice } from './email-change-mails.ts';

type Change = {
  id: string;
  user_id: string;
  from_email: string;
  to_email: string;
  asked_at: Date;
  expires_at: Date;
  confirmed_at: Date | null;
  ended_at: Date | null;
  present_email: string;
  /** In a workspace of theirs. */
  is_active: boolean;
};

/**
 * From now on the person signs in with the new address. Sessions, passkeys and the second factor stay; mailed links of before end, and the former
 * address hears of it. Of two people who take one address at the same time one is refused.
 * @throws {AuthError}
 */
export async function confirmEmail(parts: AuthParts, token: string): Promise<{ email: string }> {
  const now = parts.clock();
  return changeAcrossWorkspaces(parts, 'sign-in', async ({ client, scopeOf }) => {
    const change = await lockChange(client, readLinkToken(parts.secrets, 'email change', token));
    const isGood =
      change &&
      change.is_active &&
      change.confirmed_at === null &&
      change.ended_at === null &&
      change.expires_at > now &&
      change.present_email === change.from_email;
    if (!isGood) throw new AuthError('email_link_invalid');
    await setEmail(client, change.user_id, change.to_email, now);
    await client.query('UPDATE email_changes SET confirmed_at = $2 WHERE id = $1', [change.id, now]);
    await client.query('DELETE FROM verifications WHERE value = $1', [change.user_id]);
    await emitEverywhere(client, scopeOf, {
      type: 'account.email_changed',
      subject: change.user_id,
      values: {},
    });
    await parts.jobs.enqueue(client, emailNotice, change.id, { changeId: change.id });
    return { email: change.to_email };
  }).catch(refuseTaken);
}

/**
 * Gives the account back to the address that it had before, whatever was changed since, and ends every session, and every passkey and connection to
 * the company's provider that was made since: whoever did that may be signed in. API keys made since follow the fact.
 * @throws {AuthError}
 */
export async function undoEmailChange(parts: AuthParts, token: string): Promise<{ email: string }> {
  const now = parts.clock();
  return changeAcrossWorkspaces(parts, 'sign-in', async ({ client, scopeOf }) => {
    const change = await lockChange(client, readLinkToken(parts.secrets, 'undo of email change', token));
    const since = now.getTime() - (change?.confirmed_at?.getTime() ?? 0);
    if (!change || change.ended_at !== null || since > EMAIL_UNDO_DAYS * 24 * 3_600_000)
      throw new AuthError('email_link_invalid');
    const { user_id: userId, from_email: email } = change;
    await setEmail(client, userId, email, now);
    // Later changes go with this one: their links would lead back to where it led.
    await client.query(
      'UPDATE email_changes SET ended_at = $3 WHERE user_id = $1 AND asked_at >= $2 AND ended_at IS NULL',
      [userId, change.asked_at, now],
    );
    await client.query('DELETE FROM verifications WHERE value = $1', [userId]);
    await deleteIdentitiesSince(client, userId, change.asked_at);
    const passkeys = await removePasskeysSince(client, userId, change.asked_at);
    await trustNoDevice(client, userId);
    await endAllSessions(client, { userId, butOne: null, now });
    await emitEverywhere(client, scopeOf, {
      ...{ type: 'account.email_change_undone', subject: userId },
      values: { since: change.asked_at.toISOString() },
    });
    for (const name of passkeys)
      await emitEverywhere(client, scopeOf, {
        ...{ type: 'account.passkey_removed', subject: userId },
        values: { name },
      });
    return { email };
  }).catch(refuseTaken);
}

/** The person first, as everything that changes how somebody signs in locks them; then the change as it is behind that. */
async function lockChange(client: SqlQueries, id: string | null): Promise<Change | null> {
  if (id === null) return null;
  await client.query(
    'SELECT FROM users WHERE id = (SELECT user_id FROM email_changes WHERE id = $1) FOR UPDATE',
    [id],
  );
  const { rows } = await client.query<Change>(
    `SELECT c.*, u.email AS present_email, EXISTS (SELECT FROM memberships m WHERE m.user_id = u.id AND m.is_active) AS is_active
       FROM email_changes c JOIN users u ON u.id = c.user_id
      WHERE c.id = $1`,
    [id],
  );
  return rows[0] ?? null;
}

async function setEmail(client: SqlQueries, userId: string, email: string, now: Date): Promise<void> {
  await client.query('UPDATE users SET email = $2, email_verified = true, updated_at = $3 WHERE id = $1', [
    userId,
    email,
    now,
  ]);
}

/** Somebody else has the address by now. */
function refuseTaken(error: unknown): never {
  const isTaken =
    error instanceof QueryError && error.code === '23505' && error.constraint === 'users_email_key';
  throw isTaken ? new AuthError('email_taken') : error;
}
