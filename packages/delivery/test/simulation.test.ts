import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { OutboundMessage, SendResult } from '@app/domain/messaging/channel-port';
import { parseDeliveryTag } from '@app/domain/delivery/delivery-tag';
import { recipientState } from '@app/domain/delivery/recipient-state';
import { applyStatuses } from '../src/statuses/apply-statuses.ts';
import type { StatusReport } from '../src/core/aggregate-statuses.ts';
import { createDeliveryEngine } from '../src/engine/engine.ts';
import { pauseRun, resumeRun } from '../src/run-controls.ts';
import { inTransaction } from '../src/transaction.ts';
import {
  compareCounters,
  type DeliveryScene,
  openDeliveryScene,
  quietLogger,
  readEmitted,
  emitPlainly,
  waitFor,
} from './support/delivery-scene.ts';
import { accept, createFakePlatform, type FakePlatform } from './support/fake-platform.ts';
import { createMortalProcess, fastClock, type MortalProcess, seededRandom } from './support/simulation.ts';

let scene: DeliveryScene;

beforeAll(async () => {
  scene = await openDeliveryScene();
  await scene.addContacts(250);
});

afterAll(() => scene.close());

/** How many scripts are played; `npm run faults -- simulation` plays many more. */
const scripts = Number(process.env.SIMULATION_SCRIPTS || 3);
const firstScript = Number(process.env.SIMULATION_FIRST || 1);

const speed = 10;
const clock = fastClock(speed);

/** Fails, delays and loses what a seed says. What it loses after accepting is in the ledger all the same. */
function createUnreliablePlatform(random: () => number): FakePlatform {
  const platform = createFakePlatform();
  platform.answer = async (message: OutboundMessage): Promise<SendResult | undefined> => {
    await new Promise((resolve) => setTimeout(resolve, random() * 8));
    const dice = random();
    const refused = (
      code: string,
      action: Extract<SendResult, { outcome: 'refused' }>['action'],
    ): SendResult => ({
      outcome: 'refused',
      error: { code, title: code },
      action,
    });
    if (dice < 0.75) return undefined;
    if (dice < 0.8) {
      accept(platform, message);
      return { outcome: 'unknown', reason: 'connection_lost' };
    }
    if (dice < 0.83) return { outcome: 'unknown', reason: 'response_timeout' };
    if (dice < 0.86) return { outcome: 'not_sent', reason: 'connect_refused' };
    if (dice < 0.89) return refused('131016', { kind: 'retry', maxAttempts: 4, pauses: 'recipient' });
    if (dice < 0.91) return refused('131056', { kind: 'retry_pair', baseSeconds: 4 });
    if (dice < 0.94) return refused('130429', { kind: 'lower_rate' });
    return refused('131026', { kind: 'fail' });
  };
  return platform;
}

/** Tells the product what became of every message in the ledger: in any order, some of it twice, some of it early. */
async function reportEverything(
  platform: FakePlatform,
  random: () => number,
  isFinal: boolean,
): Promise<void> {
  const reports = platform.ledger
    .filter(() => isFinal || random() < 0.5)
    .flatMap(({ tag, messageId }, place): StatusReport[] => {
      const report = (status: StatusReport['status'], at: number): StatusReport => ({
        workspaceId: scene.workspaceId,
        tag,
        status,
        occurredAt: Date.UTC(2026, 0, 1) + place * 1_000 + at,
        messageId,
        error: status === 'failed' ? { code: '131026', title: 'Undeliverable' } : null,
        action: null,
      });
      const story = [
        report('sent', 1),
        place % 9 === 0 ? report('failed', 5) : report('delivered', 2),
        report('sent', 1),
      ];
      return place % 3 === 1 ? [...story, report('read', 3)] : story;
    })
    .map((report) => ({ report, order: random() }))
    .sort((a, b) => a.order - b.order)
    .map(({ report }) => report);
  for (let from = 0; from < reports.length; from += 40)
    await inTransaction(scene.database.systemPool, (client) =>
      applyStatuses(client, reports.slice(from, from + 40)),
    );
}

test.each(Array.from({ length: scripts }, (_, place) => firstScript + place))(
  'script %i: nobody is lost, nobody is sent to twice, every figure is true',
  async (seed) => {
    const random = seededRandom(seed);
    const pool = scene.database.systemPool;
    const platform = createUnreliablePlatform(random);
    const channelId = await scene.addChannel();
    const runNo = await scene.startRunOf({ channelId });

    const startProcess = async (lossRate: number): Promise<MortalProcess & { stop(): Promise<void> }> => {
      const mortal = createMortalProcess(pool, clock, random, lossRate);
      const engine = createDeliveryEngine({
        systemPool: mortal.pool,
        channelFor: (id) =>
          Promise.resolve(id === channelId ? { channel: platform, messagesPerSecond: 40 } : null),
        publish: () => undefined,
        emit: emitPlainly,
        logger: quietLogger,
        ownerId: randomUUID(),
        clock: mortal.clock,
        random,
        leaseMs: 4_000,
      });
      await engine.start();
      return Object.assign(mortal, { stop: () => engine.stop(500) });
    };

    for (let act = 0; act < 4; act += 1) {
      const process = await startProcess(0.02);
      await new Promise((resolve) => setTimeout(resolve, 150 + random() * 150));
      if (random() < 0.5) {
        await pauseRun(pool, runNo);
        await new Promise((resolve) => setTimeout(resolve, random() * 60));
        await resumeRun(pool, runNo);
      }
      await reportEverything(platform, random, false);
      // A dead process renews nothing; its lease is ended here so that the test need not wait for it.
      if (random() < 0.7) {
        process.die();
        await pool.query(`UPDATE delivery_channels SET lease_until = now() WHERE channel_id = $1`, [
          channelId,
        ]);
      } else await process.stop();
    }
    const last = await startProcess(0);
    await waitFor(async () => (await scene.progress(runNo)).completedAt !== null);
    await reportEverything(platform, random, true);
    await last.stop();

    const sentTo = new Map<number, number>();
    for (const { tag } of platform.ledger) {
      const seq = parseDeliveryTag(tag)?.seq ?? -1;
      sentTo.set(seq, (sentTo.get(seq) ?? 0) + 1);
    }
    expect(Math.max(...sentTo.values())).toBe(1);
    const { rows } = await pool.query<{ seq: number; state: number }>(
      'SELECT seq, state FROM delivery_recipients WHERE run_no = $1',
      [runNo],
    );
    for (const { seq, state } of rows)
      expect([seq, state === recipientState.accepted]).toEqual([seq, sentTo.has(seq)]);
    const { shown, recounted } = await compareCounters(scene, runNo);
    expect(shown).toEqual(recounted);
    expect(shown.pending).toBe(0);
    // Whoever died over it.
    const told = await readEmitted(scene, runNo);
    expect(told.filter(({ type }) => type === 'campaign.completed')).toHaveLength(1);
  },
  60_000,
);
