import { takeBackImported } from '@app/database/contacts/change-consent';
import {
  dropImported,
  findSpeakingImported,
  putBackImported,
  spokenWithSql,
} from '../contacts/imported-contacts.ts';
import type { Fingerprints } from '../platform/erased-people.ts';
import { suppressContacts } from '../platform/suppression-list.ts';
import type { WorkspaceScope } from '../platform/workspace-scope.ts';

export type UndoneImport = { removed: number; restored: number; kept: number };

/** Undoes an import of contacts as `undoImport` does. Emits `contacts.import_undone` if there was something to undo. */
export async function undoContactImport(
  scope: WorkspaceScope,
  secrets: Fingerprints,
  importId: string,
): Promise<UndoneImport | null> {
  const undone = await undoImport(scope, secrets, importId);
  if (!undone) return null;
  const { removed, restored } = undone;
  await scope.emit({ type: 'contacts.import_undone', subject: importId, values: { removed, restored } });
  return undone;
}

/**
 * For the undo of a contact import and of a whole data import, each of which emits its own fact. Removes what an import added and puts back what it changed, with what its file said about marketing. Contacts that were edited,
 * opted out or wrote since are kept as they are. Null when there is nothing to take back.
 */
export async function undoImport(
  scope: WorkspaceScope,
  secrets: Fingerprints,
  importId: string,
): Promise<UndoneImport | null> {
  const { workspaceId } = scope;
  const at = scope.clock();
  const { rowCount } = await scope.query(
    `UPDATE contact_imports SET undone_at = $3
      WHERE workspace_id = $1 AND id = $2 AND undone_at IS NULL AND NOT is_dry_run AND successful + opt_outs > 0
        AND EXISTS (SELECT FROM operations a WHERE a.workspace_id = $1 AND a.id = $2 AND a.state = 'done')`,
    [workspaceId, importId, at],
  );
  if (rowCount === 0) return null;
  await takeBackWords(scope, importId);
  const restored = await putBackImported(scope, { importId, at });
  // An opt-out from before the import came with it, and stays with the number.
  await suppressContacts(scope, secrets, {
    workspaceId,
    contactIds: await findSpeakingImported(scope, importId),
  });
  const removed = await dropImported(scope, importId);
  const { rows } = await scope.query<{ kept: number }>(
    `SELECT (SELECT count(*) FROM contacts WHERE workspace_id = $1 AND import_id = $2)::int
          + (SELECT count(*) FROM contact_import_changes WHERE workspace_id = $1 AND import_id = $2 AND NOT is_same)::int - $3::int AS kept`,
    [workspaceId, importId, restored],
  );
  await scope.query('DELETE FROM contact_import_changes WHERE workspace_id = $1 AND import_id = $2', [
    workspaceId,
    importId,
  ]);
  return { removed, restored, kept: rows[0]?.kept ?? 0 };
}

/** Of contacts that go or are put back; whoever stays as the import left them keeps also that. */
async function takeBackWords(scope: WorkspaceScope, importId: string): Promise<void> {
  const { rows } = await scope.query<{ id: string }>(
    `SELECT c.id FROM contacts c LEFT JOIN contact_import_changes k ON k.import_id = $2 AND k.contact_id = c.id AND NOT k.is_same
      WHERE c.workspace_id = $1 AND c.id IN (SELECT contact_id FROM contact_consents WHERE workspace_id = $1 AND import_id = $2)
        AND (c.version = k.version OR (c.import_id = $2 AND c.version = 1 AND NOT ${spokenWithSql('c')}))
      ORDER BY c.id FOR UPDATE OF c`,
    [scope.workspaceId, importId],
  );
  await takeBackImported(scope, { importId, contactIds: rows.map(({ id }) => id) });
}
