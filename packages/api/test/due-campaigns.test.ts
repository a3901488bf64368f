import { newId } from '@app/database/new-id';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startDueCampaigns } from '../src/campaigns/start-due-campaigns.ts';
import { openApiFixture, type ApiCaller, type ApiFixture } from './api-fixture.ts';

let api: ApiFixture;
let admin: ApiCaller;
beforeAll(async () => {
  api = await openApiFixture();
  admin = await api.as('admin');
  await api.addChannel();
  await admin.post('/api/contacts', { name: 'Ann', phone: '+447700900001' });
});
afterAll(() => api.close());

const SCHEDULED = Date.now() + 3_600_000;
const MINUTE = 60_000;

async function schedule(name: string): Promise<{ campaignId: string; templateId: string }> {
  const templateId = newId();
  await api.db.systemPool.query(
    `INSERT INTO templates (id, workspace_id, name, category, language, status, components, content)
     VALUES ($1, $2, $3, 'welcome', 'en', 'approved', $4, 'Hello')`,
    [templateId, api.workspaceId, name, JSON.stringify([{ type: 'body', text: 'Hello' }])],
  );
  await review(templateId, 'APPROVED');
  const campaign = await admin.post('/api/campaigns', {
    name,
    message: { templateId },
    audience: { filter: {} },
    status: 'scheduled',
    scheduledAt: new Date(SCHEDULED).toISOString(),
  });
  expect(campaign.status).toBe(200);
  return { templateId, campaignId: (await campaign.json<{ id: string }>()).id };
}

const review = (templateId: string, word: string) =>
  api.db.systemPool.query(`UPDATE templates SET platform_status = $2 WHERE id = $1`, [templateId, word]);

async function statusAfter(campaignId: string, minutes: number): Promise<string> {
  const logger = { info() {}, warn() {}, error() {} };
  const clock = () => new Date(SCHEDULED + minutes * MINUTE);
  await startDueCampaigns({ db: api.db, liveEvents: api.liveEvents, logger, clock });
  return (await (await admin.get(`/api/campaigns/${campaignId}`)).json<{ status: string }>()).status;
}

const entries = async (name: string) =>
  (
    await api.db.systemPool.query(`SELECT FROM activities WHERE description LIKE '%campaign ' || $1`, [
      `${name}%`,
    ])
  ).rowCount;

test('a campaign that falls due while its template is reviewed begins when it is approved', async () => {
  const { campaignId, templateId } = await schedule('Reviewed');
  await review(templateId, 'PENDING');
  const before = await entries('Reviewed');
  expect(await statusAfter(campaignId, 0)).toBe('scheduled');
  expect(await statusAfter(campaignId, 5)).toBe('scheduled');
  expect(await entries('Reviewed')).toBe(before);
  await review(templateId, 'APPROVED');
  expect(await statusAfter(campaignId, 6)).toBe('running');
});

test('one whose review goes on pauses and says why', async () => {
  const { campaignId, templateId } = await schedule('Long review');
  await review(templateId, 'PENDING');
  expect(await statusAfter(campaignId, 11)).toBe('paused');
});

test('one whose template is turned down pauses at once', async () => {
  const { campaignId, templateId } = await schedule('Turned down');
  await review(templateId, 'REJECTED');
  expect(await statusAfter(campaignId, 0)).toBe('paused');
});
