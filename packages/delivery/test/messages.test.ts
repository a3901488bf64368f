import { advisoryLocks } from '@app/database/advisory-locks';
import { formatMessageTag } from '@app/domain/conversations/message-tag';
import type { SendResult } from '@app/domain/messaging/channel-port';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { longTest } from '@app/database/testing/long-test';
import { beginMessage, claimMessage } from '../src/messages/claim-message.ts';
import { settleMessage } from '../src/messages/settle-message.ts';
import { giveUpLost } from '../src/messages/give-up-messages.ts';
import type { Transact } from '../src/messages/send-claimed.ts';
import { inTransaction } from '../src/transaction.ts';
import { waitFor } from './support/delivery-scene.ts';
import { openMessageScene } from './support/message-scene.ts';

const scene = await openMessageScene();
const pool = scene.database.systemPool;
afterAll(() => scene.close());

beforeEach(async () => {
  await scene.query('DELETE FROM messages');
  await scene.query('DELETE FROM conversations');
  await scene.query('UPDATE channels SET is_connected = true, stopped_code = NULL, stopped_for = NULL');
  await scene.query('UPDATE delivery_channels SET hold_until = NULL');
  scene.platform.ledger.length = 0;
  scene.platform.answer = () => undefined;
  scene.platform.latencyMs = 0;
  scene.limits = {};
});

const refused = (
  code: string,
  action: Extract<SendResult, { outcome: 'refused' }>['action'],
): SendResult => ({
  outcome: 'refused',
  error: { code, title: 'No' },
  action,
});
const ended = async (id: string) => {
  await waitFor(async () => !['queued', 'sending'].includes((await scene.read(id)).state));
  return scene.read(id);
};
const onFault = (error: unknown) => expect.unreachable(String(error));
const bodies = () => scene.platform.ledger.map(({ body }) => (body as { body: string }).body);
const told = async () =>
  (
    await scene.query<{ type: string }>(`SELECT type FROM events WHERE type LIKE 'message.%' ORDER BY id`)
  ).map(({ type }) => type);

