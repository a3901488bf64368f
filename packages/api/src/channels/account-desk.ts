import type { Channel } from '@app/database/channels/find-channel';
import type { AccountDesk } from '@app/domain/channels/channel-connector';
import type { PlatformAnswer } from '@app/domain/channels/platform-answer';
import type { SignedInContext } from '../platform/request-context.ts';
import { openFields } from '../platform/stored-credentials.ts';
import { checkAfter, type CheckParts } from './check-connection.ts';
import { findConnectable } from './connection-view.ts';

/**
 * Asks the platform about the account of a stored channel, with a client for this one question. What it refuses may say that the
 * credentials open nothing any more.
 */
export async function withDesk<Value>(
  context: Pick<SignedInContext, 'channelKinds' | 'secrets'> & CheckParts,
  channel: Channel,
  ask: (desk: AccountDesk, webhookToken: string) => Promise<PlatformAnswer<Value>>,
): Promise<PlatformAnswer<Value>> {
  const kind = findConnectable(context, channel.kind);
  if (!kind) throw new Error(`Nobody can connect a channel of the kind ${channel.kind}.`);
  const credentials = await openFields(kind.credentials, channel.credentials, context.secrets);
  const desk = kind.connector.open(credentials);
  try {
    const answer = await ask(desk, credentials[kind.connector.webhookToken] ?? '');
    await checkAfter(context, channel, answer);
    return answer;
  } finally {
    await desk.close();
  }
}
