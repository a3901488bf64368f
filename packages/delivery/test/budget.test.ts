import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { longTest } from '@app/database/testing/long-test';
import type { SendResult } from '@app/domain/messaging/channel-port';
import type { StatusReport } from '../src/core/aggregate-statuses.ts';
import { claimMessage } from '../src/messages/claim-message.ts';
import { resolveUnknown } from '../src/run-controls.ts';
import { applyStatuses } from '../src/statuses/apply-statuses.ts';
import { inTransaction } from '../src/transaction.ts';
import { createDeliveryEngine } from '../src/engine/engine.ts';
import { quietLogger, emitPlainly, waitFor } from './support/delivery-scene.ts';
import { openMessageScene, type MessageScene } from './support/message-scene.ts';
import { createMortalProcess, fastClock, seededRandom } from './support/simulation.ts';

let scene: MessageScene;

beforeEach(async () => {
  scene = await openMessageScene();
});

afterEach(() => scene.close());

const CENT = 10_000;
/** Every third person lives where a message costs more. */
const priceOfAddress = (address: string) => (Number(address.at(-1)) % 3 === 0 ? 13 : 5) * CENT;
const priceOf = (address: string, category: string) => (category === 'service' ? 0 : priceOfAddress(address));
const budget = (perMonth: number, isEnabled = true) =>
  scene.query(`UPDATE workspaces SET settings = settings || jsonb_build_object('budget', $1::jsonb)`, [
    JSON.stringify({ isEnabled, perMonth }),
  ]);
const spent = () => scene.platform.ledger.reduce((sum, { to }) => sum + priceOfAddress(to), 0);

/** What is counted now, what came back taken off. */
async function counted(): Promise<number> {
  const [row] = await scene.query<{ used: string }>(
    `SELECT coalesce(sum(used), 0) - (SELECT coalesce(sum(amount), 0) FROM budget_returns) AS used FROM budget_months`,
  );
  return Number(row?.used ?? 0);
}
async function charged(): Promise<number> {
  const [row] = await scene.query<{ sum: string }>(
    'SELECT coalesce(sum(amount), 0) AS sum FROM budget_charges WHERE given_back_for IS NULL',
  );
  return Number(row?.sum ?? 0);
}

const noConnection: SendResult = { outcome: 'not_sent', reason: 'connect_refused' };
const refused: SendResult = {
  outcome: 'refused',
  error: { code: '131026', title: 'No' },
  action: { kind: 'fail' },
};
const again: SendResult = {
  outcome: 'refused',
  error: { code: '131016', title: 'Try again' },
  action: { kind: 'retry', afterMs: 30, maxAttempts: 9, pauses: 'recipient' },
};
const lost: SendResult = { outcome: 'unknown', reason: 'connection_lost' };

