import { recountConversations } from '@app/database/conversations/note-messages';
import { databaseTrouble } from '@app/database/query-error';
import { formatMessageTag } from '@app/domain/conversations/message-tag';
import type { CancelSignal, MessageChannel, SendResult } from '@app/domain/messaging/channel-port';
import type { MessageContent } from '@app/domain/messaging/message-content';
import type { DeliveryClock } from '../delivery-host.ts';
import type { SqlClient } from '../sql-client.ts';
import { beginMessage, CALL_MS, type CancelCode, type OwnMessage } from './claim-message.ts';
import { applyMessageEffect } from './message-effects.ts';
import { decideMessage, type MessageOutcome } from './message-outcome.ts';
import { settleMessage } from './settle-message.ts';
import { emitMessage, type EmitFact } from './emit-message.ts';

/** One transaction in the message's workspace, with the way to tell in it. */
export type Transact = <Result>(
  workspaceId: string,
  work: (client: SqlClient, emit: EmitFact) => Promise<Result>,
) => Promise<Result>;

export type SendParts = {
  transact: Transact;
  channel: MessageChannel;
  clock: DeliveryClock;
  random: () => number;
  owner: string;
  takesUserIds?: boolean | undefined;
  signal?: CancelSignal;
  /** How to wait for the message's moment; else by the clock. */
  wait?(ms: number): Promise<void>;
};

export type Sent =
  | MessageOutcome
  | { to: 'cancelled'; code: CancelCode }
  /** Somebody else has it by now. */
  | { to: 'lost' };

/** Sends a claimed message at its moment, and stores what became of it. */
export async function sendClaimed(
  parts: SendParts,
  claimed: { message: OwnMessage; waitMs: number; content?: MessageContent },
): Promise<Sent> {
  const { transact, channel, clock, random, owner, signal, takesUserIds } = parts;
  const { id, workspaceId } = claimed.message;
  const wait = parts.wait ?? ((ms) => new Promise<void>((resolve) => void clock.after(ms, resolve)));
  if (claimed.waitMs > 0) await wait(claimed.waitMs);
  const startedAt = clock.now();
  const begun = await transact(workspaceId, async (client, emit) => {
    const outcome = await beginMessage(client, { id, owner, now: clock.now(), takesUserIds });
    if (outcome?.outcome === 'cancelled') await emitCancelled(client, outcome, emit);
    return outcome;
  });
  if (!begun) return { to: 'lost' };
  if (begun.outcome === 'cancelled') return { to: 'cancelled', code: begun.code };
  const { message } = begun;
  const { to, intent } = message;
  // A file has its name at the platform by now.
  const content = claimed.content ?? message.content;
  const tag = formatMessageTag({ no: message.no, attempt: message.attempt });
  // A process that stood still so long is given up by the others.
  const isLate = clock.now() - startedAt > CALL_MS / 2;
  const result: SendResult = isLate
    ? { outcome: 'not_sent', reason: 'cancelled' }
    : await channel
        .send({ to, tag, origin: id, content, intent }, signal)
        .catch((): SendResult => ({ outcome: 'unknown', reason: 'connection_lost' }));
  const now = clock.now();
  const { outcome, effect } = decideMessage(result, { message, now, jitter: random() });
  // First what the answer says of the person or the number: a process that dies in between leaves the message in doubt, and no opt-out that nobody knows of.
  const applied = persist(clock, () =>
    effect
      ? transact(workspaceId, (client, emit) => applyMessageEffect(client, message, { effect, emit }))
      : Promise.resolve(),
  );
  await applied.catch(() => undefined);
  await persist(clock, () =>
    transact(workspaceId, (client, emit) => settleMessage(client, message, { outcome, emit })),
  );
  await applied;
  return outcome;
}

const STORE_TRIES = 6;

/** What the platform answered is known here alone: a database that is away for a moment must not lose it. Harmless to repeat. */
async function persist(clock: DeliveryClock, store: () => Promise<void>): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await store();
    } catch (error) {
      if (attempt === STORE_TRIES || databaseTrouble(error) === undefined) throw error;
      await new Promise<void>((resolve) => void clock.after(100 * 2 ** attempt, resolve));
    }
  }
}

/** Tells that a message did not leave, in the transaction that cancelled it. */
export async function emitCancelled(
  client: SqlClient,
  { message, code }: { message: OwnMessage; code: CancelCode },
  emit: EmitFact,
): Promise<void> {
  if (message.contactId !== null)
    await recountConversations(client, message.workspaceId, [message.contactId]);
  await emitMessage(client, message, { outcome: { to: 'not_sent', code }, emit });
}
