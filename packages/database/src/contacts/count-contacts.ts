import type { AudienceFilter } from '@app/domain/delivery/audience';
import { bindTo } from '../bind-value.ts';
import type { SqlQueries } from '../sql-queries.ts';
import { contactFilterSql } from './contact-filter.ts';

const APPLY_FROM = 500;

/** From the kept sums; many small differences are folded on the way. */
export async function summarizeContacts(client: SqlQueries, workspaceId: string) {
  const { rows } = await client.query<{
    parts: number;
    total: number;
    active: number;
    blocked: number;
    tags: number;
  }>(
    `SELECT count(*)::int AS parts, coalesce(sum(total), 0)::int AS total, coalesce(sum(active), 0)::int AS active,
            coalesce(sum(blocked), 0)::int AS blocked,
            (SELECT count(*)::int FROM (SELECT FROM contact_tag_counts WHERE workspace_id = $1
                                         GROUP BY tag HAVING sum(contacts) > 0) AS tag) AS tags
       FROM contact_counts WHERE workspace_id = $1`,
    [workspaceId],
  );
  const { parts, ...figures } = rows[0]!; // an aggregate without GROUP BY gives one row
  if (parts > APPLY_FROM) await applyContactCounts(client, workspaceId);
  return figures;
}

/** As above, for people to read: who opted out is not active, and is counted beside those. The index of who cannot be reached holds nobody else. */
export async function summarizeForPeople(client: SqlQueries, workspaceId: string) {
  const figures = await summarizeContacts(client, workspaceId);
  const { rows } = await client.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM contacts WHERE workspace_id = $1 AND reach = 'opted_out'`,
    [workspaceId],
  );
  const optedOut = rows[0]?.count ?? 0;
  return { ...figures, active: figures.active - optedOut, optedOut };
}

/** Makes one row of many small differences; a tag that no contact has any more is forgotten. */
export async function applyContactCounts(client: SqlQueries, workspaceId: string): Promise<void> {
  await client.query('SELECT fold_contact_counts($1)', [workspaceId]);
}

/** Reads the kept sums where they know the answer, and counts where only the rows do. */
export async function countContacts(
  client: SqlQueries,
  workspaceId: string,
  filter: AudienceFilter,
): Promise<number> {
  const { status, ...others } = filter;
  if (Object.values(others).every((part) => part === undefined || part === '')) {
    const figures = await summarizeContacts(client, workspaceId);
    return figures[status ?? 'total'];
  }
  const values: unknown[] = [];
  const bind = bindTo(values);
  const { rows } = await client.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM contacts c
      WHERE c.workspace_id = ${bind(workspaceId, 'uuid')} AND ${contactFilterSql(filter, bind, { workspaceId })}`,
    values,
  );
  return rows[0]?.count ?? 0;
}