describe('a campaign', () => {
  test('stops where the next message would not fit, and goes on when the budget is raised or switched off', async () => {
    await scene.addContacts(60);
    scene.limits = { priceOf };
    await budget(2);
    await scene.engine();
    const runNo = await scene.startRunOf();
    const { pause } = await scene.finish(runNo, 'paused');
    expect(pause?.reason).toBe('budget');
    // It goes on next month by itself.
    expect(new Date(pause!.resumeAt!).getUTCDate()).toBe(1);
    expect(spent()).toBeLessThanOrEqual(200 * CENT);
    expect(spent()).toBeGreaterThan(187 * CENT);
    expect(await counted()).toBe(spent());
    await budget(2.5);
    await waitFor(() => spent() > 237 * CENT);
    expect(spent()).toBeLessThanOrEqual(250 * CENT);
    await scene.finish(runNo, 'paused');
    await budget(2.5, false);
    await scene.finish(runNo);
    expect(scene.platform.ledger).toHaveLength(60);
  });

  test('of free text costs nothing, whatever the budget is', async () => {
    await scene.addContacts(10);
    await scene.query(`UPDATE contacts SET window_expires_at = now() + interval '5 hours'`);
    scene.limits = { priceOf };
    await budget(0.01);
    await scene.engine();
    const runNo = await scene.startRunOf({ category: 'service' });
    await scene.finish(runNo, 'completed');
    expect(await counted()).toBe(0);
  });

  test('is charged for what the platform reports as paid, and for nothing that failed', async () => {
    await scene.addContacts(12);
    scene.limits = { priceOf };
    await budget(100);
    await scene.engine();
    const runNo = await scene.startRunOf();
    await scene.finish(runNo);
    expect(await counted()).toBe(spent());
    const report = (place: number, more: Partial<StatusReport>): StatusReport => {
      const { tag, messageId } = scene.platform.ledger[place]!;
      const from = { workspaceId: scene.workspaceId, tag, messageId, occurredAt: Date.now() };
      return { ...from, status: 'sent', error: null, action: null, ...more };
    };
    const free = { model: 'PMP', type: 'free_entry_point', category: 'marketing', billable: false };
    const paid = { ...free, type: 'regular', billable: true };
    const error = { code: '131049', title: 'Not now' };
    const reports = [
      report(0, { pricing: free }),
      report(1, { pricing: paid, status: 'delivered' }),
      report(2, { status: 'failed', error }),
      // Somebody has it, whatever is said of it later.
      report(1, { status: 'failed', error, occurredAt: Date.now() + 5 }),
      // Nobody else's reports change anything here.
      report(3, { pricing: free, workspaceId: randomUUID() }),
    ];
    const costs = scene.platform.ledger.map(({ to }) => priceOfAddress(to));
    const left = spent() - costs[0]! - costs[2]!;
    for (const _ of ['once', 'again']) {
      await inTransaction(scene.database.systemPool, (client) => applyStatuses(client, reports));
      expect(await counted()).toBe(left);
    }
  });

  longTest(
    'is charged again for what somebody has after all, full or not, and never for what is free',
    async () => {
      await scene.addContacts(3);
      scene.limits = { priceOf };
      await budget(100);
      await scene.engine();
      await scene.finish(await scene.startRunOf());
      const all = spent();
      const costs = scene.platform.ledger.map(({ to }) => priceOfAddress(to));
      const emit = async (place: number, more: Partial<StatusReport>): Promise<number> => {
        const { tag, messageId } = scene.platform.ledger[place]!;
        const from = { workspaceId: scene.workspaceId, tag, messageId, occurredAt: Date.now() };
        const report: StatusReport = { ...from, status: 'sent', error: null, action: null, ...more };
        for (const _ of ['once', 'again'])
          await inTransaction(scene.database.systemPool, (client) => applyStatuses(client, [report]));
        return counted();
      };
      const error = { code: '131026', title: 'Undeliverable' };
      expect(await emit(0, { status: 'failed', error })).toBe(all - costs[0]!);
      // It was sent before it failed, whichever is told first.
      expect(await emit(0, { status: 'sent', occurredAt: Date.now() - 60_000 })).toBe(all - costs[0]!);
      // The month is full meanwhile: what is spent is shown, and nothing more leaves.
      await budget(0.01);
      expect(await emit(0, { status: 'delivered' })).toBe(all);
      expect(await emit(0, { status: 'failed', error, occurredAt: Date.now() + 5 })).toBe(all);
      const free = { model: 'PMP', type: 'free_entry_point', category: 'marketing', billable: false };
      expect(await emit(1, { status: 'failed', error })).toBe(all - costs[1]!);
      expect(await emit(1, { status: 'delivered', pricing: free })).toBe(all - costs[1]!);
      expect(await emit(1, { status: 'read' })).toBe(all - costs[1]!);
    },
  );

  test('whose messages are in doubt stays charged until somebody says that they never left', async () => {
    await scene.addContacts(6);
    scene.limits = { priceOf };
    scene.platform.answer = () => lost;
    await budget(100);
    await scene.engine();
    const runNo = await scene.startRunOf();
    await waitFor(async () => (await scene.progress(runNo)).counters.unknown > 0);
    await scene.finish(runNo);
    const inDoubt = await counted();
    expect(inDoubt).toBeGreaterThan(0);
    await inTransaction(scene.database.systemPool, (client) =>
      resolveUnknown(client, runNo, 'mark_not_sent'),
    );
    expect(await counted()).toBe(0);
  });
});

