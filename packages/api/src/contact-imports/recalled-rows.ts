import { countOptedOut, recallSuppressed, withWords } from '../platform/suppression-list.ts';
import type { WorkspaceScope } from '../platform/workspace-scope.ts';
import type { ImportRun } from './import-run.ts';

const AT_ONCE = 5_000;

/**
 * Gives the contacts that were made of these rows what was said about marketing under their numbers before; answers with how many
 * opted out. A try that changes nothing only counts.
 */
export async function recallRows(
  scope: WorkspaceScope,
  { secrets, choices }: Pick<ImportRun, 'secrets' | 'choices'>,
  range: { from: number; to: number },
): Promise<number> {
  const { workspaceId } = scope;
  if ((await withWords(scope, [workspaceId])).length === 0) return 0;
  let optedOut = 0;
  for (let from = range.from; from < range.to; from += AT_ONCE) {
    const part = [workspaceId, from, Math.min(from + AT_ONCE, range.to)];
    if (choices.isDryRun) {
      const { rows } = await scope.query<{ phone: string }>(
        `SELECT r.phone FROM import_rows r WHERE r.row_number >= $2 AND r.row_number < $3 AND NOT r.is_double
            AND NOT EXISTS (SELECT FROM contacts c WHERE c.workspace_id = $1 AND c.phone = r.phone)`,
        part,
      );
      const people = rows.map(({ phone }) => ({ workspaceId, identifier: phone }));
      optedOut += await countOptedOut(scope, secrets, people);
      continue;
    }
    const { rows } = await scope.query<{ id: string; phone: string }>(
      `SELECT c.id, c.phone FROM import_rows r JOIN contacts c ON c.id = r.id
        WHERE c.workspace_id = $1 AND r.row_number >= $2 AND r.row_number < $3`,
      part,
    );
    const recalled = await recallSuppressed(
      scope,
      secrets,
      rows.map(({ id, phone }) => ({ workspaceId, contactId: id, identifiers: [phone] })),
    );
    if (recalled.length === 0) continue;
    const { rows: counted } = await scope.query<{ count: number }>(
      'SELECT count(*)::int AS count FROM contacts WHERE id = ANY ($1::uuid[]) AND opted_out_at IS NOT NULL',
      [recalled],
    );
    optedOut += counted[0]?.count ?? 0;
  }
  return optedOut;
}
