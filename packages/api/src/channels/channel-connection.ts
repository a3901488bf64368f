import { findSendingChannel, type Channel } from '@app/database/channels/find-channel';
import type { ConnectionKind, TemplateReview } from '@app/domain/templates/platform-status';
import type { ApiDependencies } from '../platform/request-context.ts';
import { shownCredentials } from '../platform/stored-credentials.ts';
import type { ReadScope } from '../platform/workspace-scope.ts';

type Parts = Pick<ApiDependencies, 'sandboxUrl' | 'channelKinds'>;

/** A channel and where its messages really go. */
export type ChannelConnection = { kind: ConnectionKind; channel: Channel | null };

/** Of the channel through which the workspace sends. */
export async function readConnection(
  { tx, workspaceId }: ReadScope,
  parts: Parts,
): Promise<ChannelConnection> {
  return connectionOf(await findSendingChannel(tx, workspaceId), parts);
}

/** Whether the channel through which the workspace sends has its templates reviewed. */
export async function readTemplateReview(
  { tx, workspaceId }: ReadScope,
  { channelKinds }: Pick<Parts, 'channelKinds'>,
): Promise<TemplateReview> {
  const channel = await findSendingChannel(tx, workspaceId);
  return channel && channelKinds.of(channel).capabilities.templates;
}

/** Who has the last word about templates: nobody, where the kind of the channel knows none. */
export async function readReviewer(scope: ReadScope, parts: Parts): Promise<ChannelConnection> {
  const connection = await readConnection(scope, parts);
  const { channel } = connection;
  const isReviewed = channel && parts.channelKinds.of(channel).capabilities.templates === 'reviewed';
  return isReviewed ? connection : { kind: 'none', channel };
}

export function connectionOf(
  channel: Channel | null,
  { sandboxUrl, channelKinds }: Parts,
): ChannelConnection {
  if (!channel?.isConnected) return { kind: 'none', channel };
  const form = channelKinds.of(channel).credentials;
  const server = form.serverOf(shownCredentials(form, channel.credentials));
  const isSandbox = sandboxUrl !== undefined && originOf(server) === originOf(sandboxUrl);
  return { kind: isSandbox ? 'sandbox' : 'platform', channel };
}

function originOf(address: string): string | null {
  return URL.parse(address)?.origin ?? null;
}
