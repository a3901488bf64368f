import { afterAll, beforeAll, expect, it } from 'vitest';
import { newId } from '@app/database/new-id';
import { openApiFixture, type ApiCaller, type ApiFixture } from '../api-fixture.ts';
import type { CampaignDetails } from './campaign-scenes.ts';

type Details = CampaignDetails & {
  bestTime: boolean;
  hours: { at: string; count: number }[] | null;
  version: number;
};

let api: ApiFixture;
let admin: ApiCaller;
const contactIds = Array.from({ length: 12 }, () => newId());
beforeAll(async () => {
  api = await openApiFixture();
  admin = await api.as('admin');
  await api.db.systemPool.query(
    `INSERT INTO contacts (id, workspace_id, name, phone, window_expires_at)
     SELECT id, $1, 'Person ' || n, '+447700' || lpad(n::text, 6, '0'), now() + interval '9 hours'
       FROM unnest($2::uuid[]) WITH ORDINALITY AS p (id, n)`,
    [api.workspaceId, contactIds],
  );
  await api.addChannel();
});
afterAll(() => api.close());

const draft = { name: 'Spring', message: { customMessage: 'Hi' }, audience: { contactIds } };
const create = (more: object) => admin.post('/api/campaigns', { ...draft, ...more });
const start = async (id: string) => (await admin.post(`/api/campaigns/${id}/start`)).json<Details>();

it('says how many leave in which hour, all within a day and none in quiet hours', async () => {
  const quietHours = { from: '22:00', to: '07:00', timeZone: 'UTC' };
  const { id } = await (await create({ bestTime: true, quietHours })).json<Details>();
  const { bestTime, hours } = await start(id);
  expect(bestTime).toBe(true);
  expect(hours?.reduce((sum, { count }) => sum + count, 0)).toBe(contactIds.length);
  for (const { at } of hours ?? []) {
    expect(new Date(at).getTime() - Date.now()).toBeLessThanOrEqual(86_400_000);
    if (hours?.length !== 1) expect(new Date(at).getUTCHours()).toBeGreaterThanOrEqual(7);
  }
});

it('is refused beside a test, kept by a change that does not name it, and fixed once sending began', async () => {
  const abTest = {
    ...{ metric: 'read', expectedRate: 50, smallestDifference: 5, share: 50 },
    variants: [{ message: { customMessage: 'B' }, share: 50 }],
  };
  const both = await create({ bestTime: true, abTest });
  expect((await both.json<{ error: { code: string } }>()).error.code).toBe('campaign_best_time_with_test');
  const { id, version } = await (await create({ bestTime: true })).json<Details>();
  const renamed = await admin.put(`/api/campaigns/${id}`, { ...draft, name: 'Other', version });
  expect(await renamed.json<Details>()).toMatchObject({ name: 'Other', bestTime: true, hours: null });
  const begun = await start(id);
  const changed = await admin.put(`/api/campaigns/${id}`, {
    ...draft,
    version: begun.version,
    bestTime: false,
  });
  expect((await changed.json<{ error: { code: string } }>()).error.code).toBe('campaign_already_started');
});

it('a campaign without it leaves at once', async () => {
  const { id } = await (await create({})).json<Details>();
  expect(await start(id)).toMatchObject({ bestTime: false, hours: null });
});
