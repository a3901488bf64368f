import { formatMessageTag } from '@app/domain/conversations/message-tag';
import type { DeliveryChannel, DeliveryClock } from '../delivery-host.ts';
import { holdsFile } from './bring-file.ts';
import { readMessage, validateMessage } from './claim-message.ts';
import type { LostMessage } from './give-up-messages.ts';
import type { Transact } from './send-claimed.ts';
import { settleMessage } from './settle-message.ts';

export type RepeatParts = {
  transact: Transact;
  delivery: Pick<DeliveryChannel, 'channel' | 'takesUserIds' | 'ignoresRepeats'>;
  clock: DeliveryClock;
};

/**
 * Sends the try again that a process left in doubt when it died, where the platform delivers each try once. What the platform accepts is in doubt
 * no more; every other answer proves nothing about the first call. A message with a file stays in doubt: its name at the platform died
 * with the process.
 */
export async function repeatMessage(
  { transact, delivery, clock }: RepeatParts,
  { id, workspaceId, attempt }: LostMessage,
): Promise<void> {
  if (!delivery.ignoresRepeats) return;
  const message = await transact(workspaceId, async (client) => {
    const isInDoubt = `m.state = 'unknown' AND m.error_code = 'sender_lost' AND m.attempt = $2`;
    const found = await readMessage(client, id, isInDoubt, [attempt]);
    if (!found) return null;
    const takesUserIds = delivery.takesUserIds ?? true;
    const { message: own, refusal } = validateMessage(found, { now: clock.now(), takesUserIds });
    return refusal === null && !holdsFile(own) ? own : null;
  });
  if (!message) return;
  const { to, no, content, intent } = message;
  const tag = formatMessageTag({ no, attempt });
  const result = await delivery.channel.send({ to, tag, origin: id, content, intent });
  if (result.outcome !== 'accepted') return;
  const { providerMessageId } = result;
  await transact(workspaceId, (client, emit) =>
    settleMessage(client, message, { outcome: { to: 'accepted', providerMessageId }, emit }),
  );
}
