import { findWhatsAppChannel, type Channel } from '@app/database/channels/find-channel';
import type { ConnectionKind } from '@app/domain/templates/platform-status';
import type { ReadScope } from '../platform/workspace-scope.ts';

/** The workspace's WhatsApp number and where its messages really go. */
export type ChannelConnection = { kind: ConnectionKind; channel: Channel | null };

/** `sandboxUrl` is the address of the sandbox that belongs to this installation, if one does. */
export async function readConnection(
  { tx, workspaceId }: ReadScope,
  sandboxUrl: string | undefined,
): Promise<ChannelConnection> {
  const channel = await findWhatsAppChannel(tx, workspaceId);
  if (!channel?.isConnected) return { kind: 'none', channel };
  const isSandbox = sandboxUrl !== undefined && originOf(channel.graphBaseUrl) === originOf(sandboxUrl);
  return { kind: isSandbox ? 'sandbox' : 'platform', channel };
}

function originOf(address: string): string | null {
  return URL.parse(address)?.origin ?? null;
}
