import { deleteMergesOf, deleteUndosOfMerges } from '@app/database/contact-merges/delete-merges';
import type { SqlQueries } from '@app/database/sql-queries';
import { mergeLimits } from '@app/domain/contact-merges/merge-rules';
import type { Fingerprints } from '../platform/erased-people.ts';
import { changeAcrossWorkspaces, type SystemParts } from '../platform/system-work.ts';
import { deleteAnswersAbout } from '../platform/idempotency.ts';
import { deleteDeleted, KEPT_FOR_MS } from '../contacts/deleted-contacts.ts';
import { deletePastHolds, suppressDeleted } from '../platform/suppression-list.ts';
import { isBeingRestored } from './removal-operations.ts';

const AT_ONCE = 2_000;
const DAY_MS = 86_400_000;

/** Forgets what is kept for an undo that is not possible any more, some at a time. Run it now and then. */
export async function purgeKeptContacts(parts: SystemParts & { secrets: Fingerprints }): Promise<void> {
  const now = parts.clock().getTime();
  for (;;) {
    const gone = await changeAcrossWorkspaces(parts, 'upkeep', ({ client }) =>
      purgeDeleted(client, parts.secrets, new Date(now - KEPT_FOR_MS)),
    );
    if (gone < AT_ONCE) break;
  }
  await changeAcrossWorkspaces(parts, 'upkeep', async ({ client }) => {
    await deleteUndosOfMerges(client, new Date(now - mergeLimits.undoDays * DAY_MS));
    await deletePastHolds(client, new Date(now));
  });
}

/** A contact that is gone for good takes along what merges left of it; what it said of marketing stays with its numbers. Answers with how many they were. */
async function purgeDeleted(client: SqlQueries, secrets: Fingerprints, before: Date): Promise<number> {
  const { rows } = await client.query<{ workspace_id: string; contact_id: string }>(
    `SELECT workspace_id, contact_id FROM deleted_contacts k WHERE deleted_at < $1
        AND NOT ${isBeingRestored}
      ORDER BY contact_id LIMIT ${AT_ONCE} FOR UPDATE SKIP LOCKED`,
    [before],
  );
  for (const [workspaceId, gone] of Map.groupBy(rows, (row) => row.workspace_id))
    await suppressDeleted(client, secrets, {
      ...{ workspaceId, contactIds: gone.map((row) => row.contact_id) },
    });
  const ids = rows.map((row) => row.contact_id);
  await deleteDeleted(client, ids);
  await deleteMergesOf(
    client,
    rows.map((row) => ({ workspaceId: row.workspace_id, contactId: row.contact_id })),
  );
  await deleteAnswersAbout(client, ids);
  return ids.length;
}
