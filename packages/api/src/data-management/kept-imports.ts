import { settleConsents } from '@app/database/contacts/change-consent';
import type { ReadScope, WorkspaceScope } from '../platform/workspace-scope.ts';

/** An import into the sample whose contacts are still there. */
export type SampleImport = { id: string; fileName: string; contacts: number; createdAt: string };
/** What the user decided about one import. */
export type ImportChoice = { importId: string; keep: boolean };

/** Whether a file of these imports holds contact `c`: it added the contact, changed it, or found it as it was. */
export const IN_IMPORTS = (imports: string): string =>
  `(c.import_id = ANY (${imports}::uuid[]) OR EXISTS (SELECT FROM contact_import_changes k
     WHERE k.contact_id = c.id AND k.import_id = ANY (${imports}::uuid[])))`;

/** The imports that are done and have contacts here, newest first. One that was undone, or was a dry run, has none. */
export async function listSampleImports(scope: ReadScope): Promise<SampleImport[]> {
  const { rows } = await scope.query<{ id: string; file_name: string; contacts: number; created_at: Date }>(
    `SELECT i.id, i.file_name, i.created_at, k.contacts
       FROM contact_imports i JOIN operations a ON a.workspace_id = i.workspace_id AND a.id = i.id
       JOIN LATERAL (SELECT count(*)::int AS contacts FROM (
         SELECT id FROM contacts WHERE workspace_id = $1 AND import_id = i.id
          UNION SELECT c.id FROM contact_import_changes g JOIN contacts c ON c.id = g.contact_id
                 WHERE g.workspace_id = $1 AND g.import_id = i.id) AS c) AS k ON k.contacts > 0
      WHERE i.workspace_id = $1 AND i.undone_at IS NULL AND NOT i.is_dry_run AND a.state = 'done'
      ORDER BY i.created_at DESC, i.id DESC`,
    [scope.workspaceId],
  );
  return rows.map(({ id, file_name: fileName, contacts, created_at: at }) => ({
    ...{ id, fileName, contacts },
    createdAt: at.toISOString(),
  }));
}

/**
 * The ids of the imports to keep. Null if an import is here about which nothing was decided: one that ended after the dialog was opened, for
 * example. A choice about an import without contacts changes nothing.
 */
export async function readKeptImports(
  scope: ReadScope,
  choices: readonly ImportChoice[],
): Promise<string[] | null> {
  const decided = new Map(choices.map(({ importId, keep }) => [importId, keep]));
  const here = await listSampleImports(scope);
  if (here.some(({ id }) => !decided.has(id))) return null;
  return here.map(({ id }) => id).filter((id) => decided.get(id));
}

/** How many contacts stay when these imports are kept; one that two files hold counts once. */
export async function countInImports(scope: ReadScope, keptImports: readonly string[]): Promise<number> {
  if (keptImports.length === 0) return 0;
  const { rows } = await scope.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM contacts c WHERE c.workspace_id = $1 AND ${IN_IMPORTS('$2')}`,
    [scope.workspaceId, keptImports],
  );
  return rows[0]?.count ?? 0;
}

/** No number of a real platform is known; `$3` are those of the sandbox. */
const ONLY_SANDBOX =
  'NOT EXISTS (SELECT FROM channels n WHERE n.workspace_id = $1 AND n.id <> ALL ($3::uuid[]))';

type Kept = { before: Date; keptImports: readonly string[] };

/**
 * Takes what the sample added to contacts that stay: conversations, messages and files. Their own data, consent and its evidence stay. An opt-in
 * that arrived as a message goes if the workspace has only numbers of the sandbox: the test phone sent it, not the person. Every opt-out stays.
 */
export async function takeSampleFromKept(
  scope: WorkspaceScope,
  {
    before,
    keptImports,
    leftChannels,
    atOnce,
    after,
  }: Kept & { leftChannels: readonly string[]; atOnce: number; after: string | null },
): Promise<{ rows: number; after: string | null }> {
  if (keptImports.length === 0) return { rows: 0, after };
  const { workspaceId } = scope;
  const { rows } = await scope.query<{ id: string }>(
    `SELECT id FROM contacts c WHERE workspace_id = $1 AND created_at <= $2 AND ${IN_IMPORTS('$3')} AND ($4::uuid IS NULL OR id > $4)
      ORDER BY id LIMIT $5 FOR UPDATE`,
    [workspaceId, before, keptImports, after, atOnce],
  );
  const ids = rows.map(({ id }) => id);
  for (const table of ['messages', 'message_files', 'conversations'])
    await scope.query(`DELETE FROM ${table} WHERE workspace_id = $1 AND contact_id = ANY ($2::uuid[])`, [
      workspaceId,
      ids,
    ]);
  await scope.query(
    `UPDATE contacts SET last_message = NULL, last_message_at = NULL, window_expires_at = NULL
      WHERE workspace_id = $1 AND id = ANY ($2::uuid[]) AND (last_message_at IS NOT NULL OR window_expires_at IS NOT NULL)`,
    [workspaceId, ids],
  );
  // The file gave the number; the id of the platform is the sandbox's.
  await scope.query(
    `UPDATE contacts SET platform_user_id = NULL
      WHERE workspace_id = $1 AND id = ANY ($2::uuid[]) AND phone IS NOT NULL AND platform_user_id IS NOT NULL AND ${ONLY_SANDBOX}`,
    [workspaceId, ids, leftChannels],
  );
  const tried = await scope.query<{ contact_id: string }>(
    `DELETE FROM contact_consents WHERE workspace_id = $1 AND contact_id = ANY ($2::uuid[]) AND kind = 'opt_in' AND source = 'person'
        AND import_id IS NULL AND ${ONLY_SANDBOX}
      RETURNING contact_id`,
    [workspaceId, ids, leftChannels],
  );
  await settleConsents(scope, [...new Set(tried.rows.map((row) => row.contact_id))]);
  return { rows: rows.length, after: ids.at(-1) ?? after };
}

/** Counts those who stay anew: the figures of the sample are gone, and theirs with them. */
export async function countKeptContacts(scope: WorkspaceScope, { before, keptImports }: Kept): Promise<void> {
  const { workspaceId } = scope;
  const kept = `contacts c WHERE c.workspace_id = $1 AND c.created_at <= $2 AND ${IN_IMPORTS('$3')}`;
  const values = [workspaceId, before, keptImports];
  await scope.query(
    `INSERT INTO contact_growth SELECT c.workspace_id, quarter_of(c.created_at), count(*) FROM ${kept} GROUP BY 1, 2`,
    values,
  );
  await scope.query(
    `INSERT INTO contact_rollup_deltas (workspace_id, quarter, kind, source, contacts)
     SELECT c.workspace_id, quarter_of(c.created_at), 'new', contact_source(c), count(*) FROM ${kept} GROUP BY 1, 2, 4
     UNION ALL
     SELECT s.workspace_id, quarter_of(s.occurred_at), s.kind, consent_source(s), count(*) FROM contact_consents s
      WHERE s.workspace_id = $1 AND s.contact_id IN (SELECT c.id FROM ${kept}) GROUP BY 1, 2, 3, 4`,
    values,
  );
}
