import { afterAll, beforeAll, expect, it } from 'vitest';
import { openApiFixture, type ApiCaller, type ApiFixture } from '../api-fixture.ts';

let api: ApiFixture;
let admin: ApiCaller;
beforeAll(async () => {
  api = await openApiFixture();
  admin = await api.as('admin');
  await api.addChannel();
  await api.db.systemPool.query(
    `INSERT INTO contacts (id, workspace_id, name, phone, window_expires_at)
     VALUES (gen_random_uuid(), $1, 'Ann', '+447700912001', now() + interval '9 hours')`,
    [api.workspaceId],
  );
});
afterAll(() => api.close());

const message = { message: { customMessage: 'Hello' }, audience: { filter: {} } };
const readEmitted = async () =>
  (
    await api.db.systemPool.query(
      `SELECT type, subject_id AS subject, "values" FROM events WHERE subject_kind = 'campaign' ORDER BY id`,
    )
  ).rows;

it('each act on a campaign is told once, and what was refused is not', async () => {
  await api.facts.catchUp();
  const last = await api.liveEvents.readLastId(api.workspaceId);
  const { id } = await (
    await admin.post('/api/campaigns', { name: 'Spring', ...message })
  ).json<{ id: string }>();
  await admin.post(`/api/campaigns/${id}/start`);
  await admin.post(`/api/campaigns/${id}/start`);
  await admin.post(`/api/campaigns/${id}/pause`);
  expect((await admin.post(`/api/campaigns/${id}/pause`)).status).toBe(409);
  await admin.post(`/api/campaigns/${id}/resume`);
  await admin.post(`/api/campaigns/${id}/cancel`);
  expect((await admin.get(`/api/campaigns/${id}/recipients/export`)).status).toBe(200);
  await admin.delete(`/api/campaigns/${id}`);
  const values = { name: 'Spring' };
  expect(await readEmitted()).toEqual([
    { type: 'campaign.created', subject: id, values },
    { type: 'campaign.started', subject: id, values: { ...values, isScheduled: false } },
    { type: 'campaign.paused', subject: id, values },
    { type: 'campaign.resumed', subject: id, values },
    { type: 'campaign.cancelled', subject: id, values },
    { type: 'campaign.results_exported', subject: id, values },
    { type: 'campaign.deleted', subject: id, values },
  ]);
  await api.facts.catchUp();
  const heard = await api.liveEvents.readSince(api.workspaceId, last);
  expect(heard).toContainEqual(expect.objectContaining({ topic: 'campaigns', payload: { campaignId: id } }));
});

it('a bulk message is told with the number of those who get it', async () => {
  const before = (await readEmitted()).length;
  const send = (changes: object) =>
    admin.post('/api/bulk-messages', { ...message, variables: {}, ...changes });
  const sent = await (await send({})).json<{ campaignId: string }>();
  const scheduledAt = new Date(Date.now() + 3_600_000).toISOString();
  const scheduled = await (await send({ scheduledAt })).json<{ campaignId: string }>();
  expect((await readEmitted()).slice(before)).toEqual([
    { type: 'bulk_message.sent', subject: sent.campaignId, values: { recipients: 1 } },
    { type: 'bulk_message.scheduled', subject: scheduled.campaignId, values: { recipients: 1 } },
  ]);
});
