import { afterAll, beforeAll, expect, test } from 'vitest';
import { openApiFixture, type ApiCaller, type ApiFixture } from '../api-fixture.ts';

let api: ApiFixture;
let admin: ApiCaller;
beforeAll(async () => {
  api = await openApiFixture();
  admin = await api.as('admin');
});
afterAll(() => api.close());

type View = { id: string; name: string; query: object };
const list = async (caller = admin) =>
  (await (await caller.get('/api/analytics/views')).json<{ items: View[] }>()).items;
const save = (name: string, query: object = {}, caller = admin) =>
  caller.post('/api/analytics/views', { name, query });

test('a view is one’s own, is replaced under its name, and goes', async () => {
  const query = { period: '7days', tag: 'VIP', zone: 'Asia/Kolkata' };
  expect((await save('  Weekly ', query)).status).toBe(200);
  await save('All time', { period: 'custom', from: '2020-01-01' });
  expect(await list()).toMatchObject([{ name: 'All time' }, { name: 'Weekly', query }]);
  await save('weekly', { by: 'month' });
  const [, weekly] = await list();
  expect(weekly).toMatchObject({ name: 'weekly', query: { by: 'month' } });

  const manager = await api.as('manager');
  expect(await list(manager)).toEqual([]);
  expect((await manager.delete(`/api/analytics/views/${weekly!.id}`)).status).toBe(404);
  expect((await admin.delete(`/api/analytics/views/${weekly!.id}`)).status).toBe(200);
  expect(await list()).toHaveLength(1);
  expect((await (await api.as('agent')).get('/api/analytics/views')).status).toBe(403);
});

test('a view is renamed once, never over another one, and not by who saw an older name', async () => {
  const [noor, omar] = [await api.as('manager'), await api.as('admin')];
  const named = async (name: string) => (await (await save(name, { by: 'week' }, noor)).json<View>()).id;
  const [id, other] = [await named('Before'), await named('Other')];
  const rename = (body: object, caller = noor, view = id) =>
    caller.put(`/api/analytics/views/${view}/name`, body);
  const first = await rename({ name: '  After ', before: 'Before' });
  expect([first.status, await first.json()]).toMatchObject([
    200,
    { id, name: 'After', query: { by: 'week' } },
  ]);
  // The same request once more, and the other window with the same idea.
  expect((await rename({ name: 'After', before: 'Before' })).status).toBe(200);
  const older = await rename({ name: 'Third', before: 'Before' });
  expect([older.status, await older.json()]).toMatchObject([409, { error: { code: 'report_view_changed' } }]);
  const taken = await rename({ name: 'oTHER', before: 'After' });
  expect([taken.status, await taken.json()]).toMatchObject([
    409,
    { error: { code: 'report_view_taken', details: { field: 'name' } } },
  ]);
  // Its own name in other letters is another name.
  expect((await rename({ name: 'AFTER', before: 'After' })).status).toBe(200);
  expect((await list(noor)).map(({ name }) => name)).toEqual(['AFTER', 'Other']);
  expect((await rename({ name: 'Mine', before: 'AFTER' }, omar)).status).toBe(404);
  expect((await rename({ name: ' ', before: 'AFTER' })).status).toBe(422);
  expect((await rename({ name: 'Mine', before: 'AFTER' }, await api.as('agent'))).status).toBe(403);
  const both = await Promise.all(['One', 'Two'].map((name) => rename({ name, before: 'AFTER' })));
  expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409]);
  const swapped = await Promise.all([
    rename({ name: 'Same', before: (await list(noor)).find((one) => one.id === id)!.name }),
    rename({ name: 'same', before: 'Other' }, noor, other),
  ]);
  expect(swapped.map(({ status }) => status).toSorted()).toEqual([200, 409]);
});

test('the other windows of the person hear of each change', async () => {
  const told = async () =>
    Number(
      (await api.db.systemPool.query(`SELECT count(*) AS n FROM live_events WHERE topic = 'report-views'`))
        .rows[0].n,
    );
  const { id } = await (await save('Told')).json<View>();
  const changes = [
    () => admin.put(`/api/analytics/views/${id}/name`, { name: 'Told again', before: 'Told' }),
    () => admin.put(`/api/analytics/views/${id}/mail`, { every: 'daily' }),
    () => admin.delete(`/api/analytics/views/${id}`),
  ];
  for (const change of changes) {
    const before = await told();
    expect((await change()).status).toBe(200);
    await expect.poll(told).toBeGreaterThan(before);
  }
});

test('there are at most twenty, and none of parts that the page does not have', async () => {
  const saves = Array.from({ length: 25 }, (_, at) => save(`View ${at}`));
  const statuses = (await Promise.all(saves)).map(({ status }) => status);
  expect(statuses.filter((status) => status === 200)).toHaveLength(20 - 1);
  expect(statuses.filter((status) => status === 409)).toHaveLength(6);
  expect((await save('All time', { period: '90days' })).status).toBe(200);
  expect(await list()).toHaveLength(20);
  expect((await save('Other', { colour: 'red' })).status).toBe(422);
  expect((await save('', {})).status).toBe(422);
});