describe('a message that was left', () => {
  test('leaves once, with its number as tag, however many engines there are', async () => {
    const engines = [await scene.engine(), await scene.engine(), await scene.engine()];
    const contactId = await scene.addConversation();
    const id = await scene.leave(contactId, 'Hello');
    const { no, state } = await ended(id);
    expect(state).toBe('accepted');
    expect(scene.platform.ledger).toMatchObject([{ tag: formatMessageTag({ no, attempt: 1 }) }]);
    expect((await told()).at(-1)).toBe('message.sent');
    await Promise.all(engines.map((engine) => engine.stop(500)));
  });

  test('under one key is left once, also by two at the same time', async () => {
    const contactId = await scene.addConversation();
    const ids = await Promise.all([1, 2, 3].map(() => scene.leave(contactId, 'Hello', { key: 'step 1' })));
    expect(new Set(ids).size).toBe(1);
    expect(await scene.readAll()).toHaveLength(1);
  });

  test('leaves behind those before it in its conversation, not behind those of others', async () => {
    const [slow, quick] = [await scene.addConversation(), await scene.addConversation()];
    let release = () => {};
    const released = new Promise<void>((resolve) => (release = resolve));
    scene.platform.answer = async ({ content }) => {
      if ('body' in content && content.body === 'slow 1') await released;
      return undefined;
    };
    const engines = [await scene.engine(), await scene.engine()];
    const last = [];
    for (const word of ['1', '2', '3']) {
      last.push(await scene.leave(slow, `slow ${word}`));
      last.push(await scene.leave(quick, `quick ${word}`));
    }
    await ended(last[5]!);
    expect(bodies()).toEqual(['quick 1', 'quick 2', 'quick 3']);
    release();
    await ended(last[4]!);
    expect(bodies().slice(3)).toEqual(['slow 1', 'slow 2', 'slow 3']);
    await Promise.all(engines.map((engine) => engine.stop(500)));
  });

  longTest('leaves though another channel has more in line than it can send', async () => {
    const busy = await scene.addConversation();
    const other = await scene.addChannel();
    await scene.query('UPDATE channels SET is_connected = true');
    let release = () => {};
    const released = new Promise<void>((resolve) => (release = resolve));
    scene.platform.answer = async ({ content }) => {
      if ('body' in content && content.body === 'busy') await released;
      return undefined;
    };
    const waiting = [await scene.leave(busy, 'busy')];
    for (let person = 0; person < 39; person += 1)
      waiting.push(await scene.leave(await scene.addConversation(), 'busy'));
    const urgent = await scene.addConversation(other);
    const id = await scene.leave(urgent, 'urgent', { channelId: other });
    const engine = await scene.engine();
    await waitFor(() => Promise.resolve(bodies().includes('urgent')));
    expect(await scene.read(waiting.at(-1)!)).toMatchObject({ state: 'queued' });
    release();
    expect(await ended(waiting.at(-1)!)).toMatchObject({ state: 'accepted' });
    expect(await ended(id)).toMatchObject({ state: 'accepted' });
    await engine.stop(500);
  });

  longTest('leaves though numbers that are slow have more in line than anybody can send', async () => {
    const slow = [await scene.addChannel(), await scene.addChannel(), await scene.addChannel()];
    await scene.query('UPDATE channels SET is_connected = true');
    await scene.query(
      'INSERT INTO delivery_channels (channel_id, workspace_id, rate_per_second) SELECT id, workspace_id, 0.05 FROM channels WHERE id = ANY ($1)',
      [slow],
    );
    for (const channelId of slow)
      for (let person = 0; person < 20; person += 1)
        await scene.leave(await scene.addConversation(channelId), 'slow', { channelId });
    const id = await scene.leave(await scene.addConversation(), 'urgent');
    const engine = await scene.engine();
    expect(await ended(id)).toMatchObject({ state: 'accepted' });
    await engine.stop(500);
  });

  longTest('leaves though numbers that answer nothing hold all places', async () => {
    let release = () => {};
    const released = new Promise<void>((resolve) => (release = resolve));
    scene.platform.answer = async ({ content }) => {
      if ('body' in content && content.body === 'silent') await released;
      return undefined;
    };
    const silent = [await scene.addChannel(), await scene.addChannel(), await scene.addChannel()];
    await scene.query('UPDATE channels SET is_connected = true');
    const waiting = [];
    for (const channelId of silent)
      for (let person = 0; person < 20; person += 1)
        waiting.push(await scene.leave(await scene.addConversation(channelId), 'silent', { channelId }));
    const id = await scene.leave(await scene.addConversation(), 'urgent');
    const engine = await scene.engine();
    expect(await ended(id)).toMatchObject({ state: 'accepted' });
    release();
    for (const each of waiting) expect(await ended(each)).toMatchObject({ state: 'accepted' });
    await engine.stop(500);
  });

  test('answers through a number whose campaigns are stopped, as long as people wrote a short while ago', async () => {
    await scene.query(`UPDATE channels SET stopped_code = '131048', stopped_for = 'campaigns'`);
    const [asked, silent] = [await scene.addConversation(), await scene.addConversation()];
    await scene.query('UPDATE conversations SET window_ends_at = NULL WHERE contact_id = $1', [silent]);
    const engine = await scene.engine();
    const answer = await scene.leave(asked, 'answer');
    const begins = await scene.leave(silent, 'template', { needsWindow: false });
    expect(await ended(answer)).toMatchObject({ state: 'accepted' });
    expect(await ended(begins)).toMatchObject({ state: 'cancelled', error_code: 'channel_stopped' });
    await engine.stop(500);
  });

  longTest.each([
    [
      'a call that left nothing is made again',
      { outcome: 'not_sent', reason: 'connect_refused' },
      2,
      'accepted',
      null,
    ],
    ['a refusal for a while is tried again', refused('130429', { kind: 'lower_rate' }), 2, 'accepted', null],
    ['a refusal for good is told', refused('131026', { kind: 'fail' }), 1, 'refused', '131026'],
    [
      'a lost answer is never sent again',
      { outcome: 'unknown', reason: 'response_timeout' },
      1,
      'unknown',
      'response_timeout',
    ],
  ] as const)('%s', async (_, answer, attempt, state, code) => {
    scene.platform.answer = (__, call) => (calls.push(call) === 1 ? answer : undefined);
    const calls: number[] = [];
    const engine = await scene.engine();
    const contactId = await scene.addConversation();
    const [first, second] = [await scene.leave(contactId, 'first'), await scene.leave(contactId, 'second')];
    expect(await ended(second)).toMatchObject({ state: 'accepted' });
    expect(await scene.read(first)).toMatchObject({ attempt, state });
    if (code !== null) expect(await scene.read(first)).toMatchObject({ error_code: code });
    expect(bodies().at(-1)).toBe('second');
    await engine.stop(500);
  });

  test.each([
    ['contact_blocked', `UPDATE contacts SET status = 'blocked'`],
    ['window_closed', `UPDATE conversations SET window_ends_at = now() - interval '1 second'`],
    ['channel_stopped', `UPDATE channels SET stopped_code = '368', stopped_for = 'everything'`],
    ['channel_not_connected', 'UPDATE channels SET is_connected = false'],
  ])('does not leave any more when it must not: %s', async (code, change) => {
    const contactId = await scene.addConversation();
    const id = await scene.leave(contactId, 'Hello');
    await inTransaction(pool, (client) =>
      claimMessage(client, { id, owner: 'me', perDay: null, now: Date.now() }),
    );
    await scene.query(change);
    const begun = await inTransaction(pool, (client) =>
      beginMessage(client, { id, owner: 'me', now: Date.now() }),
    );
    expect(begun).toMatchObject({ outcome: 'cancelled', code });
    expect(await scene.read(id)).toMatchObject({ state: 'cancelled', error_code: code, attempt: 0 });
    await scene.query(`UPDATE contacts SET status = 'active'`);
  });

  test('leaves to the id of the platform when the person hides their number by now', async () => {
    const engine = await scene.engine();
    const contactId = await scene.addConversation();
    await scene.query(`UPDATE contacts SET phone = NULL, platform_user_id = 'GB.hidden' WHERE id = $1`, [
      contactId,
    ]);
    const id = await scene.leave(contactId, 'Hello');
    expect(await ended(id)).toMatchObject({ state: 'accepted' });
    expect(scene.platform.ledger.at(-1)).toMatchObject({ to: 'GB.hidden' });
    await engine.stop(500);
  });

  test('marketing and texts of workflows do not leave to a contact who opted out meanwhile, anything else does', async () => {
    const [contactId, before] = [await scene.addConversation(), await scene.addConversation()];
    const optOut = (id: string, minutesAgo: number) =>
      scene.query(
        `SELECT record_consents(ARRAY[$1]::uuid[], ARRAY[$2]::uuid[], '{opt_out}', '{person}', '{STOP}', '{NULL}', '{NULL}',
           ARRAY[now() - make_interval(mins => $3)], ARRAY[NULL]::timestamptz[], NULL, 1)`,
        [scene.workspaceId, id, minutesAgo],
      );
    const ofFlow = { priority: 'flow', purpose: 'automation' } as const;
    await optOut(before, 5);
    const [sale, reply, text, answer] = [
      await scene.leave(contactId, 'Sale', { isMarketing: true }),
      await scene.leave(contactId, 'Reply'),
      await scene.leave(contactId, 'Text of a workflow', ofFlow),
      // What it answers was looked at when it was enqueued.
      await scene.leave(before, 'Answer of a workflow', ofFlow),
    ];
    await optOut(contactId, 0);
    const engine = await scene.engine();
    expect(await ended(sale)).toMatchObject({ state: 'cancelled', error_code: 'contact_opted_out' });
    expect(await ended(reply)).toMatchObject({ state: 'accepted' });
    expect(await ended(text)).toMatchObject({ state: 'cancelled', error_code: 'contact_opted_out' });
    expect(await ended(answer)).toMatchObject({ state: 'accepted' });
    await engine.stop(500);
  });

  longTest(
    'counts against the day, ahead of campaigns, and gives its place back when nothing left',
    async () => {
      scene.limits = { perDay: 2 };
      await scene.query('DELETE FROM delivery_usage');
      const calls: number[] = [];
      scene.platform.answer = (__, call) =>
        calls.push(call) === 1 ? { outcome: 'not_sent', reason: 'dns' } : undefined;
      const engine = await scene.engine();
      const contactId = await scene.addConversation();
      const ids = [];
      for (const word of ['1', '2', '3']) ids.push(await scene.leave(contactId, word));
      expect(await ended(ids[2]!)).toMatchObject({ state: 'cancelled', error_code: 'daily_limit_reached' });
      expect(bodies()).toEqual(['1', '2']);
      expect(await scene.query('SELECT used FROM delivery_usage')).toEqual([{ used: 2 }]);
      await engine.stop(500);
    },
  );
});

