import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { claimMessage } from '../src/messages/claim-message.ts';
import { releaseScheduled } from '../src/messages/release-scheduled.ts';
import { NoMomentYet, reserveReply } from '../src/pace/reply-rate.ts';
import type { Transact } from '../src/messages/send-claimed.ts';
import { inTransaction } from '../src/transaction.ts';
import { waitFor } from './support/delivery-scene.ts';
import { openMessageScene } from './support/message-scene.ts';

const scene = await openMessageScene();
const pool = scene.database.systemPool;
afterAll(() => scene.close());

beforeEach(async () => {
  for (const table of ['messages', 'conversations', 'delivery_channels'])
    await scene.query(`DELETE FROM ${table}`);
  await scene.query(`UPDATE workspaces SET settings = '{}'`);
  scene.platform.ledger.length = 0;
  scene.platform.answer = () => undefined;
  scene.platform.latencyMs = 0;
  scene.limits = {};
});

const bodies = () => scene.platform.ledger.map(({ body }) => (body as { body: string }).body);
const claim = (id: string, now = Date.now()) =>
  inTransaction(pool, (client) => claimMessage(client, { id, owner: 'test', perDay: null, now }));
const quietFrom = (from: string, to: string) =>
  scene.query('UPDATE workspaces SET settings = $1', [{ quietHours: { from, to, timeZone: 'UTC' } }]);
const at = (time: string) => Date.parse(`2026-03-05T${time}:00Z`);

/** As a flow leaves welcome messages: each to somebody else. */
async function leaveOfFlow(count: number): Promise<void> {
  const contactId = await scene.addConversation();
  await scene.leave(contactId, 'flow', { priority: 'flow', purpose: 'automation' });
  const ids = await scene.addContacts(count - 1);
  await scene.query(
    `INSERT INTO messages (id, workspace_id, channel_id, contact_id, direction, type, text, content, occurred_at, author, author_name, send_no, purpose,
       priority, needs_window, state)
     SELECT gen_random_uuid(), m.workspace_id, m.channel_id, c, 'out', 'text', 'flow', m.content, now(), 'automation', 'Welcome',
            nextval('message_numbers'), 'automation', m.priority, false, 'queued'
       FROM messages m, unnest($1::uuid[]) AS c`,
    [ids],
  );
}

describe("an agent's reply", () => {
  test('leaves next while 5,000 messages of a flow wait for the same number', async () => {
    await leaveOfFlow(5_000);
    const agentOf = await scene.addConversation();
    const engine = await scene.engine();
    await waitFor(() => scene.platform.ledger.length >= 20);
    const before = bodies().length;
    await scene.leave(agentOf, 'agent');
    await waitFor(() => bodies().includes('agent'));
    await engine.stop(500);
    // What has a place at that moment may leave before it: half of the places of a number, and none of the others.
    expect(bodies().indexOf('agent') - before).toBeLessThanOrEqual(16);
    expect(await scene.query(`SELECT FROM messages WHERE state = 'queued'`)).not.toHaveLength(0);
  });

  test('takes the next moment of a slow number, whatever flows wait for', async () => {
    await scene.query('UPDATE channels SET messages_per_second = 1');
    await leaveOfFlow(50);
    const agentOf = await scene.addConversation();
    const engine = await scene.engine();
    await waitFor(() => bodies().length >= 1);
    const id = await scene.leave(agentOf, 'agent');
    await waitFor(async () => (await scene.read(id)).state === 'accepted');
    await engine.stop(500);
    // One that had its moment already, and one whose moment came while the reply was left.
    expect(bodies().indexOf('agent')).toBeLessThanOrEqual(3);
    await scene.query('UPDATE channels SET messages_per_second = 80');
  });

  test('goes before what a flow left earlier in the same conversation, and not into what is being sent', async () => {
    const contactId = await scene.addConversation();
    const flow = await scene.leave(contactId, 'flow', { priority: 'flow' });
    const agent = await scene.leave(contactId, 'agent');
    expect(await claim(flow)).toBeNull();
    expect(await claim(agent)).toMatchObject({ outcome: 'claimed' });
    await scene.query(`UPDATE messages SET state = 'accepted' WHERE id = $1`, [agent]);
    await scene.query(`UPDATE messages SET state = 'sending' WHERE id = $1`, [flow]);
    const next = await scene.leave(contactId, 'next');
    expect(await claim(next)).toBeNull();
  });
});

