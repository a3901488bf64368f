import type pg from 'pg';

/** Whether somebody else is reached under this number since a merge. */
export async function isAliasOfAnother(
  client: pg.PoolClient,
  workspaceId: string,
  phone: string,
  contactId: string | null,
): Promise<boolean> {
  const { rowCount } = await client.query(
    `SELECT FROM contact_aliases a JOIN contacts o ON o.id = a.contact_id
      WHERE a.workspace_id = $1 AND a.identifier = $2 AND a.until IS NULL AND a.contact_id IS DISTINCT FROM $3::uuid`,
    [workspaceId, phone, contactId],
  );
  return rowCount !== 0;
}
