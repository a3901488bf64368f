import { spellingsOf } from '@app/domain/contacts/number-spellings';
import type { ReadScope } from '../platform/workspace-scope.ts';

/** Who is reached under a number, their own in any of its spellings, or one that they had before a merge. */
export async function findByPhone(scope: ReadScope, phone: string): Promise<string | null> {
  const { rows } = await scope.query<{ id: string }>(
    `SELECT id FROM (
       SELECT id, phone <> $2 AS is_other, false AS is_alias FROM contacts WHERE workspace_id = $1 AND phone = ANY ($3::text[])
       UNION ALL
       SELECT o.id, true, true FROM contact_aliases a JOIN contacts o ON o.id = a.contact_id
        WHERE a.workspace_id = $1 AND a.identifier = ANY ($3::text[]) AND a.until IS NULL) AS found
      ORDER BY is_alias, is_other LIMIT 1`,
    [scope.workspaceId, phone, spellingsOf(phone)],
  );
  return rows[0]?.id ?? null;
}

/** Whether another contact has this number, in any of its spellings, or is reached under it since a merge. */
export async function isNumberTaken(
  scope: ReadScope,
  phone: string,
  contactId: string | null,
): Promise<boolean> {
  const { rowCount } = await scope.query(
    `SELECT FROM contacts WHERE workspace_id = $1 AND phone = ANY ($2::text[]) AND id IS DISTINCT FROM $3::uuid
     UNION ALL
     SELECT FROM contact_aliases a JOIN contacts o ON o.id = a.contact_id
      WHERE a.workspace_id = $1 AND a.identifier = ANY ($2::text[]) AND a.until IS NULL AND a.contact_id IS DISTINCT FROM $3::uuid`,
    [scope.workspaceId, spellingsOf(phone), contactId],
  );
  return rowCount !== 0;
}
