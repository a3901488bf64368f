import { channels } from '@app/database/channels/channels-tables';
import type { Queries } from '@app/database/database';
import type { ConnectionKind } from '@app/domain/templates/platform-status';
import { and, eq } from 'drizzle-orm';

type Channel = typeof channels.$inferSelect;

/** The workspace's WhatsApp number and where its messages really go. */
export type ChannelConnection = { kind: ConnectionKind; channel: Channel | null };

/** `sandboxUrl` is the address of the sandbox that belongs to this installation, if one does. */
export async function readConnection(
  tx: Queries,
  workspaceId: string,
  sandboxUrl: string | undefined,
): Promise<ChannelConnection> {
  const [channel] = await tx
    .select()
    .from(channels)
    .where(and(eq(channels.workspaceId, workspaceId), eq(channels.kind, 'whatsapp')))
    .orderBy(channels.createdAt)
    .limit(1);
  if (!channel?.isConnected) return { kind: 'none', channel: channel ?? null };
  const isSandbox = sandboxUrl !== undefined && originOf(channel.graphBaseUrl) === originOf(sandboxUrl);
  return { kind: isSandbox ? 'sandbox' : 'platform', channel };
}

function originOf(address: string): string | null {
  return URL.parse(address)?.origin ?? null;
}
