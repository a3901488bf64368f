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

/** Through which a workspace sends: that of its choice if it is connected, else the oldest that is, else the oldest. */
export function senderOf(all: readonly Channel[]): Channel | null {
  const connected = all.filter(({ isConnected }) => isConnected);
  return connected.find(({ isDefault }) => isDefault) ?? connected[0] ?? all[0] ?? null;
}

export async function findSendingChannel(tx: Queries, workspaceId: string): Promise<Channel | null> {
  return senderOf(await listChannels(tx, workspaceId));
}
