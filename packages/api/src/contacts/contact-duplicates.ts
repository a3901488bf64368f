import type { duplicateGroup } from '@app/contracts/contacts/contact-merges-contract';
import { mergeLimits } from '@app/domain/contacts/merge-rules';
import type pg from 'pg';
import type { z } from 'zod';
import { cutPage, readCursor } from '../platform/keyset.ts';
import { contactColumns, presentContact, type ContactRow } from './contacts-queries.ts';

type DuplicateGroup = z.infer<typeof duplicateGroup>;
type Found = { kind: DuplicateGroup['kind']; key: string; total: number };

const NO_ID = '00000000-0000-0000-0000-000000000000';

/**
 * Possible duplicates, page by page: first numbers in two spellings, then e-mail addresses. Each page is read from an index
 * on, so that a million contacts cost no more than a thousand.
 */
export async function listDuplicates(
  client: pg.PoolClient,
  workspaceId: string,
  { limit, cursor }: { limit: number; cursor: string | undefined },
): Promise<{ items: DuplicateGroup[]; nextCursor: string | null }> {
  const [kind, after = ''] = splitPlace(readCursor(cursor)?.key);
  const found = kind === 'email' ? [] : await findPhones(client, workspaceId, after, limit + 1);
  if (found.length <= limit) {
    const afterEmail = kind === 'email' ? after : '';
    found.push(...(await findEmails(client, workspaceId, afterEmail, limit + 1 - found.length)));
  }
  const { items, nextCursor } = cutPage(found, limit, (group) => ({
    key: `${group.kind}:${group.key}`,
    id: NO_ID,
  }));
  return { items: await addContacts(client, workspaceId, items), nextCursor };
}

function splitPlace(place = ''): [kind: string, after?: string] {
  const colon = place.indexOf(':');
  return colon < 0 ? [''] : [place.slice(0, colon), place.slice(colon + 1)];
}

/** Numbers are unique, so of two spellings one is written out of the ordinary, and only those are in the index. */
async function findPhones(client: pg.PoolClient, workspaceId: string, after: string, limit: number) {
  const { rows } = await client.query<{ key: string }>(
    `SELECT phone_key(v.phone) AS key FROM contacts v
      WHERE v.workspace_id = $1 AND phone_key(v.phone) <> v.phone AND phone_key(v.phone) > $2
        AND EXISTS (SELECT FROM contacts k WHERE k.workspace_id = v.workspace_id AND k.phone = phone_key(v.phone))
      ORDER BY phone_key(v.phone) LIMIT $3`,
    [workspaceId, after, limit],
  );
  return rows.map(({ key }): Found => ({ kind: 'phone', key, total: 2 }));
}

async function findEmails(client: pg.PoolClient, workspaceId: string, after: string, limit: number) {
  const { rows } = await client.query<{ key: string; total: number }>(
    `SELECT lower(email) AS key, count(*)::int AS total FROM contacts
      WHERE workspace_id = $1 AND email IS NOT NULL AND lower(email) > $2
      GROUP BY lower(email) HAVING count(*) > 1 ORDER BY lower(email) LIMIT $3`,
    [workspaceId, after, limit],
  );
  return rows.map((row): Found => ({ kind: 'email', ...row }));
}

async function addContacts(
  client: pg.PoolClient,
  workspaceId: string,
  groups: readonly Found[],
): Promise<DuplicateGroup[]> {
  const filled: DuplicateGroup[] = [];
  for (const { kind, key, total } of groups) {
    const same =
      kind === 'email'
        ? 'email IS NOT NULL AND lower(email) = $2'
        : '(phone = $2 OR (phone_key(phone) = $2 AND phone_key(phone) <> phone))';
    const { rows } = await client.query<ContactRow>(
      `SELECT ${contactColumns} FROM contacts WHERE workspace_id = $1 AND ${same}
        ORDER BY created_at, id LIMIT ${mergeLimits.contacts}`,
      [workspaceId, key],
    );
    filled.push({ kind, key, total, contacts: rows.map(presentContact) });
  }
  return filled;
}
