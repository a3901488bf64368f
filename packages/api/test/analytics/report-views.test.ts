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