test('however many are claimed at once, no more leave than the day has', async () => {
  await scene.query('DELETE FROM delivery_usage');
  // So slow a number that no machine is slower.
  await scene.query('UPDATE channels SET messages_per_second = 1');
  const [begun] = await scene.query<{ at: Date }>('SELECT clock_timestamp() AS at');
  const ids = [];
  for (let person = 0; person < 25; person += 1)
    ids.push(await scene.leave(await scene.addConversation(), 'Hello'));
  const claims = await Promise.all(
    ids.map((id) =>
      inTransaction(pool, (client) => claimMessage(client, { id, owner: 'me', perDay: 10, now: Date.now() })),
    ),
  );
  expect(claims.filter((claim) => claim?.outcome === 'claimed')).toHaveLength(10);
  expect(await scene.query('SELECT used FROM delivery_usage')).toEqual([{ used: 10 }]);
  // Each has a moment of its own in the rate of the number: the last one is nine seconds after the first.
  const [last] = await scene.query<{ at: Date }>(
    'SELECT next_reply_at AS at FROM delivery_channels WHERE channel_id = $1',
    [scene.channelId],
  );
  expect(last!.at.getTime() - begun!.at.getTime()).toBeGreaterThanOrEqual(9_000);
  await scene.query('UPDATE channels SET messages_per_second = 80');
});