longTest.each([1, 2, 3, 4])(
  'seed %i: of processes that die at any moment, through two numbers, no more is spent than the budget',
  async (seed) => {
    const random = seededRandom(seed);
    const clock = fastClock(4);
    const pool = scene.database.systemPool;
    const most = 600 * CENT;
    await scene.addContacts(150);
    await budget(6);
    const channels = [scene.channelId, await scene.addChannel()];
    const runs: number[] = [];
    for (const channelId of channels) runs.push(await scene.startRunOf({ channelId }));
    scene.platform.answer = async () => {
      await new Promise((resolve) => setTimeout(resolve, random() * 10));
      const dice = random();
      if (dice < 0.7) return undefined;
      if (dice < 0.8) return again;
      if (dice < 0.9) return noConnection;
      return dice < 0.95 ? refused : lost;
    };
    const begin = async (lossRate: number) => {
      const mortal = createMortalProcess(pool, clock, random, lossRate);
      const engine = createDeliveryEngine({
        ...{ systemPool: mortal.pool, clock: mortal.clock, random, ownerId: randomUUID(), leaseMs: 4_000 },
        ...{ publish: () => undefined, emit: emitPlainly, logger: quietLogger },
        channelFor: () =>
          Promise.resolve({ channel: scene.platform, messagesPerSecond: 60, limits: { priceOf } }),
      });
      // Of a network that broke before it had begun nobody hears more.
      await engine.start().catch(() => undefined);
      return mortal;
    };
    const isTrue = async () => {
      // First what was spent: what is handed out was counted before.
      const [paid, used] = [spent(), await counted()];
      expect(paid).toBeLessThanOrEqual(most);
      expect(used).toBeLessThanOrEqual(most);
    };
    for (let act = 0; act < 4; act += 1) {
      const processes = [await begin(0.02), await begin(0.02)];
      await new Promise((resolve) => setTimeout(resolve, 100 + random() * 200));
      for (const mortal of processes) mortal.die();
      await pool.query(`UPDATE delivery_channels SET lease_until = now() - interval '1 second'`);
      await isTrue();
    }
    // Whoever is left goes on to the end of the budget, and not beyond it.
    scene.limits = { priceOf };
    await scene.engine();
    for (const runNo of runs) expect((await scene.finish(runNo, 'paused')).pause?.reason).toBe('budget');
    await isTrue();
    expect(await counted()).toBeGreaterThan(most - 13 * CENT);
    // What is counted is what is charged, row by row.
    expect(await counted()).toBe(await charged());
    expect(spent()).toBeGreaterThan(0);
  },
);

