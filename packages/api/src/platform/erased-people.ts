import { identityOfNumber, spellingsOf } from '@app/domain/contacts/number-spellings';
import { advisoryLocks } from '@app/database/advisory-locks';
import type { SqlQueries } from '@app/database/sql-queries';
import type { SecretBox } from './request-context.ts';

/** A phone number (E.164 with the plus) or the messaging platform's id of a person. */
export type PersonIdentifier = { workspaceId: string; identifier: string };

export type Fingerprints = Pick<SecretBox, 'fingerprint'>;

/** Remembers people as keyed hashes, which differ from workspace to workspace. What they said of marketing is needed no more. */
export async function rememberErased(
  client: SqlQueries,
  secrets: Fingerprints,
  { workspaceId, identifiers }: { workspaceId: string; identifiers: readonly string[] },
): Promise<void> {
  const spelled = [...new Set(identifiers.flatMap(spellingsOf))];
  const hashes = spelled.map((identifier) => hashOf(secrets, { workspaceId, identifier }));
  await client.query(
    'DELETE FROM suppression_list WHERE workspace_id = $1 AND identifier_hash = ANY ($2::text[])',
    [workspaceId, hashes],
  );
  await client.query(
    `INSERT INTO erased_people (workspace_id, identifier_hash, erased_at)
     SELECT $1, hash, clock_timestamp() FROM unnest($2::text[]) AS hash
     ON CONFLICT (workspace_id, identifier_hash) DO UPDATE SET erased_at = excluded.erased_at`,
    [workspaceId, hashes],
  );
}

/** Which of these people were erased, as a test; it costs one look where nobody ever was. */
export async function findErased(
  client: SqlQueries,
  secrets: Fingerprints,
  people: readonly PersonIdentifier[],
): Promise<(person: PersonIdentifier) => boolean> {
  const workspaceIds = [...new Set(people.map(({ workspaceId }) => workspaceId))];
  const { rows: concerned } = await client.query<{ id: string }>({
    name: 'erased_people_of',
    text: `SELECT id FROM unnest($1::uuid[]) AS w (id) WHERE EXISTS (SELECT FROM erased_people WHERE workspace_id = w.id)`,
    values: [workspaceIds],
  });
  const withErased = new Set(concerned.map(({ id }) => id));
  const asked = people.filter(({ workspaceId }) => withErased.has(workspaceId));
  if (asked.length === 0) return () => false;
  const { rows } = await client.query<{ identifier_hash: string }>(
    `SELECT e.identifier_hash FROM erased_people e
       JOIN unnest($1::uuid[], $2::text[]) AS p (workspace_id, hash)
         ON e.workspace_id = p.workspace_id AND e.identifier_hash = p.hash`,
    [asked.map(({ workspaceId }) => workspaceId), asked.map((person) => hashOf(secrets, person))],
  );
  const erased = new Set(rows.map(({ identifier_hash }) => identifier_hash));
  return (person) => erased.size > 0 && erased.has(hashOf(secrets, person));
}

/** Counts what an erased person sent, so that staff can see that something arrived without seeing from whom. */
export async function countRefused(
  client: SqlQueries,
  secrets: Fingerprints,
  people: readonly PersonIdentifier[],
): Promise<void> {
  await client.query(
    `UPDATE erased_people e SET refused = e.refused + p.times, last_refused_at = now()
       FROM (SELECT workspace_id, hash, count(*)::int AS times FROM unnest($1::uuid[], $2::text[]) AS p (workspace_id, hash)
              GROUP BY 1, 2) AS p
      WHERE e.workspace_id = p.workspace_id AND e.identifier_hash = p.hash`,
    [people.map(({ workspaceId }) => workspaceId), people.map((person) => hashOf(secrets, person))],
  );
}

/**
 * Whoever erases a number and whoever adds it wait for each other, so that the one who comes later sees the other. Locks
 * are taken in one order, so that two callers with several people do not block each other for good.
 */
export async function lockIdentifiers(
  client: SqlQueries,
  workspaceId: string,
  identifiers: readonly string[],
): Promise<void> {
  await client.query(
    `SELECT pg_advisory_xact_lock(hashtextextended($1::text || ' ' || identifier, ${advisoryLocks.person}))
       FROM unnest($2::text[]) AS identifier`,
    [workspaceId, [...new Set(identifiers.map(identityOfNumber))].toSorted()],
  );
}

/** The same text for the same person of a workspace, which tells nobody who it is. */
export function hashOf(secrets: Fingerprints, { workspaceId, identifier }: PersonIdentifier): string {
  return secrets.fingerprint(`${workspaceId} ${identifier}`);
}