describe('a process that dies', () => {
  test('before the call leaves the message to others', async () => {
    const contactId = await scene.addConversation();
    const id = await scene.leave(contactId, 'Hello');
    await inTransaction(pool, (client) =>
      claimMessage(client, { id, owner: 'dead', perDay: null, now: Date.now() }),
    );
    await scene.query(`UPDATE messages SET lease_until = now() - interval '1 second'`);
    const engine = await scene.engine();
    expect(await ended(id)).toMatchObject({ state: 'accepted', attempt: 1 });
    // Whoever comes back finds that it is no more theirs.
    expect(
      await inTransaction(pool, (client) => beginMessage(client, { id, owner: 'dead', now: Date.now() })),
    ).toBeNull();
    expect(scene.platform.ledger).toHaveLength(1);
    await engine.stop(500);
  });

  test('in the call leaves it in doubt: nobody repeats it, and a report settles it', async () => {
    const contactId = await scene.addConversation();
    const [id, next] = [await scene.leave(contactId, 'Hello'), await scene.leave(contactId, 'next')];
    const owner = 'dead';
    await inTransaction(pool, (client) => claimMessage(client, { id, owner, perDay: null, now: Date.now() }));
    await inTransaction(pool, (client) => beginMessage(client, { id, owner, now: Date.now() }));
    const transact: Transact = (_, work) => inTransaction(pool, (client) => work(client, async () => {}));
    const look = { callMs: 60_000, aliveLock: advisoryLocks.engineAlive, onFault };
    await giveUpLost(pool, transact, look);
    expect(await scene.read(id)).toMatchObject({ state: 'sending' }); // for a moment it may only be quiet
    await scene.query(
      `UPDATE messages SET lease_until = lease_until - interval '2 seconds' WHERE state = 'sending'`,
    );
    const engine = await scene.engine();
    expect(await ended(id)).toMatchObject({ state: 'unknown', error_code: 'sender_lost' });
    expect(await ended(next)).toMatchObject({ state: 'accepted' });
    expect(bodies()).toEqual(['next']);
    await engine.stop(500);
    const { no } = await scene.read(id);
    await scene.report(no, 'delivered', 5_000);
    expect(await scene.read(id)).toMatchObject({ state: 'accepted', error_code: null });
  });

  test('in the call leaves it to the next one where the platform delivers each try once', async () => {
    const contactId = await scene.addConversation();
    const id = await scene.leave(contactId, 'Hello');
    const owner = 'dead';
    const times = { owner, now: Date.now() };
    await inTransaction(pool, (client) => claimMessage(client, { id, perDay: null, ...times }));
    await inTransaction(pool, (client) => beginMessage(client, { id, ...times }));
    await scene.query(
      `UPDATE messages SET lease_until = lease_until - interval '2 seconds' WHERE state = 'sending'`,
    );
    const engine = await scene.engine({
      channelFor: async () => ({ ...scene.deliveryChannel(), ignoresRepeats: true }),
    });
    await waitFor(async () => (await scene.read(id)).state === 'accepted');
    const { no } = await scene.read(id);
    expect(await scene.read(id)).toMatchObject({ attempt: 1, error_code: null });
    const sent = scene.platform.ledger.filter(({ body }) => (body as { body: string }).body === 'Hello');
    expect(sent).toMatchObject([{ tag: formatMessageTag({ no, attempt: 1 }) }]);
    expect((await told()).at(-1)).toBe('message.sent');
    await engine.stop(500);
  });
});

test('what was given up and turns out not to have left is told as failed, and its person waits again', async () => {
  const contactId = await scene.addConversation();
  const id = await scene.leave(contactId, 'Hello');
  const times = { now: Date.now() };
  await inTransaction(pool, (client) => claimMessage(client, { id, owner: 'slow', perDay: null, ...times }));
  const begun = await inTransaction(pool, (client) => beginMessage(client, { id, owner: 'slow', ...times }));
  if (begun?.outcome !== 'claimed') throw new Error('The message was not begun.');
  await scene.query(`UPDATE messages SET state = 'unknown', error_code = 'sender_lost'`);
  const facts: string[] = [];
  await inTransaction(pool, (client) =>
    settleMessage(client, begun.message, {
      outcome: { to: 'queued', afterMs: 1_000, code: null },
      emit: ({ type }) => Promise.resolve(void facts.push(type)),
    }),
  );
  expect(await scene.read(id)).toMatchObject({ state: 'cancelled', error_code: 'not_sent' });
  expect(facts).toEqual(['message.failed']);
  const [conversation] = await scene.query('SELECT last_outbound_at FROM conversations');
  expect(conversation).toEqual({ last_outbound_at: null });
});
