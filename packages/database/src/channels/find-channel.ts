import { eq } from 'drizzle-orm';
import type { Queries } from '../database.ts';
import { channels } from './channels-tables.ts';

export type Channel = typeof channels.$inferSelect;

/** The channels of a workspace, the oldest first. */
export async function listChannels(tx: Queries, workspaceId: string): Promise<Channel[]> {
  return tx
    .select()
    .from(channels)
    .where(eq(channels.workspaceId, workspaceId))
    .orderBy(channels.createdAt, channels.id);
}

/** Through which a workspace sends: the oldest that is connected, else the oldest. */
export function senderOf(all: readonly Channel[]): Channel | null {
  return all.find(({ isConnected }) => isConnected) ?? all[0] ?? null;
}

export async function findSendingChannel(tx: Queries, workspaceId: string): Promise<Channel | null> {
  return senderOf(await listChannels(tx, workspaceId));
}
