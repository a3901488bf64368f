import type pg from 'pg';
import { mergeLimits } from '@app/domain/contacts/merge-rules';
import type { ApiDependencies } from '../platform/request-context.ts';
import { KEPT_FOR_MS } from './deleted-contacts.ts';

const AT_ONCE = 2_000;
const DAY_MS = 86_400_000;

/** Forgets what is kept for an undo that is not possible any more, some at a time. Run it now and then. */
export async function purgeKeptContacts({ db, clock }: Pick<ApiDependencies, 'db' | 'clock'>): Promise<void> {
  const now = clock().getTime();
  for (;;) {
    const gone = await purgeDeleted(db.systemPool, new Date(now - KEPT_FOR_MS));
    if (gone < AT_ONCE) break;
  }
  await purgeMerges(db.systemPool, new Date(now - mergeLimits.undoDays * DAY_MS));
}

/** A contact that is gone for good takes along what merges left of it. */
async function purgeDeleted(pool: pg.Pool, before: Date): Promise<number> {
  const { rows } = await pool.query<{ gone: number }>(
    `WITH gone AS (
       DELETE FROM deleted_contacts WHERE contact_id IN (
         SELECT contact_id FROM deleted_contacts k WHERE deleted_at < $1
            AND NOT EXISTS (SELECT FROM contact_removals r WHERE r.workspace_id = k.workspace_id AND r.id = k.removal_id
                               AND r.state = 'restoring') LIMIT ${AT_ONCE})
       RETURNING workspace_id, contact_id),
     merges AS (DELETE FROM contact_merges m USING gone g WHERE m.workspace_id = g.workspace_id AND m.survivor_id = g.contact_id),
     aliases AS (DELETE FROM contact_aliases a USING gone g WHERE a.contact_id = g.contact_id),
     merged AS (DELETE FROM merged_contacts m USING gone g WHERE m.survivor_id = g.contact_id)
     SELECT count(*)::int AS gone FROM gone`,
    [before],
  );
  return rows[0]?.gone ?? 0;
}

/** The entry of the timeline stays. */
async function purgeMerges(pool: pg.Pool, before: Date): Promise<void> {
  await pool.query(
    `WITH old AS (UPDATE contact_merges SET before = NULL, after = NULL, recipients = '[]'
                   WHERE merged_at < $1 AND before IS NOT NULL RETURNING workspace_id, id)
     DELETE FROM contact_merge_parts p USING old WHERE p.workspace_id = old.workspace_id AND p.merge_id = old.id`,
    [before],
  );
}
