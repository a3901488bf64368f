import type { Channel } from '@app/database/channels/find-channel';
import type { AccountDesk } from '@app/domain/channels/channel-connector';
import type { PlatformAnswer } from '@app/domain/channels/platform-answer';
import { codeOfRejection } from '@app/domain/messaging/delivery-error-messages';
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
  const webhookToken = credentials[kind.connector.webhookToken] ?? '';
  return askAt(context, channel, {
    desk: kind.connector.open(credentials),
    ask: (desk) => ask(desk, webhookToken),
  });
}

/** Asks at a desk that was opened for this one question, and closes it. */
export async function askAt<Desk extends { close(): Promise<void> }, Value>(
  context: CheckParts,
  channel: Channel,
  { desk, ask }: { desk: Desk; ask: (desk: Desk) => Promise<PlatformAnswer<Value>> },
): Promise<PlatformAnswer<Value>> {
  try {
    const answer = await ask(desk);
    await checkAfter(context, channel, answer);
    return answer;
  } finally {
    await desk.close();
  }
}

/** How a route says that the platform gave no value. */
export type PlatformErrors = {
  platform_unreachable: () => Error;
  platform_refused: (options: { data: { values: { reason: string; word: string } } }) => Error;
};

/** The value that the platform answered with; everything else is an error with the platform's words and its code. */
export function readValue<Value>(answer: PlatformAnswer<Value>, errors: PlatformErrors): Value {
  if (answer.outcome === 'unreachable') throw errors.platform_unreachable();
  if (answer.outcome === 'refused') {
    const values = { reason: answer.reason, word: codeOfRejection(answer) };
    throw errors.platform_refused({ data: { values } });
  }
  return answer.value;
}
