import { createHash, randomBytes } from 'node:crypto';
import type { Database } from '@app/database/database';
import { newId } from '@app/database/new-id';
import type { InterfaceLanguage } from '@app/domain/text/interface-language';
import { changeAcrossWorkspaces, type SystemParts } from '../../platform/system-work.ts';

const LINK_SECONDS = 24 * 3600;

/** A token that confirms the address of an account, with its owner's language; null where nothing waits for that. */
export async function createAddressLink(
  db: Database,
  email: string,
  now: Date,
): Promise<{ token: string; language: InterfaceLanguage | null } | null> {
  const token = randomBytes(24).toString('base64url');
  const { rows } = await db.systemPool.query<{ language: InterfaceLanguage | null }>(
    `WITH owner AS (SELECT id, language FROM users WHERE email = $5 AND NOT email_verified), kept AS (
       INSERT INTO verifications (id, identifier, value, expires_at, created_at, updated_at)
       SELECT $1, $2, id::text, $3, $4, $4 FROM owner)
     SELECT language FROM owner`,
    [newId(), identify(token), new Date(now.getTime() + LINK_SECONDS * 1000), now, email],
  );
  return rows[0] ? { token, language: rows[0].language } : null;
}

/** Whether the link was good; whoever reads the mail of an address owns it. */
export async function takeAddressLink(parts: SystemParts, token: string): Promise<boolean> {
  return changeAcrossWorkspaces(parts, 'sign-in', async ({ client, scopeOf }) => {
    const { rows } = await client.query<{ id: string; workspace_id: string | null }>(
      `WITH taken AS (DELETE FROM verifications WHERE identifier = $1 AND expires_at > $2 RETURNING value)
       UPDATE users u SET email_verified = true, updated_at = $2 FROM taken WHERE u.id = taken.value::uuid
       RETURNING u.id, (SELECT m.workspace_id FROM memberships m WHERE m.user_id = u.id ORDER BY m.created_at LIMIT 1) AS workspace_id`,
      [identify(token), parts.clock()],
    );
    const [person] = rows;
    if (person?.workspace_id)
      await scopeOf(person.workspace_id).tell({
        ...{ type: 'account.email_verified', subject: person.id },
        values: {},
      });
    return person !== undefined;
  });
}

function identify(token: string): string {
  return createHash('sha256').update(`confirm address ${token}`).digest('base64url');
}
