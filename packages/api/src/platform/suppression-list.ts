import { returnConsents, type SaidOfNobody } from '@app/database/contacts/change-consent';
import type { SqlQueries } from '@app/database/sql-queries';
import { isNoted, type ConsentSource } from '@app/domain/contacts/opt-out/consent-source';
import { spellingsOf } from '@app/domain/contacts/number-spellings';
import { hashOf, type Fingerprints, type PersonIdentifier } from './erased-people.ts';

/** Someone who was made a contact, or got an identifier, in this transaction. */
export type Recalled = { workspaceId: string; contactId: string; identifiers: readonly string[] };

type Word = { kind: 'opt_in' | 'opt_out'; source: ConsentSource; at: Date };
type Person = {
  identifiers: readonly string[];
  opted_out_at: Date | null;
  kind: Word['kind'] | null;
  source: Word['source'] | null;
  occurred_at: Date | null;
  hold_until: Date | null;
};
type Where = { workspaceId: string; contactIds: readonly string[] };

/** Of several words the one that decides, as `settle_consents` says it. */
const NEWEST = `occurred_at IS NULL, date_trunc('second', occurred_at) DESC, kind = 'opt_out' AND source = 'person' DESC,
  occurred_at DESC, kind = 'opt_out' DESC`;

/** Of a deleted contact `k`. */
const RECORDS = `jsonb_to_recordset(k.consents) AS s (kind text, source text, occurred_at timestamptz, said_at timestamptz)`;

/** Before these contacts go: what they said about marketing stays with their numbers and ids. See docs/decisions/035-a-word-outlives-its-contact.md. */
export async function suppressContacts(
  client: SqlQueries,
  secrets: Fingerprints,
  { workspaceId, contactIds }: Where,
): Promise<void> {
  const { rows } = await client.query<Person>(
    `SELECT array_remove(ARRAY[c.phone, c.platform_user_id] || ${aliasesOf('c.id')}, NULL) AS identifiers, c.opted_out_at,
            w.kind, w.source, w.occurred_at, h.until AS hold_until
       FROM contacts c LEFT JOIN marketing_holds h ON h.contact_id = c.id AND h.until > now()
       LEFT JOIN LATERAL (
         SELECT kind, source, occurred_at FROM contact_consents
          WHERE contact_id = c.id AND kind = CASE WHEN c.opted_out_at IS NULL THEN 'opt_in' ELSE 'opt_out' END
          ORDER BY coalesce(said_at, occurred_at) DESC, occurred_at DESC LIMIT 1) AS w ON true
      WHERE c.workspace_id = $1 AND c.id = ANY ($2::uuid[])
        AND (c.opted_out_at IS NOT NULL OR w.kind IS NOT NULL OR h.until IS NOT NULL)`,
    [workspaceId, contactIds],
  );
  await keep(client, secrets, workspaceId, rows);
}

/** The same for contacts that were deleted a while ago and are forgotten now, with what was said of them since. */
export async function suppressDeleted(
  client: SqlQueries,
  secrets: Fingerprints,
  { workspaceId, contactIds }: Where,
): Promise<void> {
  const { rows } = await client.query<Person>(
    `SELECT array_remove(ARRAY[k.contact->>'phone', k.contact->>'platform_user_id'] || ${aliasesOf('k.contact_id')}, NULL) AS identifiers,
            CASE WHEN NOT EXISTS (SELECT FROM ${RECORDS} WHERE kind = 'opt_out' AND occurred_at = (k.contact->>'opted_out_at')::timestamptz)
                 THEN (k.contact->>'opted_out_at')::timestamptz END AS opted_out_at, w.kind, w.source, w.occurred_at,
            CASE WHEN k.hold_until > now() THEN k.hold_until END AS hold_until
       FROM deleted_contacts k
       LEFT JOIN LATERAL (
         SELECT kind, source, occurred_at FROM (
           (SELECT kind, source, occurred_at FROM ${RECORDS} WHERE said_at IS NOT NULL
             ORDER BY date_trunc('second', said_at) DESC, kind = 'opt_out' DESC, said_at DESC, occurred_at DESC LIMIT 1)
           UNION ALL
           (SELECT kind, source, occurred_at FROM ${RECORDS} WHERE said_at IS NULL ORDER BY ${NEWEST} LIMIT 1)) AS newest
          ORDER BY ${NEWEST} LIMIT 1) AS w ON true
      WHERE k.workspace_id = $1 AND k.contact_id = ANY ($2::uuid[])
        AND (k.contact->>'opted_out_at' IS NOT NULL OR w.kind IS NOT NULL OR k.hold_until > now())`,
    [workspaceId, contactIds],
  );
  await keep(client, secrets, workspaceId, rows);
}

