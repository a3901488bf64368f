import { newId } from '@app/database/new-id';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { longTest } from '@app/database/testing/long-test';
import { createDueStarts, startDueCampaigns } from '../../src/campaigns/start-due-campaigns.ts';
import { openApiFixture, type ApiCaller, type ApiFixture } from '../api-fixture.ts';
import { countLockWaits } from '../lock-waits.ts';

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
  await startDueCampaigns({ ...api.parts, logger, clock });
  return (await (await admin.get(`/api/campaigns/${campaignId}`)).json<{ status: string }>()).status;
}

const entries = async (name: string) =>
  (
    await api.db.systemPool.query(
      `SELECT FROM activities WHERE fact_type LIKE 'campaign.%' AND "values"->>'name' = $1`,
      [name],
    )
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

longTest('a hundred that wait for a review keep none behind them from starting', async () => {
  const { campaignId: waiting, templateId } = await schedule('Waiting');
  await review(templateId, 'PENDING');
  await api.db.systemPool.query(
    `INSERT INTO campaigns SELECT (jsonb_populate_record(c, jsonb_build_object('id', gen_random_uuid(),
        'scheduled_at', c.scheduled_at - interval '1 second'))).* FROM campaigns c, generate_series(1, 100) WHERE c.id = $1`,
    [waiting],
  );
  const { campaignId } = await schedule('Behind them');
  expect(await statusAfter(campaignId, 0)).toBe('running');
  expect(await statusAfter(waiting, 0)).toBe('scheduled');
});

longTest('one that is put off while those before it are started keeps its new time', async () => {
  const { campaignId: first } = await schedule('First of the round');
  await api.db.systemPool.query(
    `UPDATE campaigns SET scheduled_at = scheduled_at - interval '1 second' WHERE id = $1`,
    [first],
  );
  const { campaignId: second, templateId } = await schedule('Put off');
  const tomorrow = new Date(SCHEDULED + 24 * 60 * MINUTE);
  const logger = { info() {}, warn() {}, error() {} };
  const parts = { ...api.parts, logger, clock: () => new Date(SCHEDULED) };
  let round: Promise<void> | undefined;
  // The round has found both, and waits at the first one while somebody puts the second one off.
  await api.db.inWorkspace(api.workspaceId, async (_, client) => {
    await client.query('SELECT FROM campaigns WHERE id = $1 FOR UPDATE', [first]);
    round = startDueCampaigns(parts);
    await expect.poll(() => countLockWaits(api.db.systemPool)).toBe(1);
    const { version, audience } = await (
      await admin.get(`/api/campaigns/${second}`)
    ).json<{ version: number; audience: object }>();
    const answer = await admin.put(`/api/campaigns/${second}`, {
      ...{ version, name: 'Put off', message: { templateId }, audience },
      ...{ status: 'scheduled', scheduledAt: tomorrow.toISOString() },
    });
    expect(answer.status).toBe(200);
  });
  await round;
  const { rows } = await api.db.systemPool.query('SELECT run_no FROM campaigns WHERE id = $1', [first]);
  expect(rows[0].run_no).not.toBeNull();
  const after = await (await admin.get(`/api/campaigns/${second}`)).json<object>();
  expect(after).toMatchObject({ status: 'scheduled', scheduledAt: tomorrow.toISOString() });
});

test('what a busy workspace has to wait for keeps no other from its schedule', async () => {
  const addDue = async (workspaceId: string) => {
    const id = newId();
    await api.db.systemPool.query(
      `INSERT INTO campaigns (id, workspace_id, name, kind, custom_message, variables, audience, audience_size, status, scheduled_at)
       VALUES ($1, $2, 'Due', 'campaign', 'Hi', '{}', '{"filter":{}}', 1, 'scheduled', now() - interval '20 minutes')`,
      [id, workspaceId],
    );
    return id;
  };
  const isDecided = async (id: string) => {
    const { rows } = await api.db.systemPool.query('SELECT status FROM campaigns WHERE id = $1', [id]);
    return rows[0].status !== 'scheduled';
  };
  const [busy, first] = [await addDue(api.workspaceId), await addDue(api.otherWorkspaceId)];
  const end = Promise.withResolvers<void>();
  const hold = () => api.db.inWorkspaceFor('starting', api.workspaceId, () => end.promise);
  const holders = [hold(), hold()];
  const logger = { info() {}, warn() {}, error() {} };
  const starts = createDueStarts({ ...api.parts, logger, clock: () => new Date() });
  await starts.begin();
  await expect.poll(() => isDecided(first)).toBe(true);
  // The next round, while the first one still waits.
  const second = await addDue(api.otherWorkspaceId);
  await expect
    .poll(async () => {
      await starts.begin();
      return isDecided(second);
    })
    .toBe(true);
  expect(await isDecided(busy)).toBe(false);
  end.resolve();
  await Promise.all(holders);
  await starts.settle();
  expect(await isDecided(busy)).toBe(true);
});
