import { formatDeliveryTag } from '@app/domain/delivery/delivery-tag';
import type { MessageChannel } from '@app/domain/messaging/channel-port';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { takeChannel, takeRuns } from '../src/engine/channel-lease.ts';
import { claimSlice } from '../src/recipients/claim-recipients.ts';
import { resolveUnknown } from '../src/run-controls.ts';
import { inTransaction } from '../src/transaction.ts';
import { compareCounters, openDeliveryScene, waitFor, type DeliveryScene } from './support/delivery-scene.ts';
import { accept } from './support/fake-platform.ts';

let scene: DeliveryScene;
beforeEach(async () => {
  scene = await openDeliveryScene();
});
afterEach(() => scene.close());

/** It delivers a tag once, and answers a repeated call as it did the first one. */
const onceByTag = (): MessageChannel => ({
  async send(message, signal) {
    const known = scene.platform.ledger.find(({ tag }) => tag === message.tag);
    return known
      ? { outcome: 'accepted', providerMessageId: known.messageId }
      : scene.platform.send(message, signal);
  },
});

/** A sender claims four of six people, sends to the first of them, and dies. */
async function dieMidway(): Promise<{ runNo: number; people: string[] }> {
  const people = await scene.addContacts(6);
  const runNo = await scene.startRunOf();
  const pool = scene.database.systemPool;
  const facts = { category: 'marketing', needsCustomValues: false } as const;
  await inTransaction(pool, async (client) => {
    const lease = await takeChannel(client, scene.channelId, 'dead', 60_000);
    await takeRuns(client, lease!); // nobody else has it
    const slice = { from: 0, upto: 4, lowWater: 0, now: Date.now(), facts };
    const claimed = await claimSlice(client, runNo, lease!, slice);
    const [first] = claimed ?? [];
    if (!first) throw new Error('Nobody was claimed.');
    const tag = formatDeliveryTag({ runNo, seq: first.seq, attempt: first.attempt });
    const content = { type: 'text' as const, body: 'Hello' };
    accept(scene.platform, { to: first.address, tag, content });
  });
  // The second of them opts out before anybody goes on.
  await pool.query(
    `UPDATE contacts SET opted_out_at = now() WHERE id = (SELECT contact_id FROM delivery_recipients WHERE run_no = $1 AND seq = 1)`,
    [runNo],
  );
  return { runNo, people };
}

const goOn = (ignoresRepeats: boolean) =>
  scene.engine({
    channelFor: async () => ({ ...scene.deliveryChannel(), channel: onceByTag(), ignoresRepeats }),
  });

const endedAgo = (ago: string) =>
  scene.database.systemPool.query(
    `UPDATE delivery_channels SET lease_until = now() - $1::interval WHERE owner = 'dead'`,
    [ago],
  );

test.each([
  ['a platform that delivers each try once gets them again', true, '1 second', 1],
  ['any other platform gets nothing again', false, '1 second', 4],
  ['nobody repeats what was left in doubt long ago', true, '1 hour', 4],
])('after the death of a sender %s', async (_, ignoresRepeats, ago, unknown) => {
  const { runNo, people } = await dieMidway();
  await endedAgo(ago);
  const engine = await goOn(ignoresRepeats);
  await scene.finish(runNo);
  await waitFor(async () => (await scene.progress(runNo)).counters.unknown <= unknown);
  await engine.stop(5_000);
  const { shown, recounted } = await compareCounters(scene, runNo);
  expect(shown).toEqual(recounted);
  expect(shown).toMatchObject({ total: 6, unknown, accepted: 6 - unknown });
  const reached = scene.platform.ledger.map(({ to }) => to);
  expect(new Set(reached).size).toBe(reached.length);
  expect(reached).toHaveLength(ignoresRepeats && unknown === 1 ? people.length - 1 : 3);
});

test.each([
  ['a platform that delivers each try once', true, 1],
  ['any other platform', false, 2],
])(
  'who is sent to again by a person gets from %s as many messages as it took for new',
  async (_, ignoresRepeats, messages) => {
    await scene.addContacts(3);
    // Each call is lost after the platform took its message.
    let isLost = true;
    const once = onceByTag();
    const channel: MessageChannel = {
      async send(message, signal) {
        const result = await once.send(message, signal);
        return isLost ? { outcome: 'unknown', reason: 'connection_lost' } : result;
      },
    };
    const engine = await scene.engine({
      channelFor: async () => ({ ...scene.deliveryChannel(), channel, ignoresRepeats }),
    });
    const runNo = await scene.startRunOf();
    expect((await scene.finish(runNo)).counters.unknown).toBe(3);
    isLost = false;
    const { systemPool } = scene.database;
    expect(
      await inTransaction(systemPool, (client) =>
        resolveUnknown(client, runNo, 'mark_not_sent_and_send', { ignoresRepeats }),
      ),
    ).toBe(3);
    expect((await scene.finish(runNo)).counters).toMatchObject({ accepted: 3, unknown: 0 });
    await engine.stop(5_000);
    const { shown, recounted } = await compareCounters(scene, runNo);
    expect(shown).toEqual(recounted);
    const reached = scene.platform.ledger.map(({ to }) => to);
    expect([new Set(reached).size, reached.length]).toEqual([3, 3 * messages]);
  },
);
