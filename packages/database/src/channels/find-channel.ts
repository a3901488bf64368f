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

/**
 * Through which a workspace sends over a kind of channel: its default if it is connected, else the oldest that is, else the oldest. Without a kind
 * it is that of the kind over which the workspace has sent longest. `DEFAULT_SENDER_ORDER` says the same in SQL.
 */
export function senderOf(all: readonly Channel[], kind?: string): Channel | null {
  const connected = all.filter(({ isConnected }) => isConnected);
  const wanted = kind ?? (connected[0] ?? all[0])?.kind;
  const ofKind = connected.filter((channel) => channel.kind === wanted);
  return (
    ofKind.find(({ isDefault }) => isDefault) ??
    ofKind[0] ??
    all.find((channel) => channel.kind === wanted) ??
    null
  );
}

/** Puts the sender of a workspace first among the rows of `channels` that are its own; `kind` and the others are columns of it. */
export const DEFAULT_SENDER_ORDER = `is_connected DESC,
  kind = (SELECT k.kind FROM channels k WHERE k.workspace_id = channels.workspace_id ORDER BY k.is_connected DESC, k.created_at, k.id LIMIT 1) DESC,
  is_default DESC, created_at, id`;

export async function findSendingChannel(tx: Queries, workspaceId: string): Promise<Channel | null> {
  return senderOf(await listChannels(tx, workspaceId));
}
