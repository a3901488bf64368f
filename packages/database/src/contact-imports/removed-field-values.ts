import type { SqlQueries } from '../sql-queries.ts';

/** Takes the values of a removed field out of the copies that imports keep. */
export async function takeOutOfImports(
  client: SqlQueries,
  { workspaceId, fieldId }: { workspaceId: string; fieldId: string },
): Promise<void> {
  await client.query(
    `UPDATE contact_import_changes SET custom_values = custom_values - $2::text
      WHERE workspace_id = $1 AND custom_values ? $2::text`,
    [workspaceId, fieldId],
  );
}
