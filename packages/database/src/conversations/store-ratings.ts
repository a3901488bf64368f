import type { SqlQueries } from '../sql-queries.ts';

export type StoredRating = { workspaceId: string; key: string; rating: number; at: Date };

/** What contacts answered. Of several answers the last one given counts, in any order of arrival; an unknown key says nothing. */
export async function storeRatings(client: SqlQueries, ratings: readonly StoredRating[]): Promise<void> {
  if (ratings.length === 0) return;
  await client.query(
    `UPDATE conversation_rounds c SET rating = n.rating, rated_at = n.at
       FROM (SELECT DISTINCT ON (key) * FROM unnest($1::uuid[], $2::uuid[], $3::smallint[], $4::timestamptz[]) AS n (workspace_id, key, rating, at)
              ORDER BY key, at DESC) AS n
      WHERE c.rating_key = n.key AND c.workspace_id = n.workspace_id AND (c.rated_at IS NULL OR c.rated_at < n.at)`,
    [
      ratings.map(({ workspaceId }) => workspaceId),
      ratings.map(({ key }) => key),
      ratings.map(({ rating }) => rating),
      ratings.map(({ at }) => at),
    ],
  );
}
