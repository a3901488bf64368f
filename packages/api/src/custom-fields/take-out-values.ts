import type { Database } from '@app/database/database';

const AT_ONCE = 5_000;

/**
 * Takes the values of deleted custom fields out of the contacts, some at a time so that nobody waits, and out of the
 * copies that imports keep. Versions stay: nobody sees a difference. Run it now and then; it goes on where it was cut off.
 */
export async function takeOutRemovedValues({ systemPool }: Pick<Database, 'systemPool'>): Promise<void> {
  const { rows } = await systemPool.query<{ id: string; workspace_id: string }>(
    'SELECT id, workspace_id FROM removed_custom_fields ORDER BY removed_at',
  );
  for (const { id, workspace_id: workspaceId } of rows) {
    for (;;) {
      // Rows that somebody is writing are left for the next run.
      const { rowCount } = await systemPool.query(
        `UPDATE contacts SET custom_values = custom_values - $2::text WHERE id = ANY(ARRAY(
           SELECT id FROM contacts WHERE workspace_id = $1 AND custom_values <> '{}' AND custom_values ? $2::text
            LIMIT ${AT_ONCE} FOR UPDATE SKIP LOCKED))`,
        [workspaceId, id],
      );
      if (rowCount === 0) break;
    }
    await systemPool.query(
      `UPDATE contact_import_changes SET custom_values = custom_values - $2::text
        WHERE workspace_id = $1 AND custom_values ? $2::text`,
      [workspaceId, id],
    );
    await systemPool.query(
      `DELETE FROM removed_custom_fields WHERE id = $2 AND removed_at < now() - interval '1 hour' AND NOT EXISTS (
         SELECT FROM contacts WHERE workspace_id = $1 AND custom_values <> '{}' AND custom_values ? $2::text)`,
      [workspaceId, id],
    );
  }
}
