import type { ApiDependencies } from '../platform/request-context.ts';

const DAY_MS = 86_400_000;
/** No saving is under way for so long. */
const ENDED_FOR_MS = 2 * DAY_MS;
/** Until then a merge is undone, and a contact comes back. */
const GONE_FOR_MS = 31 * DAY_MS;

/** Forgets drafts that ended, and those to contacts that do not come back. */
export async function deleteDrafts({ db, clock }: ApiDependencies): Promise<void> {
  const now = clock().getTime();
  await db.systemPool.query(
    `DELETE FROM conversation_drafts d WHERE d.saved_at < $1
        AND (d.ended_at IS NOT NULL
             OR (d.saved_at < $2 AND NOT EXISTS (SELECT FROM contacts c WHERE c.id = d.contact_id)))`,
    [new Date(now - ENDED_FOR_MS), new Date(now - GONE_FOR_MS)],
  );
}
