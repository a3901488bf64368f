import type { Queries } from '../database.ts';
import { mediaCopies } from './media-tables.ts';

/** Under what the platform has a file for a number of ours, and until when. */
export async function notePlatformFile(tx: Queries, copy: typeof mediaCopies.$inferInsert): Promise<void> {
  const { platformId, expiresAt } = copy;
  await tx
    .insert(mediaCopies)
    .values(copy)
    .onConflictDoUpdate({
      target: [mediaCopies.mediaId, mediaCopies.channelId],
      set: { platformId, expiresAt },
    });
}