/** A contact gives up a number: whoever has it next has what was said against marketing, but no consent that was given for somebody. */
export async function keepOptOut(
  client: SqlQueries,
  secrets: Fingerprints,
  { workspaceId, contactId, identifier }: { workspaceId: string; contactId: string; identifier: string },
): Promise<void> {
  const { rows } = await client.query<Person>(
    `SELECT ARRAY[$3] AS identifiers, c.opted_out_at, w.kind, w.source, w.occurred_at, h.until AS hold_until
       FROM contacts c LEFT JOIN marketing_holds h ON h.contact_id = c.id AND h.until > now()
       LEFT JOIN LATERAL (SELECT kind, source, occurred_at FROM contact_consents
                           WHERE contact_id = c.id AND kind = 'opt_out' ORDER BY ${NEWEST} LIMIT 1) AS w ON true
      WHERE c.workspace_id = $1 AND c.id = $2`,
    [workspaceId, contactId, identifier],
  );
  await keep(
    client,
    secrets,
    workspaceId,
    rows.map((row) => (row.opted_out_at ? row : { ...row, kind: null, source: null, occurred_at: null })),
  );
}

/** A delivery that failed says it of somebody who is no contact any more, or not yet. */
export async function suppressUnknown(
  client: SqlQueries,
  secrets: Fingerprints,
  said: readonly SaidOfNobody[],
): Promise<void> {
  for (const [workspaceId, own] of Map.groupBy(said, (one) => one.workspaceId))
    await keep(
      client,
      secrets,
      workspaceId,
      own.map(({ identifiers, word, holdUntil }) => ({
        ...{ identifiers, opted_out_at: null, hold_until: holdUntil },
        ...{ kind: word?.kind ?? null, source: word?.source ?? null, occurred_at: word?.at ?? null },
      })),
    );
}

/**
 * Gives people who became contacts, or got a number or id, what was said under it before; of all that is known of them then, the newest
 * word decides. Call it in the transaction that made them, behind the statement that did: who had the number before has gone by then.
 * Answers with the contacts about whom something was known.
 */
export async function recallSuppressed(
  client: SqlQueries,
  secrets: Fingerprints,
  people: readonly Recalled[],
): Promise<string[]> {
  if (people.length === 0) return [];
  const concerned = new Set(await withWords(client, [...new Set(people.map((one) => one.workspaceId))]));
  const asked = people
    .filter(({ workspaceId }) => concerned.has(workspaceId))
    .flatMap(({ workspaceId, contactId, identifiers }) =>
      identifiers.flatMap(spellingsOf).map((identifier) => ({ workspaceId, contactId, identifier })),
    );
  if (asked.length === 0) return [];
  const byHash = new Map(asked.map((one) => [keyOf(one.workspaceId, hashOf(secrets, one)), one]));
  const { rows } = await client.query<{
    workspace_id: string;
    hash: string;
    kind: Word['kind'] | null;
    source: Word['source'] | null;
    occurred_at: Date | null;
    hold_until: Date | null;
  }>(
    `SELECT k.workspace_id, k.identifier_hash AS hash, k.kind, k.source, k.occurred_at, k.hold_until
       FROM unnest($1::uuid[], $2::text[]) AS p (workspace_id, hash)
       JOIN suppression_list k ON k.workspace_id = p.workspace_id AND k.identifier_hash = p.hash
      ORDER BY k.workspace_id, k.identifier_hash FOR UPDATE OF k`,
    [[...byHash.values()].map(({ workspaceId }) => workspaceId), [...byHash.keys()].map(hashIn)],
  );
  if (rows.length === 0) return [];
  const found = rows.map((row) => ({ ...row, person: byHash.get(keyOf(row.workspace_id, row.hash))! })); // asked for above
  await returnConsents(
    client,
    found.flatMap(({ kind, source, occurred_at: at, person }) =>
      kind && source && at
        ? { ...person, kind, source, at, sender: isNoted(source) ? null : person.identifier }
        : [],
    ),
  );
  const contactIds = [...new Set(found.map(({ person }) => person.contactId))];
  const holds = found.filter(({ hold_until: until }) => until !== null && until.getTime() > Date.now());
  if (holds.length > 0)
    await client.query('SELECT hold_contacts($1::uuid[], $2::uuid[], $3::timestamptz[])', [
      holds.map(({ person }) => person.workspaceId),
      holds.map(({ person }) => person.contactId),
      holds.map(({ hold_until }) => hold_until),
    ]);
  // From here on the contact has them.
  await client.query(
    `DELETE FROM suppression_list k USING unnest($1::uuid[], $2::text[]) AS p (workspace_id, hash)
      WHERE k.workspace_id = p.workspace_id AND k.identifier_hash = p.hash`,
    [rows.map((row) => row.workspace_id), rows.map(({ hash }) => hash)],
  );
  return contactIds;
}

