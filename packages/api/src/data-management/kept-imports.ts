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

type Kept = { before: Date; keptImports: readonly string[]; after: string | null; atOnce: number };

/** Contacts that stay, by id, from behind `after`; locked. */
export async function findKeptContacts(
  scope: WorkspaceScope,
  { before, keptImports, after, atOnce }: Kept,
): Promise<string[]> {
  if (keptImports.length === 0) return [];
  const { rows } = await scope.query<{ id: string }>(
    `SELECT id FROM contacts c WHERE workspace_id = $1 AND created_at <= $2 AND ${IN_IMPORTS('$3')} AND ($4::uuid IS NULL OR id > $4)
      ORDER BY id LIMIT $5 FOR UPDATE`,
    [scope.workspaceId, before, keptImports, after, atOnce],
  );
  return rows.map(({ id }) => id);
}

/** Whether no number of a real platform is known; `sandboxNumbers` are those of the sandbox. */
export async function hasOnlySandbox(scope: ReadScope, sandboxNumbers: readonly string[]): Promise<boolean> {
  const { rows } = await scope.query(
    'SELECT FROM channels WHERE workspace_id = $1 AND id <> ALL ($2::uuid[]) LIMIT 1',
    [scope.workspaceId, sandboxNumbers],
  );
  return rows.length === 0;
}
