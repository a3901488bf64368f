import type { ReadScope } from '../platform/workspace-scope.ts';

/** Who is reached under a number, their own or one that they had before a merge. */
export async function findByPhone(scope: ReadScope, phone: string): Promise<string | null> {
  const { rows } = await scope.query<{ id: string }>(
    `SELECT id FROM contacts WHERE workspace_id = $1 AND phone = $2
     UNION ALL
     SELECT o.id FROM contact_aliases a JOIN contacts o ON o.id = a.contact_id
      WHERE a.workspace_id = $1 AND a.identifier = $2 AND a.until IS NULL
     LIMIT 1`,
    [scope.workspaceId, phone],
  );
  return rows[0]?.id ?? null;
}

/** Whether somebody else is reached under this number since a merge. */
export async function isAliasOfAnother(
  scope: ReadScope,
  phone: string,
  contactId: string | null,
): Promise<boolean> {
  const { rowCount } = await scope.query(
    `SELECT FROM contact_aliases a JOIN contacts o ON o.id = a.contact_id
      WHERE a.workspace_id = $1 AND a.identifier = $2 AND a.until IS NULL AND a.contact_id IS DISTINCT FROM $3::uuid`,
    [scope.workspaceId, phone, contactId],
  );
  return rowCount !== 0;
}
