import type { duplicateGroup } from '@app/contracts/contact-merges/contact-merges-contract';
import { readEmailAddress } from '@app/domain/contacts/contact';
import { mergeLimits } from '@app/domain/contact-merges/merge-rules';
import type { z } from 'zod';
import { withoutDistinct } from './distinct-contacts.ts';
import type { ReadScope } from '../platform/workspace-scope.ts';
import { cutPage, readCursor, writeCursor } from '../platform/keyset.ts';
import { contactColumns, presentContact, type ContactRow } from '../contacts/contacts-queries.ts';

type DuplicateGroup = z.infer<typeof duplicateGroup>;
type Found = { kind: DuplicateGroup['kind']; place: string; total: number };

/** Of more people who share an address nobody says one by one who is who. */
const COMPARED = 200;
const NO_ID = '00000000-0000-0000-0000-000000000000';
/** How many addresses one page looks at, so that each answer is quick however rare duplicates are. */
const LOOKED_AT = 100_000;

/**
 * Possible duplicates, page by page: first numbers in two spellings, then e-mail addresses. A page goes through a part of an
 * index; it may find fewer groups than asked for, or none, and yet not be the last one.
 */
export async function listDuplicates(
  scope: ReadScope,
  { limit, cursor }: { limit: number; cursor: string | undefined },
): Promise<{ items: DuplicateGroup[]; nextCursor: string | null }> {
  const [kind, after] = splitPlace(readCursor(cursor)?.key ?? '');
  if (kind === 'email') return showPage(scope, await findEmails(scope, after, limit));
  const phones = await findPhones(scope, after, limit + 1);
  const { items, nextCursor } = cutPage(phones, limit, ({ place }) => ({ key: `phone:${place}`, id: NO_ID }));
  return {
    items: await addContacts(scope, items),
    nextCursor: nextCursor ?? writeCursor(`email:${LOWEST}`, NO_ID),
  };
}

const LOWEST = -(2n ** 63n);
const HIGHEST = 2n ** 63n - 1n;

function splitPlace(place: string): ['phone', string] | ['email', bigint] {
  if (/^email:-?\d{1,19}$/.test(place)) {
    const hash = BigInt(place.slice('email:'.length));
    if (hash >= LOWEST && hash <= HIGHEST) return ['email', hash];
  }
  return ['phone', place.startsWith('phone:') ? place.slice('phone:'.length) : ''];
}

/**
 * Numbers are unique, so of two spellings one is written out of the ordinary, and only those are in the index. Its partner is
 * looked up one by one: a join would read all numbers for the few that are found.
 */
async function findPhones(scope: ReadScope, after: string, limit: number): Promise<Found[]> {
  const { rows } = await scope.query<{ place: string }>(
    `SELECT phone_key(v.phone) AS place FROM contacts v
      WHERE v.workspace_id = $1 AND phone_key(v.phone) <> v.phone AND phone_key(v.phone) > $2
        AND (SELECT k.id FROM contacts k WHERE k.workspace_id = v.workspace_id AND k.phone = phone_key(v.phone)) IS NOT NULL
      ORDER BY phone_key(v.phone) LIMIT $3`,
    [scope.workspaceId, after, limit],
  );
  return rows.map(({ place }) => ({ kind: 'phone', place, total: 2 }));
}

type FoundPage = { found: Found[]; next: bigint | null };

async function findEmails(scope: ReadScope, after: bigint, limit: number): Promise<FoundPage> {
  const { rows } = await scope.query<{
    hash: string;
    total: number;
    looked_at: number;
    first: string;
    last: string;
  }>(
    `WITH looked_at AS MATERIALIZED (
       SELECT email_hash FROM contacts WHERE workspace_id = $1 AND email_hash > $2 ORDER BY email_hash LIMIT ${LOOKED_AT}),
     part AS (SELECT count(*)::int AS looked_at, min(email_hash) AS first, max(email_hash) AS last FROM looked_at),
     doubled AS (SELECT email_hash AS hash, count(*)::int AS total FROM looked_at GROUP BY 1 HAVING count(*) > 1 ORDER BY 1 LIMIT $3)
     SELECT hash::text, total, looked_at, first::text, last::text FROM part LEFT JOIN doubled ON true ORDER BY hash`,
    [scope.workspaceId, String(after), limit + 1],
  );
  const part = rows[0];
  if (!part || part.looked_at === 0) return { found: [], next: null };
  const isLastPart = part.looked_at < LOOKED_AT;
  // The last address of a part may go on in the next one, unless the part holds nothing else.
  const isCut = !isLastPart && part.first !== part.last;
  const groups = rows.flatMap(({ hash, total }): Found[] =>
    hash === null || (isCut && hash === part.last) ? [] : [{ kind: 'email', place: hash, total }],
  );
  const found = groups.slice(0, limit);
  if (groups.length > limit) return { found, next: BigInt(found.at(-1)!.place) };
  if (isLastPart) return { found, next: null };
  return { found, next: isCut ? BigInt(part.last) - 1n : BigInt(part.last) };
}

async function showPage(scope: ReadScope, { found, next }: FoundPage) {
  return {
    items: await addContacts(scope, found),
    nextCursor: next === null ? null : writeCursor(`email:${next}`, NO_ID),
  };
}

const idsOf = {
  phone: `SELECT id FROM contacts WHERE workspace_id = $1 AND phone = $2
          UNION SELECT id FROM contacts WHERE workspace_id = $1 AND phone_key(phone) <> phone AND phone_key(phone) = $2`,
  email: 'SELECT id FROM contacts WHERE workspace_id = $1 AND email_hash = $2::bigint',
};

async function addContacts(scope: ReadScope, groups: readonly Found[]): Promise<DuplicateGroup[]> {
  const filled: DuplicateGroup[] = [];
  for (const { kind, place, total } of groups) {
    const { rows: found } = await scope.query<{ id: string }>(
      `SELECT id FROM contacts WHERE workspace_id = $1 AND id IN (${idsOf[kind]}) ORDER BY created_at, id LIMIT ${COMPARED}`,
      [scope.workspaceId, place],
    );
    const ids = found.map(({ id }) => id);
    const offered = await withoutDistinct(scope, ids);
    // Of every two somebody said that they are different people.
    if (offered.size === 0) continue;
    const { rows } = await scope.query<ContactRow>(
      `SELECT ${contactColumns} FROM contacts WHERE workspace_id = $1 AND id = ANY ($2::uuid[])
        ORDER BY created_at, id LIMIT ${mergeLimits.contacts}`,
      [scope.workspaceId, [...offered]],
    );
    const key = kind === 'phone' ? place : (rows[0]?.email?.toLowerCase() ?? '');
    // Notes such as "unknown" were once taken for addresses; people who share one are strangers.
    if (kind === 'email' && !readEmailAddress(key)) continue;
    filled.push({
      kind,
      key,
      total: total - (ids.length - offered.size),
      contacts: rows.map(presentContact),
    });
  }
  return filled;
}
