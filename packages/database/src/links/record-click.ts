import { newId } from '../new-id.ts';
import type { SqlQueries } from '../sql-queries.ts';

export type FoundLink = { id: string; key: string; target: string };

/** The link of a code, in the system scope. */
export async function findLink(client: SqlQueries, code: string): Promise<FoundLink | undefined> {
  const { rows } = await client.query<FoundLink>(
    'SELECT id, key, target FROM counted_links WHERE code = $1',
    [code],
  );
  return rows[0];
}

/** Stores the click of a recipient by their place in the run, and counts their first one of the message in the rollups. */
export async function recordClick(
  client: SqlQueries,
  { linkId, seq, at }: { linkId: string; seq: number; at: Date },
): Promise<void> {
  await client.query('SELECT record_link_click($1, $2, $3, $4)', [newId(at.getTime()), linkId, seq, at]);
}

/** Counted apart: it says nothing about the recipient. */
export async function countPreview(client: SqlQueries, linkId: string): Promise<void> {
  await client.query('UPDATE counted_links SET previews = previews + 1 WHERE id = $1', [linkId]);
}
