import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Audience } from '@app/domain/delivery/audience';
import { recipientState } from '@app/domain/delivery/recipient-state';
import { countAudience, previewAudience } from '../src/audience-preview.ts';
import { freezeRest } from '../src/start-run.ts';
import { inTransaction } from '../src/transaction.ts';
import { openDeliveryScene, type DeliveryScene } from './support/delivery-scene.ts';

let scene: DeliveryScene;
let ids: string[];
const query = (text: string, values: unknown[]) => scene.database.systemPool.query(text, values);

beforeAll(async () => {
  scene = await openDeliveryScene();
  ids = await scene.addContacts(20);
  await query(`UPDATE contacts SET tags = '{vip}' WHERE id = ANY($1)`, [ids.slice(0, 5)]);
  await query(`UPDATE contacts SET last_message_at = now() WHERE id = ANY($1)`, [ids.slice(3, 8)]);
});
afterAll(() => scene.close());

const wroteLately = { match: 'all', conditions: [{ kind: 'messaged_within', value: '7' }] } as const;

async function countBoth(audience: Audience): Promise<number> {
  const { workspaceId, channelId } = scene;
  const pool = scene.database.systemPool;
  const chosen = await countAudience(pool, { workspaceId, audience });
  const sent = { category: 'utility', channelId } as const;
  expect(await previewAudience(pool, { workspaceId, audience, ...sent })).toMatchObject({ chosen });
  return chosen;
}

test.each<[string, object, number]>([
  ['nobody', { except: [] }, 20],
  ['who has a tag', { except: [{ tags: ['vip', 'none'] }] }, 15],
  // Whoever never wrote did not write lately.
  ['who meets rules', { except: [{ rules: wroteLately }] }, 15],
  ['either', { except: [{ tags: ['vip'] }, { rules: wroteLately }] }, 12],
])('of everybody is left out %s', async (_, leftOut, expected) => {
  expect(await countBoth({ filter: {}, ...leftOut })).toBe(expected);
  expect(await countBoth({ contactIds: ids, ...leftOut })).toBe(expected);
  expect(await countBoth({ anyOf: [{ tags: ['vip'] }, {}], ...leftOut })).toBe(expected);
});

test('whoever got a campaign lately, may have got one or is about to is left alone', async () => {
  const rested = { filter: {}, restDays: 7 };
  const runNo = await scene.startRunOf({ audience: { contactIds: ids.slice(0, 10) } });
  expect(await countBoth(rested)).toBe(10);
  const become = (of: string, state: keyof typeof recipientState, times = '') =>
    query(`UPDATE delivery_recipients SET state = $3 ${times} WHERE run_no = $1 AND contact_id = $2`, [
      ...[runNo, of, recipientState[state]],
    ]);
  const [got = '', refused = '', cancelled = '', lost = '', old = '', unknown = '', readLate = ''] = ids;
  await become(got, 'accepted', ', accepted_at = now()');
  await become(refused, 'refused');
  await become(cancelled, 'cancelled');
  await become(lost, 'accepted', ', accepted_at = now(), failed_at = now()');
  await become(old, 'accepted', `, accepted_at = now() - interval '9 days'`);
  await become(unknown, 'unknown');
  await become(readLate, 'accepted', ', accepted_at = now(), failed_at = now(), read_at = now()');
  // Of the ten four did not get it; three are on their way.
  expect(await countBoth(rested)).toBe(14);
  expect(await countBoth({ filter: {}, restDays: 30 })).toBe(13);
  await query(`UPDATE delivery_runs SET state = 'cancelled' WHERE run_no = $1`, [runNo]);
  expect(await countBoth(rested)).toBe(17);
  await query(`UPDATE delivery_runs SET completed_at = now() - interval '8 days' WHERE run_no = $1`, [runNo]);
  expect(await countBoth(rested)).toBe(20);
});

test('the people of a large run do not leave each other out', async () => {
  const started = await scene.start({
    ...{ audience: { filter: {}, restDays: 7, except: [{ tags: ['vip'] }] } },
    ...{ category: 'utility' as const, largeFrom: 8, headSize: 3 },
  });
  const runNo = 'runNo' in started ? started.runNo : 0;
  await inTransaction(scene.database.systemPool, (client) => freezeRest(client, runNo));
  expect((await scene.progress(runNo)).counters.total).toBe(15);
});
