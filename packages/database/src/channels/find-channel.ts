import { and, eq } from 'drizzle-orm';
import type { Queries } from '../database.ts';
import { channels } from './channels-tables.ts';

export type Channel = typeof channels.$inferSelect;

/** The WhatsApp number of a workspace: the first, if it has several. */
export async function findWhatsAppChannel(tx: Queries, workspaceId: string): Promise<Channel | null> {
  const [channel] = await tx
    .select()
    .from(channels)
    .where(and(eq(channels.workspaceId, workspaceId), eq(channels.kind, 'whatsapp')))
    .orderBy(channels.createdAt)
    .limit(1);
  return channel ?? null;
}