describe('a moment of a number', () => {
  // One in ten seconds: so slow a number that no machine is slower.
  const reserve = (priority: 'agent' | 'bot' | 'flow') => reserveReply(pool, scene.channelId, 6, priority);

  test('is reserved ahead by agents alone', async () => {
    expect((await reserve('flow')).waitMs).toBeLessThan(2_000);
    await expect(reserve('flow')).rejects.toBeInstanceOf(NoMomentYet);
    await expect(reserve('bot')).rejects.toBeInstanceOf(NoMomentYet);
    expect((await reserve('agent')).waitMs).toBeGreaterThan(5_000);
    expect((await reserve('agent')).waitMs).toBeGreaterThan(15_000);
  });

  test('beside a campaign is one in fifty for flows, and none of it is lost without one', async () => {
    await reserve('agent');
    const free = `next_reply_at = now() - interval '1 minute'`;
    await scene.query(`UPDATE delivery_channels SET ${free}, lease_until = now() + interval '1 minute'`);
    await reserve('flow');
    await scene.query(`UPDATE delivery_channels SET ${free}`);
    const refused = await reserve('flow').catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(NoMomentYet);
    expect((refused as NoMomentYet).waitMs).toBeGreaterThan(180_000);
    expect((await reserve('bot')).waitMs).toBeLessThan(5_000);
    await scene.query(`UPDATE delivery_channels SET ${free}, lease_until = NULL`);
    expect((await reserve('flow')).waitMs).toBeLessThan(5_000);
  });
});

describe('quiet hours', () => {
  test.each([
    ["an agent's reply", { priority: 'agent' }, true],
    ['the answer of a bot', { priority: 'bot', purpose: 'bot' }, true],
    ['marketing of a program', { priority: 'bot', isMarketing: true }, false],
    ['a message of a flow', { priority: 'flow', purpose: 'automation' }, false],
  ] as const)('hold, or let pass: %s', async (_, more, leaves) => {
    await quietFrom('21:00', '09:00');
    const id = await scene.leave(await scene.addConversation(), 'Hi', more);
    const claimed = await claim(id, at('22:00'));
    expect(claimed?.outcome).toBe(leaves ? 'claimed' : undefined);
    const [row] = await scene.query<{ state: string; until: Date | null }>(
      'SELECT state, not_before AS until FROM messages',
    );
    expect(row).toEqual({ state: 'queued', until: leaves ? null : new Date('2026-03-06T09:00:00Z') });
  });

  test('that began since put what is due off until they end, and an agent may send it at once', async () => {
    await quietFrom('21:00', '09:00');
    const contactId = await scene.addConversation();
    await scene.query(`UPDATE conversations SET window_ends_at = '2027-01-01'`);
    const sendAt = new Date(at('22:00'));
    const id = await scene.leave(contactId, 'Hi', { priority: 'flow', purpose: 'automation', sendAt });
    const transact: Transact = (_, work) => inTransaction(pool, (client) => work(client, async () => {}));
    const onFault = (error: unknown) => expect.unreachable(String(error));
    await releaseScheduled(pool, transact, { now: at('22:01'), onFault });
    const read = () => scene.query('SELECT state, send_at AS at, priority FROM messages WHERE id = $1', [id]);
    expect(await read()).toEqual([{ state: 'scheduled', at: new Date('2026-03-06T09:00:00Z'), priority: 2 }]);
    await releaseScheduled(pool, transact, { now: at('22:02'), onFault });
    expect(await read()).toMatchObject([{ state: 'scheduled' }]);
    await releaseScheduled(pool, transact, { now: Date.parse('2026-03-06T09:00:01Z'), onFault });
    expect(await read()).toMatchObject([{ state: 'queued', priority: 2 }]);
  });
});
