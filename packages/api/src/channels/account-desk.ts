import type { Channel } from '@app/database/channels/find-channel';
import type { AccountDesk } from '@app/domain/channels/channel-connector';
import type { SignedInContext } from '../platform/request-context.ts';
import { openCredentials } from '../platform/stored-credentials.ts';
import { findConnectable } from './connection-view.ts';

/** Asks the platform about the account of a stored channel, with a client for this one question. */
export async function withDesk<Answer>(
  context: Pick<SignedInContext, 'channelKinds' | 'secrets'>,
  channel: Channel,
  ask: (desk: AccountDesk, webhookToken: string) => Promise<Answer>,
): Promise<Answer> {
  const kind = findConnectable(context, channel.kind);
  if (!kind) throw new Error(`Nobody can connect a channel of the kind ${channel.kind}.`);
  const credentials = await openCredentials(kind.credentials, channel.credentials, context.secrets);
  const desk = kind.connector.open(credentials);
  try {
    return await ask(desk, credentials[kind.connector.webhookToken] ?? '');
  } finally {
    await desk.close();
  }
}
