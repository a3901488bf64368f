import { and, eq } from 'drizzle-orm';
import type { Queries } from '../database.ts';
import { media } from './media-tables.ts';

type Known = { platformMediaId: string; platformExpiresAt: Date };

/** Under what the platform has a file, and until when. */
export async function notePlatformFile(
  tx: Queries,
  { workspaceId, mediaId }: { workspaceId: string; mediaId: string },
  known: Known,
): Promise<void> {
  await tx
    .update(media)
    .set(known)
    .where(and(eq(media.workspaceId, workspaceId), eq(media.id, mediaId)));
}
