import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { longTest } from '@app/database/testing/long-test';
import { newId } from '@app/database/new-id';
import { startDueCampaigns } from '../../src/campaigns/start-due-campaigns.ts';
import { openApiFixture, type ApiCaller, type ApiFixture } from '../api-fixture.ts';

type Campaign = { id: string; version: number; channelId: string | null };
type Refusal = { error: { code: string; details?: { values?: Record<string, unknown> } } };

let api: ApiFixture;
let admin: ApiCaller;
let usual: string;
let second: string;
const contactId = newId();
const templateId = newId();
const text = { customMessage: 'Hi {{name}}' };
const audience = { contactIds: [contactId] };

beforeAll(async () => {
  api = await openApiFixture();
  admin = await api.as('admin');
  usual = await api.addChannel();
  second = await addSecond(api.workspaceId);
  await api.db.systemPool.query(
    `INSERT INTO contacts (id, workspace_id, name, phone, tags, status, created_at, updated_at, version)
     VALUES ($2, $1, 'Ann', '+447700912001', '{}', 'active', now(), now(), 1)`,
    [api.workspaceId, contactId],
  );
  await api.db.systemPool.query(
    `INSERT INTO templates (id, workspace_id, name, category, language, status, components, content)
     VALUES ($2, $1, 'Spring', 'promotion', 'en', 'approved', '[{"type":"body","text":"Hello"}]', 'Hello')`,
    [api.workspaceId, templateId],
  );
});
afterAll(() => api.close());
beforeEach(() => change(second, 'is_connected = true'));

/** Another number of the same account, slower than the first. */
async function addSecond(workspaceId: string): Promise<string> {
  const id = newId();
  await api.db.systemPool.query(
    `INSERT INTO channels (id, workspace_id, kind, address, display_name, credentials, is_connected, messages_per_second)
     SELECT $1, $2, kind, '200000000000099', '+44 7700 900199', credentials, true, 5 FROM channels WHERE id = $3`,
    [id, workspaceId, usual],
  );
  return id;
}

async function change(channelId: string, values: string): Promise<void> {
  await api.db.systemPool.query(`UPDATE channels SET ${values} WHERE id = $1`, [channelId]);
}

async function create(changes: object = {}): Promise<Campaign> {
  const draft = { name: 'Spring', message: { templateId }, audience, ...changes };
  const response = await admin.post('/api/campaigns', draft);
  expect(response.status).toBe(200);
  return response.json<Campaign>();
}

async function runChannelOf(campaignId: string): Promise<string | undefined> {
  const { rows } = await api.db.systemPool.query<{ channel_id: string }>(
    'SELECT channel_id FROM delivery_runs WHERE campaign_id = $1',
    [campaignId],
  );
  return rows[0]?.channel_id;
}

