import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Audience } from '@app/domain/delivery/audience';
import { recipientState } from '@app/domain/delivery/recipient-state';
import { countAudience, previewAudience } from '../src/audience-preview.ts';
import { freezeRest, startRun, type StartRunResult } from '../src/start-run.ts';
import { inTransaction } from '../src/transaction.ts';
import { openDeliveryScene, waitFor, type DeliveryScene } from './support/delivery-scene.ts';

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

test('who may have got a campaign that is long over is not left alone because an older one is still paused', async () => {
  await query('DELETE FROM delivery_runs WHERE workspace_id = $1', [scene.workspaceId]);
  const paused = await scene.startRunOf({ audience: { contactIds: ids.slice(0, 1) } });
  await query(
    `UPDATE delivery_runs SET state = 'paused', created_at = now() - interval '90 days' WHERE run_no = $1`,
    [paused],
  );
  const later = await scene.startRunOf({ audience: { contactIds: ids.slice(1, 5) } });
  const lostIn = async (runNo: number) =>
    query('UPDATE delivery_recipients SET state = $2 WHERE run_no = $1', [runNo, recipientState.unknown]);
  await lostIn(later);
  const rested = { filter: {}, restDays: 7 };
  expect(await countBoth(rested)).toBe(15);
  const endedAgo = (days: number) =>
    query(
      `UPDATE delivery_runs SET state = 'completed', completed_at = now() - make_interval(days => $2) WHERE run_no = $1`,
      [later, days],
    );
  await endedAgo(3);
  expect(await countBoth(rested)).toBe(15);
  await endedAgo(40);
  expect(await countBoth(rested)).toBe(19);
  // The paused one itself is not over, however old it is.
  await lostIn(paused);
  expect(await countBoth(rested)).toBe(19);
  await query('DELETE FROM delivery_runs WHERE workspace_id = $1', [scene.workspaceId]);
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

describe('two campaigns that leave out who is about to get one', () => {
  const rested = { filter: {}, restDays: 7 } as const;
  const utility = { category: 'utility' as const };
  const large = { ...utility, largeFrom: 8, headSize: 3 };
  const pool = () => scene.database.systemPool;
  const runOf = (started: StartRunResult) => ('runNo' in started ? started.runNo : 0);
  const freeze = (runNo: number) => inTransaction(pool(), (client) => freezeRest(client, runNo));

  beforeEach(async () => {
    await query('DELETE FROM delivery_runs WHERE workspace_id = $1', [scene.workspaceId]);
  });

  /** How many got more than one, and how many got one. */
  async function countPeople(): Promise<{ twice: number; all: number }> {
    const { rows } = await query(
      `SELECT count(*) FILTER (WHERE runs > 1)::integer AS twice, count(*)::integer AS all
         FROM (SELECT count(*) AS runs FROM delivery_recipients WHERE workspace_id = $1 GROUP BY contact_id) AS people`,
      [scene.workspaceId],
    );
    return rows[0];
  }

  test('do not meet in one person when both start in the same moment', async () => {
    let second: Promise<StartRunResult> | undefined;
    await inTransaction(pool(), async (client) => {
      await startRun(client, { ...scene.runInput(), ...utility, audience: rested });
      second = scene.start({ ...utility, audience: rested });
      let isOver = false;
      void second.then(() => (isOver = true));
      await waitFor(async () => isOver || (await countWaiting()) > 0);
    });
    expect(await second).toEqual({ outcome: 'nobody' });
    expect(await countPeople()).toEqual({ twice: 0, all: 20 });
  });

  test('nor while most of the first are still to become its recipients, as long as it is held or paused', async () => {
    const first = runOf(await scene.start({ ...large, audience: { contactIds: ids.slice(0, 12) } }));
    await query(`UPDATE delivery_runs SET state = 'paused' WHERE run_no = $1`, [first]);
    expect(await countBoth(rested)).toBe(8);
    expect(await scene.start({ ...utility, audience: rested })).toMatchObject({ total: 8 });
    await freeze(first);
    expect(await countPeople()).toEqual({ twice: 0, all: 20 });
  });

  test('of two large ones the later one alone goes without them, and nobody goes without both', async () => {
    const first = runOf(
      await scene.start({ ...large, audience: { ...rested, contactIds: ids.slice(0, 12) } }),
    );
    const second = runOf(await scene.start({ ...large, largeFrom: 4, audience: rested }));
    await freeze(first);
    await freeze(second);
    expect(await countPeople()).toEqual({ twice: 0, all: 20 });
  });

  test('and a cancelled one keeps nobody from the next', async () => {
    const first = runOf(await scene.start({ ...large, audience: { filter: {} } }));
    await query(`UPDATE delivery_runs SET state = 'cancelled' WHERE run_no = $1`, [first]);
    expect(await countBoth(rested)).toBe(20);
  });
});

async function countWaiting(): Promise<number> {
  const { rows } = await query(
    `SELECT count(*)::integer AS count FROM pg_locks l JOIN pg_stat_activity a ON a.pid = l.pid
      WHERE NOT l.granted AND a.datname = current_database()`,
    [],
  );
  return rows[0].count;
}
