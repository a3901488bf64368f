import type { ReadScope, WorkspaceScope } from '../platform/workspace-scope.ts';

type Target = { importId: string; at: Date };
/** Rows of the file, from `from` to below `to`. */
type Range = { from: number; to: number };

/**
 * Makes contacts of the staged rows of an import (`import_rows`). They get creation times a microsecond apart, so that the newest-first
 * list shows them in the order of the file. Answers with how many they were, and with the rows whose number is taken.
 */
export async function addImportedContacts(
  scope: WorkspaceScope,
  { importId, at }: Target,
  { from, to }: Range,
): Promise<{ added: number; taken: { row_number: number; written: string }[] }> {
  const { rows } = await scope.query<{ row_number: number; written: string; added: number }>(
    `WITH added AS (
       INSERT INTO contacts (id, workspace_id, name, phone, email, tags, status, import_id, created_at, updated_at, custom_values, language)
       SELECT id, $1, name, phone, email, tags, coalesce(status, 'active'), $2,
              $3::timestamptz - row_number * interval '1 microsecond', $3, custom_values, language
         FROM import_rows WHERE row_number >= $4 AND row_number < $5 AND NOT is_double AND contact_id IS NULL ORDER BY row_number
       ON CONFLICT (workspace_id, phone) DO NOTHING RETURNING id)
     SELECT NULL AS row_number, '' AS written, (SELECT count(*)::int FROM added) AS added
     UNION ALL
     SELECT row_number, written, 0 FROM import_rows r
      WHERE row_number >= $4 AND row_number < $5 AND contact_id IS NULL AND NOT EXISTS (SELECT FROM added WHERE added.id = r.id)`,
    [scope.workspaceId, importId, at, from, to],
  );
  const [figures, ...taken] = rows;
  return { added: figures?.added ?? 0, taken };
}

/**
 * Contacts that are there take over what the row of their number says: name and e-mail address, more tags, and the status, language and custom
 * values when there are some. `keptIds` are those that are kept as they were, because they change.
 */
export async function changeImportedContacts(
  scope: WorkspaceScope,
  { at }: Pick<Target, 'at'>,
  { from, to, keptIds }: Range & { keptIds: readonly string[] },
): Promise<void> {
  if (keptIds.length === 0) return;
  await scope.query(
    `UPDATE contacts c SET name = r.name, email = coalesce(r.email, c.email), status = coalesce(r.status, c.status),
            language = coalesce(r.language, c.language),
            tags = c.tags || ARRAY(SELECT tag FROM unnest(r.tags) AS tag WHERE tag <> ALL (c.tags)),
            custom_values = c.custom_values || r.custom_values, version = c.version + 1, updated_at = $2
       FROM import_rows r
      WHERE c.workspace_id = $1 AND c.id = ANY ($3::uuid[]) AND r.phone = c.phone
        AND r.row_number >= $4 AND r.row_number < $5 AND NOT r.is_double`,
    [scope.workspaceId, at, keptIds, from, to],
  );
}

/** Something was said about these contacts: whoever has one of them open hears of it. */
export async function touchContacts(
  scope: WorkspaceScope,
  contactIds: readonly string[],
  at: Date,
): Promise<void> {
  if (contactIds.length === 0) return;
  await scope.query(
    'UPDATE contacts SET version = version + 1, updated_at = $3 WHERE workspace_id = $1 AND id = ANY ($2::uuid[])',
    [scope.workspaceId, contactIds, at],
  );
}

/** Contacts that nobody changed since an import did are as they were before it (`contact_import_changes`). Answers with how many they were. */
export async function putBackImported(scope: WorkspaceScope, { importId, at }: Target): Promise<number> {
  const { rowCount } = await scope.query(
    `UPDATE contacts c SET name = k.name, email = k.email, tags = k.tags, status = k.status, language = k.language,
            custom_values = k.custom_values, version = c.version + 1, updated_at = $3
       FROM contact_import_changes k
      WHERE k.workspace_id = $1 AND k.import_id = $2 AND c.workspace_id = $1 AND c.id = k.contact_id AND NOT k.is_same AND c.version = k.version`,
    [scope.workspaceId, importId, at],
  );
  return rowCount ?? 0;
}

/** Somebody wrote in a conversation; a campaign alone is nothing that an import must stay for. */
export const spokenWithSql = (
  contact: string,
) => `EXISTS (SELECT FROM conversations v WHERE v.contact_id = ${contact}.id
    AND coalesce(v.last_message_at, v.last_inbound_at, v.last_outbound_at) IS NOT NULL)`;

/** Added by an import, and neither edited, spoken with nor opted out since. An opt-out from before came with the number. */
const UNTOUCHED = `c.workspace_id = $1 AND c.import_id = $2 AND c.version = 1 AND NOT ${spokenWithSql('c')}
  AND (c.opted_out_at IS NULL OR c.opted_out_at <= c.created_at)`;

/** Those of them of whom something is known about marketing, locked until they go. */
export async function findSpeakingImported(scope: ReadScope, importId: string): Promise<string[]> {
  const { rows } = await scope.query<{ id: string }>(
    `SELECT id FROM contacts c WHERE ${UNTOUCHED} AND (EXISTS (SELECT FROM contact_consents WHERE contact_id = c.id)
        OR EXISTS (SELECT FROM marketing_holds WHERE contact_id = c.id)) ORDER BY id FOR UPDATE`,
    [scope.workspaceId, importId],
  );
  return rows.map(({ id }) => id);
}

/** Answers with how many went. */
export async function dropImported(scope: WorkspaceScope, importId: string): Promise<number> {
  const { rowCount } = await scope.query(`DELETE FROM contacts c WHERE ${UNTOUCHED}`, [
    scope.workspaceId,
    importId,
  ]);
  return rowCount ?? 0;
}
