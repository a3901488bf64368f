import { QueryError } from '@app/database/query-error';
import { afterAll, afterEach, expect, test } from 'vitest';
import { waitFor } from './support/delivery-scene.ts';
import { openMessageScene } from './support/message-scene.ts';
import { watchPool } from './support/watch-pool.ts';

const scene = await openMessageScene();
afterAll(() => scene.close());
const engines: { stop(graceMs?: number): Promise<void> }[] = [];
afterEach(async () => {
  for (const engine of engines.splice(0)) await engine.stop(500);
  await scene.query('DELETE FROM messages');
});

test('a message whose end cannot be told keeps no other in doubt, in time or on its way', async () => {
  const contacts = [await scene.addConversation(), await scene.addConversation()];
  const leave = async (more: object = {}) => {
    const ids: string[] = [];
    for (const contactId of contacts) ids.push(await scene.leave(contactId, 'Hello', more));
    return ids;
  };
  const past = new Date(Date.now() - 1_000);
  const lost = await leave();
  await scene.query(
    `UPDATE messages SET state = 'sending', attempt = 1, owner = 'dead', lease_until = now() - interval '1 minute'`,
  );
  const expired = await leave({ giveUpAt: past });
  const scheduled = await leave({ sendAt: past });
  // Nothing in time can leave before what is in doubt is given up.
  const bad = new Set([lost[0], expired[0], scheduled[0]]);
  const engine = await scene.engine({
    async emit(_, __, { subject }) {
      if (subject !== null && bad.has(subject)) throw new QueryError({ code: '22P02' });
    },
  });
  engines.push(engine);

  const states = async (ids: string[]) =>
    (await Promise.all(ids.map((id) => scene.read(id)))).map(({ state }) => state);
  await waitFor(async () => (await states(lost))[1] === 'unknown');
  await waitFor(async () => (await states(expired))[1] === 'cancelled');
  await waitFor(async () => (await states(scheduled))[1] === 'accepted');
  expect(await states([lost[0]!, expired[0]!, scheduled[0]!])).toEqual(['sending', 'queued', 'scheduled']);
});

test('a message that fails whenever it is claimed waits its turn, is told as failed at the end, and keeps no other waiting', async () => {
  const [bad, good] = [await scene.addConversation(), await scene.addConversation()];
  const id = await scene.leave(bad, 'Hello');
  let isMended = false;
  // What became of it cannot be told: it may not leave, because its contact is blocked.
  await scene.query(`UPDATE contacts SET status = 'blocked' WHERE id = $1`, [bad]);
  const engine = await scene.engine({
    async emit(_, __, { subject }) {
      if (subject === id && !isMended) throw new QueryError({ code: '22P02' });
    },
  });
  engines.push(engine);
  const other = await scene.leave(good, 'Hello');
  await waitFor(async () => (await scene.read(other)).state === 'accepted');

  const isPutOff = async () =>
    (await scene.query('SELECT FROM messages WHERE id = $1 AND not_before > clock_timestamp()', [id])).length;
  await waitFor(async () => (await isPutOff()) === 1);
  isMended = true;
  await scene.query(
    `UPDATE messages SET give_up_at = give_up_at - interval '15 minutes', not_before = now() + interval '1 hour' WHERE id = $1`,
    [id],
  );
  await waitFor(async () => (await scene.read(id)).state === 'cancelled');
  expect(await scene.read(id)).toMatchObject({ error_code: 'expired' });
});

test('what the platform answers about a person is stored before the message says it', async () => {
  const contactId = await scene.addConversation();
  scene.platform.answer = () => ({
    ...{ outcome: 'refused', error: { code: '131050', title: 'Stopped' }, action: { kind: 'opt_out' } },
  });
  const stored = Promise.withResolvers<void>();
  const asked = Promise.withResolvers<void>();
  const pool = watchPool(scene.database.systemPool, async (statement, run) => {
    if (statement.includes('record_consents')) {
      asked.resolve();
      await stored.promise;
    }
    return run();
  });
  engines.push(await scene.engine({ systemPool: pool }));
  const id = await scene.leave(contactId, 'Hello');
  await asked.promise;
  expect(await scene.read(id)).toMatchObject({ state: 'sending' });
  stored.resolve();
  await waitFor(async () => (await scene.read(id)).state === 'refused');
  const [contact] = await scene.query<{ is: boolean }>(
    'SELECT opted_out_at IS NOT NULL AS is FROM contacts WHERE id = $1',
    [contactId],
  );
  expect(contact).toEqual({ is: true });
});
