import { afterEach, beforeEach, expect, test } from 'vitest';
import { newId } from '@app/database/new-id';
import { enqueueMessage } from '../src/messages/enqueue-message.ts';
import { inTransaction } from '../src/transaction.ts';
import { claimMessage } from '../src/messages/claim-message.ts';
import { type DeliveryScene, openDeliveryScene } from './support/delivery-scene.ts';

let scene: DeliveryScene;

beforeEach(async () => {
  scene = await openDeliveryScene();
});
afterEach(() => scene.close());

const codes = async () =>
  (
    await scene.database.systemPool.query<{ error_code: string; count: number }>(
      'SELECT error_code, count(*)::int AS count FROM delivery_recipients WHERE state = 4 GROUP BY 1',
    )
  ).rows;

test('over all campaigns nobody gets more marketing in a week than the workspace allows', async () => {
  await scene.addContacts(30);
  scene.limits = { marketingPerWeek: 2 };
  await scene.engine();
  for (const _ of [1, 2]) await scene.finish(await scene.startRunOf({ category: 'marketing' }));
  expect(scene.platform.ledger).toHaveLength(60);
  // What is no marketing goes on, and does not count.
  await scene.finish(await scene.startRunOf({ category: 'utility' }));
  const third = await scene.finish(await scene.startRunOf({ category: 'marketing' }));
  expect(third).toMatchObject({ counters: { accepted: 0, cancelled: 30 } });
  expect(await codes()).toEqual([{ error_code: 'capped', count: 30 }]);
  expect(scene.platform.ledger).toHaveLength(90);
});

test('of campaigns that run at once, through several numbers, none goes beyond it', async () => {
  await scene.addContacts(60);
  const second = await scene.addChannel();
  scene.limits = { marketingPerWeek: 1 };
  const runs = [
    await scene.startRunOf({ category: 'marketing' }),
    await scene.startRunOf({ category: 'marketing', channelId: second }),
  ];
  await scene.engine();
  await scene.engine();
  for (const runNo of runs) await scene.finish(runNo);
  const people = scene.platform.ledger.map(({ to }) => to);
  expect(people).toHaveLength(60);
  expect(new Set(people).size).toBe(60);
});

test('a week later they may be written to again', async () => {
  await scene.addContacts(5);
  scene.limits = { marketingPerWeek: 1 };
  await scene.engine();
  await scene.finish(await scene.startRunOf({ category: 'marketing' }));
  await scene.database.systemPool.query(
    `UPDATE delivery_recipients SET accepted_at = accepted_at - interval '8 days'`,
  );
  await scene.finish(await scene.startRunOf({ category: 'marketing' }));
  expect(scene.platform.ledger).toHaveLength(10);
});

test('a single message that is marketing is held back by it as well', async () => {
  const [contactId = ''] = await scene.addContacts(1);
  const pool = scene.database.systemPool;
  await pool.query(
    `INSERT INTO conversations (id, workspace_id, contact_id, channel_id, last_activity_at) VALUES ($1, $2, $3, $4, now())`,
    [newId(), scene.workspaceId, contactId, scene.channelId],
  );
  await pool.query('UPDATE channels SET is_connected = true');
  scene.limits = { marketingPerWeek: 1 };
  const engine = await scene.engine();
  await scene.finish(await scene.startRunOf({ category: 'marketing' }));
  await engine.stop();
  const { id } = await inTransaction(pool, (client) =>
    enqueueMessage(client, {
      ...{
        id: newId(),
        workspaceId: scene.workspaceId,
        channelId: scene.channelId,
        contactId,
        address: null,
      },
      ...{ content: { type: 'text', body: 'Buy' }, text: 'Buy', purpose: 'automation', isMarketing: true },
      ...{ needsWindow: false, author: { kind: 'system', id: null, name: '' }, key: null, cause: null },
      ...{ at: new Date(), giveUpAt: null },
    }),
  );
  const limits = { perDay: null, marketingPerWeek: 1, now: Date.now() };
  const claimed = await inTransaction(pool, (client) => claimMessage(client, { id, owner: 'me', ...limits }));
  expect(claimed).toMatchObject({ outcome: 'cancelled', code: 'capped' });
});
