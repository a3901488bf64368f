import type pg from 'pg';
import type { DeliveryChannel, DeliveryClock } from '../delivery-host.ts';
import { readLostRecipient } from '../recipients/claim-recipients.ts';
import { factsOf, type RunWork } from '../recipients/run-work.ts';
import { applyStatuses } from '../statuses/apply-statuses.ts';
import { inTransaction } from '../transaction.ts';

export type RepeatOptions = {
  pool: pg.Pool;
  workspaceId: string;
  delivery: Pick<DeliveryChannel, 'channel'>;
  clock: DeliveryClock;
  /** False as soon as nothing of this run may leave through us. */
  maySend(run: RunWork): boolean;
  /** One more leaves, beside those that have a place in the rate. */
  onLeave(): void;
};

/**
 * Sends the tries again that an earlier sender of the run left in doubt when it died, one after the other, on a channel that delivers each try
 * once (`ignoresRepeats`). What the platform accepts is in doubt no more. Every other answer proves nothing about the first call, so the
 * recipient stays unknown.
 */
export async function repeatLost(
  options: RepeatOptions,
  run: RunWork,
  seqs: readonly number[],
): Promise<void> {
  const { pool, workspaceId, delivery, clock, maySend, onLeave } = options;
  for (const seq of seqs) {
    if (!maySend(run)) return;
    const recipient = await readLostRecipient(pool, run.runNo, { seq, facts: run.facts, now: clock.now() });
    if (!recipient || recipient.cancelReason !== null || run.missingValue(factsOf(recipient)) !== null)
      continue;
    onLeave();
    const message = run.messageTo(recipient);
    const result = await delivery.channel.send(message);
    if (result.outcome === 'refused') continue;
    // The platform is not there: asking for the others would only take time.
    if (result.outcome !== 'accepted') return;
    const report = {
      ...{ tag: message.tag, workspaceId, messageId: result.providerMessageId },
      ...{ status: 'sent' as const, occurredAt: Date.now(), error: null, action: null },
    };
    await inTransaction(pool, (client) => applyStatuses(client, [report]));
  }
}
