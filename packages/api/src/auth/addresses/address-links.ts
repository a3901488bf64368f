import type { Database } from '@app/database/database';
import { changeAcrossWorkspaces, type SystemParts } from '../../platform/system-work.ts';
import { createMailLink, identifyLink, type MailLink } from '../mail-links.ts';

/** Confirms the address of an account, where something waits for that. */
const addressLink: MailLink = {
  purpose: 'confirm address',
  seconds: 24 * 3600,
  where: 'NOT email_verified',
};

export const createAddressLink = (db: Database, email: string, now: Date) =>
  createMailLink(db, addressLink, { email, now });

/** Whether the link was good; whoever reads the mail of an address owns it. */
export async function takeAddressLink(parts: SystemParts, token: string): Promise<boolean> {
  return changeAcrossWorkspaces(parts, 'sign-in', async ({ client, scopeOf }) => {
    const { rows } = await client.query<{ id: string; workspace_id: string | null }>(
      `WITH taken AS (DELETE FROM verifications WHERE identifier = $1 AND expires_at > $2 RETURNING value)
       UPDATE users u SET email_verified = true, updated_at = $2 FROM taken WHERE u.id = taken.value::uuid
       RETURNING u.id, (SELECT m.workspace_id FROM memberships m WHERE m.user_id = u.id ORDER BY m.created_at LIMIT 1) AS workspace_id`,
      [identifyLink(addressLink.purpose, token), parts.clock()],
    );
    const [person] = rows;
    if (person?.workspace_id)
      await scopeOf(person.workspace_id).emit({
        ...{ type: 'account.email_verified', subject: person.id },
        values: {},
      });
    return person !== undefined;
  });
}