/** How many of these numbers opted out before, for whoever only wants to know. */
export async function countOptedOut(
  client: SqlQueries,
  secrets: Fingerprints,
  people: readonly PersonIdentifier[],
): Promise<number> {
  const concerned = new Set(await withWords(client, [...new Set(people.map((one) => one.workspaceId))]));
  const asked = people
    .filter(({ workspaceId }) => concerned.has(workspaceId))
    .flatMap(({ workspaceId, identifier: named }, person) =>
      spellingsOf(named).map((identifier) => ({ workspaceId, identifier, person })),
    );
  if (asked.length === 0) return 0;
  const { rows } = await client.query<{ count: number }>(
    `SELECT count(DISTINCT p.person)::int AS count FROM unnest($1::uuid[], $2::text[], $3::int[]) AS p (workspace_id, hash, person)
       JOIN suppression_list k ON k.workspace_id = p.workspace_id AND k.identifier_hash = p.hash AND k.kind = 'opt_out'`,
    [
      asked.map(({ workspaceId }) => workspaceId),
      asked.map((one) => hashOf(secrets, one)),
      asked.map(({ person }) => person),
    ],
  );
  return rows[0]?.count ?? 0;
}

/** Those of these workspaces in which anything is kept: one look where nothing ever was. */
export async function withWords(client: SqlQueries, workspaceIds: readonly string[]): Promise<string[]> {
  const { rows } = await client.query<{ id: string }>(
    `SELECT id FROM unnest($1::uuid[]) AS w (id) WHERE EXISTS (SELECT FROM suppression_list WHERE workspace_id = w.id)`,
    [workspaceIds],
  );
  return rows.map(({ id }) => id);
}

/** A hold that is over is needed no more, where no word was kept with it. */
export async function deletePastHolds(client: SqlQueries, now: Date): Promise<void> {
  await client.query('DELETE FROM suppression_list WHERE kind IS NULL AND hold_until < $1', [now]);
}

/** What is kept already and what is kept now are one person's: the newest word decides, and the later hold. */
async function keep(
  client: SqlQueries,
  secrets: Fingerprints,
  workspaceId: string,
  people: readonly Person[],
): Promise<void> {
  const kept = people.flatMap((person) => {
    const word = wordOf(person);
    if (!word && !person.hold_until) return [];
    return person.identifiers.map((identifier) => ({
      ...{ hash: hashOf(secrets, { workspaceId, identifier }), word, until: person.hold_until },
    }));
  });
  if (kept.length === 0) return;
  await client.query(
    `INSERT INTO suppression_list AS k (workspace_id, identifier_hash, kind, source, occurred_at, hold_until)
     SELECT DISTINCT ON (hash) $1::uuid, hash, kind, source, occurred_at, max(hold_until) OVER (PARTITION BY hash)
       FROM unnest($2::text[], $3::text[], $4::text[], $5::timestamptz[], $6::timestamptz[])
         AS n (hash, kind, source, occurred_at, hold_until)
      ORDER BY hash, ${NEWEST}
     ON CONFLICT (workspace_id, identifier_hash) DO UPDATE SET
       (kind, source, occurred_at) = (
         SELECT kind, source, occurred_at FROM (
           VALUES (k.kind, k.source, k.occurred_at), (excluded.kind, excluded.source, excluded.occurred_at))
             AS w (kind, source, occurred_at) ORDER BY ${NEWEST} LIMIT 1),
       hold_until = greatest(k.hold_until, excluded.hold_until)`,
    [
      workspaceId,
      kept.map(({ hash }) => hash),
      kept.map(({ word }) => word?.kind ?? null),
      kept.map(({ word }) => word?.source ?? null),
      kept.map(({ word }) => word?.at ?? null),
      kept.map(({ until }) => until),
    ],
  );
}

/** The word that decides; an opt-out without a record counts as one. */
function wordOf({ opted_out_at: since, kind, source, occurred_at: at }: Person): Word | null {
  const word = kind && source && at ? { kind, source, at } : null;
  if (word?.kind === 'opt_out' || since === null) return word;
  return word && word.at > since ? word : { kind: 'opt_out', source: 'staff', at: since };
}

/** Also the numbers by which a merged contact may still write. */
function aliasesOf(contactId: string): string {
  return `ARRAY(SELECT identifier FROM contact_aliases WHERE contact_id = ${contactId} AND until IS NULL)`;
}

const keyOf = (workspaceId: string, hash: string): string => `${workspaceId} ${hash}`;
const hashIn = (key: string): string => key.slice(key.indexOf(' ') + 1);