describe('a single message', () => {
  const template = { type: 'template', name: 'sale', language: 'en', components: [] } as never;
  const claim = (id: string) =>
    inTransaction(scene.database.systemPool, (client) =>
      claimMessage(client, { id, owner: 'me', perDay: null, priceOf, now: Date.now() }),
    );

  test('takes its price once, is turned away when it does not fit, and gives back what did not leave', async () => {
    await budget(0.13);
    const leave = async () =>
      scene.leave(await scene.addConversation(), 'Sale', {
        ...{ content: template, isMarketing: true, needsWindow: false },
      });
    const ids = [await leave(), await leave(), await leave()];
    const claims = await Promise.all(ids.map(claim));
    const taken = claims.filter((each) => each?.outcome === 'claimed');
    expect(await counted()).toBe(taken.reduce((sum, each) => sum + priceOfAddress(each!.message.to), 0));
    expect(claims.filter((each) => each?.outcome === 'cancelled')).toMatchObject(
      Array.from({ length: 3 - taken.length }, () => ({ code: 'budget_reached' })),
    );
    expect(taken.length).toBeLessThan(3);
    const used = await counted();
    // Its process died before it left: the next one takes it without paying again.
    await scene.query(`UPDATE messages SET lease_until = now() - interval '1 second' WHERE state = 'queued'`);
    expect(await claim(taken[0]!.message.id)).toMatchObject({ outcome: 'claimed' });
    expect(await counted()).toBe(used);
  });

  test('that is claimed in one month and leaves in the next is charged to the next', async () => {
    await budget(0.13);
    const id = await scene.leave(await scene.addConversation(), 'Sale', {
      ...{ content: template, isMarketing: true, needsWindow: false },
    });
    const at = (now: string) =>
      inTransaction(scene.database.systemPool, (client) =>
        claimMessage(client, { id, owner: 'me', perDay: null, priceOf, now: Date.parse(now) }),
      );
    const byMonth = () =>
      scene.query<{ month: string; used: number }>(
        `SELECT m.month::text AS month, (m.used - coalesce((SELECT sum(amount) FROM budget_returns b WHERE b.month = m.month), 0))::integer AS used
           FROM budget_months m ORDER BY month`,
      );
    const claimed = await at('2026-11-30T23:59:59Z');
    const cost = priceOfAddress(claimed!.message.to);
    expect(await byMonth()).toEqual([{ month: '2026-11-01', used: cost }]);
    await scene.query(`UPDATE messages SET lease_until = now() - interval '1 second'`);
    expect(await at('2026-12-01T00:00:01Z')).toMatchObject({ outcome: 'claimed' });
    expect(await byMonth()).toEqual([
      { month: '2026-11-01', used: 0 },
      { month: '2026-12-01', used: cost },
    ]);
    // A month that is full turns it away, and nobody has paid.
    await scene.query(`UPDATE messages SET lease_until = now() - interval '1 second';`);
    await budget(0.01);
    expect(await at('2027-01-01T00:00:01Z')).toMatchObject({ outcome: 'cancelled', code: 'budget_reached' });
    expect((await byMonth()).map(({ used }) => used)).toEqual([0, 0, 0]);
  });

  longTest.each([
    ['a reply', { needsWindow: true }, 0],
    [
      'a template that is no marketing, while the window is open',
      { content: template, needsWindow: false },
      0,
    ],
    ['marketing', { content: template, needsWindow: false, isMarketing: true }, 1],
  ])('%s', async (_, more, charges) => {
    await budget(100);
    expect(await claim(await scene.leave(await scene.addConversation(), 'Hello', more))).toMatchObject({
      outcome: 'claimed',
    });
    expect(await scene.query('SELECT FROM budget_charges')).toHaveLength(charges);
  });

  test('that the platform refuses, or reports as failed, costs nothing', async () => {
    scene.limits = { priceOf };
    await budget(100);
    scene.platform.answer = (_, call) => (call === 1 ? refused : undefined);
    await scene.engine();
    const sale = { content: template, needsWindow: false, isMarketing: true };
    const first = await scene.leave(await scene.addConversation(), 'Sale', sale);
    await waitFor(async () => (await scene.read(first)).state === 'refused');
    expect(await counted()).toBe(0);
    const second = await scene.leave(await scene.addConversation(), 'Sale', sale);
    await waitFor(async () => (await scene.read(second)).state === 'accepted');
    expect(await counted()).toBe(spent());
    await scene.report((await scene.read(second)).no, 'failed', Date.now());
    expect(await counted()).toBe(0);
    // Somebody has it after all.
    for (const _ of ['once', 'again'])
      await scene.report((await scene.read(second)).no, 'delivered', Date.now());
    expect(await counted()).toBe(spent());
  });
});