describe('the number that was chosen', () => {
  it('is where a campaign leaves, and what is said before that', async () => {
    const check = await admin.post('/api/campaigns/preflight', {
      ...{ message: { templateId }, audience, channelId: second },
    });
    expect(await check.json()).toMatchObject({
      ...{ receiving: 1, messagesPerSecond: 5, obstacle: null },
      number: { id: second, name: '+44 7700 900199' },
    });
    const { id, channelId } = await create({ channelId: second });
    expect(channelId).toBe(second);
    expect((await admin.post(`/api/campaigns/${id}/start`)).status).toBe(200);
    expect(await runChannelOf(id)).toBe(second);
  });

  it('is that of the workspace for who says nothing, and stays the one it began with', async () => {
    const { id, channelId, version } = await create();
    expect(channelId).toBeNull();
    const changed = await admin.put(`/api/campaigns/${id}`, {
      ...{ version, name: 'Spring', message: { templateId }, audience },
    });
    expect(changed.status).toBe(200);
    const started = await admin.post(`/api/campaigns/${id}/start`);
    expect(await started.json<Campaign>()).toMatchObject({ channelId: usual });
    expect(await runChannelOf(id)).toBe(usual);
  });

  it('is where a bulk message leaves', async () => {
    const sent = await admin.post('/api/bulk-messages', {
      ...{ message: { templateId }, audience, channelId: second },
    });
    expect(sent.status).toBe(200);
    expect(await runChannelOf((await sent.json<{ campaignId: string }>()).campaignId)).toBe(second);
  });

  it('is no other one when it is off by then', async () => {
    const { id } = await create({ channelId: second });
    const at = new Date(Date.now() + 60_000).toISOString();
    const due = await create({ channelId: second, status: 'scheduled', scheduledAt: at });
    await change(second, 'is_connected = false');
    const started = await admin.post(`/api/campaigns/${id}/start`);
    expect(started.status).toBe(409);
    expect(await started.json<Refusal>()).toMatchObject({
      error: { code: 'chosen_number_off', details: { values: { number: '+44 7700 900199' } } },
    });
    const chosen = { message: { templateId }, audience, channelId: second };
    const check = await admin.post('/api/campaigns/preflight', chosen);
    expect(await check.json()).toMatchObject({ obstacle: 'chosen_number_off' });
    const bulk = await admin.post('/api/bulk-messages', chosen);
    expect((await bulk.json<Refusal>()).error.code).toBe('chosen_number_off');
    const test = await admin.post('/api/campaigns/test-message', {
      ...{ message: text, phone: '+447700900123', channelId: second },
    });
    expect((await test.json<Refusal>()).error.code).toBe('chosen_number_off');
    api.advance(120_000);
    await startDueCampaigns(api.parts);
    expect(await (await admin.get(`/api/campaigns/${due.id}`)).json()).toMatchObject({
      ...{ status: 'paused', pauseCode: 'chosen_number_off', pauseName: '+44 7700 900199' },
    });
  });

  longTest('says what keeps its template from being sent, at a start and where its time came', async () => {
    const { id } = await create({ channelId: second });
    const at = new Date(Date.now() + 600_000).toISOString();
    const due = await create({ channelId: second, status: 'scheduled', scheduledAt: at });
    await api.db.systemPool.query(
      `UPDATE templates SET status = 'rejected', platform_status = 'DISABLED' WHERE id = $1`,
      [templateId],
    );
    const started = await admin.post(`/api/campaigns/${id}/start`);
    expect(await started.json<Refusal>()).toMatchObject({
      error: { code: 'template_not_approved', details: { values: { obstacle: 'disabled' } } },
    });
    api.advance(900_000);
    await startDueCampaigns(api.parts);
    expect(await (await admin.get(`/api/campaigns/${due.id}`)).json()).toMatchObject({
      ...{ status: 'paused', pauseCode: 'template_not_approved', pauseName: 'disabled' },
    });
    await api.db.systemPool.query(
      `UPDATE templates SET status = 'approved', platform_status = 'APPROVED' WHERE id = $1`,
      [templateId],
    );
  });

  it('of another account has none of the templates', async () => {
    const values = `jsonb_set(credentials, '{values,businessAccountId}', '"100000000000099"')`;
    await change(second, `credentials = ${values}`);
    const check = (message: object) =>
      admin.post('/api/campaigns/preflight', { message, audience, channelId: second });
    expect(await (await check({ templateId })).json()).toMatchObject({ obstacle: 'template_elsewhere' });
    expect(await (await check(text)).json()).toMatchObject({ obstacle: null });
    const { id } = await create({ channelId: second });
    const started = await admin.post(`/api/campaigns/${id}/start`);
    expect(await started.json<Refusal>()).toMatchObject({
      error: { code: 'template_not_approved', details: { values: { obstacle: 'elsewhere' } } },
    });
  });

  it('is never one of another workspace', async () => {
    const foreign = await addSecond(api.otherWorkspaceId);
    const { id, version } = await create();
    const chosen = { message: text, audience, channelId: foreign };
    for (const answer of [
      await admin.post('/api/campaigns', { name: 'Spring', ...chosen }),
      await admin.put(`/api/campaigns/${id}`, { name: 'Spring', version, ...chosen }),
      await admin.post('/api/campaigns/preflight', chosen),
      await admin.post('/api/bulk-messages', chosen),
      await admin.post('/api/bulk-messages/preview', chosen),
      await admin.post('/api/campaigns/test-message', {
        ...{ message: text, phone: '+447700900123', channelId: foreign },
      }),
    ])
      expect([answer.status, (await answer.json<Refusal>()).error.code]).toEqual([404, 'channel_not_found']);
  });
});
