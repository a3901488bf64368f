import type { ApiFixture } from '../api-fixture.ts';

/** Everything that a workspace has, to be compared before and after. */
export async function readWorkspace(
  { systemPool }: ApiFixture['db'],
  workspaceId: string,
): Promise<Record<string, unknown[]>> {
  const tables = await systemPool.query<{ name: string }>(
    `SELECT c.oid::regclass::text AS name FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
      WHERE a.attname = 'workspace_id' AND c.relkind IN ('r', 'p') AND NOT c.relispartition
        AND c.relnamespace = 'public'::regnamespace ORDER BY 1`,
  );
  const contents: Record<string, unknown[]> = {};
  for (const { name } of tables.rows) {
    const { rows } = await systemPool.query(
      `SELECT to_jsonb(t) AS row FROM ${name} t WHERE workspace_id = $1 ORDER BY to_jsonb(t)::text`,
      [workspaceId],
    );
    contents[name] = rows.map(({ row }) => row);
  }
  return contents;
}
