import type { Database } from '@app/database/database';
import type { SqlQueries } from '@app/database/sql-queries';
import type { NewFact } from '@app/domain/events/fact-catalogue';
import { changeAcrossWorkspaces, emitEverywhere, type SystemParts } from '../../platform/system-work.ts';
import { removeLink } from '../../company-sign-in/company-identities.ts';
import { removeAllPasskeys } from '../../passkeys/passkeys-queries.ts';
import { trustNoDevice } from '../../two-factor/trusted-devices.ts';
import { endEmailChange } from '../email-change/ask-for-email.ts';
import { createMailLink, identifyLink, type MailLink } from '../mail-links.ts';
import { endAllSessions } from '../sessions/end-all-sessions.ts';
import { deleteFailures } from '../sign-in-failures.ts';

export const RESET_LINK_SECONDS = 60 * 60;

/** For an account that has a password. */
const resetLink: MailLink = {
  purpose: 'reset-password',
  seconds: RESET_LINK_SECONDS,
  where: `EXISTS (SELECT FROM accounts a WHERE a.user_id = u.id AND a.provider_id = 'credential')`,
};

export const createResetLink = (db: Database, email: string, now: Date) =>
  createMailLink(db, resetLink, { email, now });

/** Whose link it is: the id of a person; null when it is not good any more. */
export async function findOwnerOfLink(client: SqlQueries, token: string, now: Date): Promise<string | null> {
  const { rows } = await client.query<{ value: string }>(
    'SELECT value FROM verifications WHERE identifier = $1 AND expires_at > $2',
    [identify(token), now],
  );
  return rows[0]?.value ?? null;
}

/**
 * Sets the password of the link's account; its sessions, its lock-outs and every link on its way to it end in the same
 * transaction. Null when the link is not good any more: of two links used at once, one wins.
 */
export async function takeResetLink(
  parts: SystemParts,
  {
    token,
    passwordHash,
    removesPasskeys,
    disconnects,
  }: {
    token: string;
    passwordHash: string;
    removesPasskeys: boolean;
    /** The company's provider that opens the account no more. */
    disconnects: { issuer: string; name: string } | null;
  },
): Promise<{ email: string } | null> {
  const now = parts.clock();
  return changeAcrossWorkspaces(parts, 'sign-in', async ({ client, scopeOf }) => {
    const { rows } = await client.query<{ id: string; email: string }>(
      `SELECT id, email FROM users WHERE id = (
         SELECT value::uuid FROM verifications WHERE identifier = $1) FOR UPDATE`,
      [identify(token)],
    );
    const [person] = rows;
    if (!person) return null;
    const taken = await client.query('DELETE FROM verifications WHERE identifier = $1 AND expires_at > $2', [
      identify(token),
      now,
    ]);
    if (taken.rowCount !== 1) return null;
    await client.query('DELETE FROM verifications WHERE value = $1', [person.id]);
    await client.query(
      `UPDATE accounts SET password = $2, updated_at = $3 WHERE user_id = $1 AND provider_id = 'credential'`,
      [person.id, passwordHash, now],
    );
    // Whoever reads the mail of an address owns it; a second factor is asked for in every browser again.
    await client.query('UPDATE users SET email_verified = true WHERE id = $1', [person.id]);
    await endEmailChange(client, person.id, now);
    await trustNoDevice(client, person.id);
    await endAllSessions(client, { userId: person.id, butOne: null, now });
    const removed = removesPasskeys ? await removeAllPasskeys(client, person.id) : [];
    const isDisconnected = disconnects && (await removeLink(client, disconnects.issuer, person.id));
    await deleteFailures(client, person.email);
    const emit = (fact: NewFact) => emitEverywhere(client, scopeOf, fact);
    await emit({ type: 'user.password_reset', subject: person.id, values: {} });
    for (const name of removed)
      await emit({ type: 'account.passkey_removed', subject: person.id, values: { name } });
    if (isDisconnected)
      await emit({
        ...{ type: 'account.company_unlinked', subject: person.id },
        values: { provider: disconnects.name },
      });
    return { email: person.email };
  });
}

function identify(token: string): string {
  return identifyLink(resetLink.purpose, token);
}
