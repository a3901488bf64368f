import type { ApiDependencies } from '../platform/request-context.ts';

/** A condition on `message_files f`: somebody has begun to write a message that it goes with. */
export const IN_DRAFT = `EXISTS (SELECT FROM conversation_drafts d WHERE d.workspace_id = f.workspace_id AND d.user_id = f.user_id
   AND d.ended_at IS NULL AND d.files @> jsonb_build_array(jsonb_build_object('fileId', f.id)))`;

const AT_ONCE = 200;
/** A deleted contact comes back for an hour; one of an import or a removal for as long as that is kept. */
const KEPT_HOURS = 24;
/** A browser that comes back later brings its file anew. */
const UNSENT_HOURS = 72;

/**
 * Takes away what nobody has any more: rows whose message went for good, and bytes without a row. Bytes that several files share
 * stay as long as one of these is there.
 */
export async function tidyFiles(parts: ApiDependencies): Promise<void> {
  const { db, clock } = parts;
  const hoursAgo = (hours: number) => new Date(clock().getTime() - hours * 3_600_000);
  // Their contact is back.
  await db.systemPool.query(
    `UPDATE message_files f SET message_gone_at = NULL FROM messages m
      WHERE f.message_gone_at IS NOT NULL AND m.id = f.message_id AND m.workspace_id = f.workspace_id`,
  );
  await db.systemPool.query(
    `DELETE FROM message_files f WHERE f.message_gone_at < $1
        AND NOT EXISTS (SELECT FROM deleted_contacts d WHERE d.contact_id = f.contact_id AND d.workspace_id = f.workspace_id)`,
    [hoursAgo(KEPT_HOURS)],
  );
  // What was uploaded and never sent.
  await db.systemPool.query(
    `DELETE FROM message_files f WHERE f.message_id IS NULL AND f.created_at < $1 AND NOT ${IN_DRAFT}`,
    [hoursAgo(UNSENT_HOURS)],
  );
  await removeLeavings(parts);
}

async function removeLeavings({ db, mediaStore }: ApiDependencies): Promise<void> {
  for (;;) {
    const { rows } = await db.systemPool.query<{ place: string; storage_key: string; is_used: boolean }>(
      `SELECT l.ctid::text AS place, l.storage_key, EXISTS (SELECT FROM message_files f
                WHERE f.content = l.storage_key OR f.thumbnail = l.storage_key) AS is_used
         FROM message_file_leavings l LIMIT ${AT_ONCE}`,
    );
    // Nobody can come to share bytes that have no row: who wants to looks for one.
    for (const { storage_key: key, is_used: isUsed } of rows) if (!isUsed) await mediaStore.remove(key);
    // Those that were read, by their places: whose last row went meanwhile is left there once more.
    await db.systemPool.query('DELETE FROM message_file_leavings WHERE ctid = ANY ($1::tid[])', [
      rows.map(({ place }) => place),
    ]);
    if (rows.length < AT_ONCE) return;
  }
}
