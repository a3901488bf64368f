import { randomUUID } from 'node:crypto';
import { parseMessageTag } from '@app/domain/conversations/message-tag';
import type { SendResult } from '@app/domain/messaging/channel-port';
import { afterAll, expect, test } from 'vitest';
import type { StatusReport } from '../src/core/aggregate-statuses.ts';
import { systemClock } from '../src/delivery-host.ts';
import { createDeliveryEngine } from '../src/engine/engine.ts';
import { applyMessageStatuses } from '../src/messages/apply-message-statuses.ts';
import { inTransaction } from '../src/transaction.ts';
import { quietLogger, emitPlainly, waitFor } from './support/delivery-scene.ts';
import { accept, createFakePlatform, type FakePlatform } from './support/fake-platform.ts';
import { openMessageScene } from './support/message-scene.ts';
import { createMortalProcess, type MortalProcess, seededRandom } from './support/simulation.ts';

const scene = await openMessageScene();
const pool = scene.database.systemPool;
afterAll(() => scene.close());

const scripts = Number(process.env.SIMULATION_SCRIPTS || 2);
const firstScript = Number(process.env.SIMULATION_FIRST || 1);
const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** What it loses after accepting is in the ledger all the same. */
function createUnreliablePlatform(random: () => number): FakePlatform {
  const platform = createFakePlatform();
  platform.answer = async (message): Promise<SendResult | undefined> => {
    await wait(random() * 15);
    const dice = random();
    const refused = (
      code: string,
      action: Extract<SendResult, { outcome: 'refused' }>['action'],
    ): SendResult => ({
      ...{ outcome: 'refused', error: { code, title: code }, action },
    });
    if (dice < 0.78) return undefined;
    if (dice < 0.83) {
      accept(platform, message);
      return { outcome: 'unknown', reason: 'connection_lost' };
    }
    if (dice < 0.86) return { outcome: 'unknown', reason: 'response_timeout' };
    if (dice < 0.88) return { outcome: 'not_sent', reason: 'connect_refused' };
    if (dice < 0.94)
      return refused('131016', { kind: 'retry', afterMs: 150, maxAttempts: 5, pauses: 'recipient' });
    return refused('131026', { kind: 'fail' });
  };
  return platform;
}

/** In any order, some of it twice, some of it before the answer of the call was stored. */
async function report(platform: FakePlatform, random: () => number, isFinal: boolean): Promise<void> {
  const reports = platform.ledger
    .filter(({ tag }) => parseMessageTag(tag) !== null && (isFinal || random() < 0.5))
    .flatMap(({ tag, messageId }, place): StatusReport[] =>
      (['sent', 'delivered', 'sent', 'read'] as const).map((status, step) => ({
        ...{ workspaceId: scene.workspaceId, tag, status, messageId, error: null, action: null },
        occurredAt: Date.UTC(2026, 0, 1) + place * 1_000 + step,
      })),
    )
    .map((one) => ({ one, order: random() }))
    .sort((a, b) => a.order - b.order)
    .map(({ one }) => one);
  for (let from = 0; from < reports.length; from += 25)
    await inTransaction(pool, (client) =>
      applyMessageStatuses(client, reports.slice(from, from + 25), Date.now()),
    );
}

test.each(Array.from({ length: scripts }, (_, place) => firstScript + place))(
  'script %i: beside a campaign, with processes that die, each leaves at most once, in its order, and none is lost',
  async (seed) => {
    const random = seededRandom(seed);
    const platform = createUnreliablePlatform(random);
    await scene.query('DELETE FROM messages');
    const people = [];
    for (let person = 0; person < 6; person += 1) people.push(await scene.addConversation());
    await scene.startRunOf();

    const startProcess = async (
      lossRate: number,
    ): Promise<MortalProcess & { stop(): Promise<void>; owner: string }> => {
      const mortal = createMortalProcess(pool, systemClock, random, lossRate);
      const owner = randomUUID();
      const engine = createDeliveryEngine({
        systemPool: mortal.pool,
        channelFor: () => Promise.resolve({ channel: platform, messagesPerSecond: 40 }),
        publish: () => undefined,
        ...{
          emit: emitPlainly,
          logger: quietLogger,
          ownerId: owner,
          clock: mortal.clock,
          random,
          leaseMs: 4_000,
        },
      });
      await engine.start();
      return Object.assign(mortal, { owner, stop: () => engine.stop(500) });
    };

    for (let act = 0; act < 3; act += 1) {
      const processes = [await startProcess(0.02), await startProcess(0)];
      for (let message = 0; message < 20; message += 1) {
        await scene.leave(people[Math.floor(random() * people.length)]!, `${act}.${message}`);
        await wait(random() * 8);
      }
      await report(platform, random, false);
      const [first, second] = processes as [(typeof processes)[0], (typeof processes)[0]];
      // Its leases are ended here so that the test need not wait for them.
      first.die();
      await scene.query('UPDATE delivery_channels SET lease_until = now() WHERE owner = $1', [first.owner]);
      await scene.query(`UPDATE messages SET lease_until = now() WHERE owner = $1 AND state = 'queued'`, [
        first.owner,
      ]);
      await second.stop();
    }
    const last = await startProcess(0);
    await waitFor(async () => {
      const open = await scene.query(`SELECT FROM messages WHERE state IN ('queued', 'sending')`);
      return open.length === 0;
    });
    await report(platform, random, true);
    await last.stop();

    const numbers = platform.ledger.flatMap(({ tag }) => parseMessageTag(tag)?.no ?? []);
    expect(new Set(numbers).size).toBe(numbers.length);
    const all = await scene.readAll();
    expect(all).toHaveLength(60);
    for (const { no, state } of all) expect([no, state === 'accepted']).toEqual([no, numbers.includes(no)]);
    for (const person of people) {
      const own = all.filter(({ contact_id: contactId }) => contactId === person).map(({ no }) => no);
      const left = numbers.filter((no) => own.includes(no));
      expect(left).toEqual(left.toSorted((a, b) => a - b));
    }
    const kept = () =>
      scene.query(
        'SELECT contact_id, last_message_id, last_outbound_at, waiting_since, unread FROM conversations ORDER BY 1',
      );
    const before = await kept();
    await scene.query('SELECT recount_conversations($1, $2)', [scene.workspaceId, people]);
    expect(before).toEqual(await kept());
  },
);
