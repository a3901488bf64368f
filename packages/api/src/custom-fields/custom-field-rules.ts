import type { CustomFieldRule } from '@app/domain/custom-fields/custom-field';
import type { SqlQueries } from '@app/database/sql-queries';

/** The custom fields of a workspace as the rules need them, in the order in which they are shown. */
export async function readCustomFields(client: SqlQueries, workspaceId: string): Promise<CustomFieldRule[]> {
  const { rows } = await client.query<CustomFieldRule>(
    'SELECT id, key, label, type, options FROM custom_fields WHERE workspace_id = $1 ORDER BY position, id',
    [workspaceId],
  );
  return rows;
}
