import { newId } from '@app/database/new-id';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemCaller } from '@app/domain/auth/caller';
import { openScope } from '../../src/platform/workspace-scope.ts';
import { startCampaign } from '../../src/sending/start-campaign.ts';
import { openApiFixture, type ApiCaller, type ApiFixture } from '../api-fixture.ts';
import { countLockWaits } from '../lock-waits.ts';

let api: ApiFixture;
let admin: ApiCaller;
const contactId = newId();

beforeAll(async () => {
  api = await openApiFixture();
  admin = await api.as('admin');
  await query(
    `INSERT INTO contacts (id, workspace_id, name, phone, window_expires_at) VALUES ($1, $2, 'Ann', '+447700912001', now() + interval '9 hours')`,
    [contactId, api.workspaceId],
  );
  await api.addChannel();
});
afterAll(() => api.close());

const query = (text: string, values: unknown[] = []) => api.db.systemPool.query(text, values);

async function create(name: string, changes: object = {}): Promise<string> {
  const response = await admin.post('/api/campaigns', {
    ...{ name, message: { customMessage: 'Hello' }, audience: { contactIds: [contactId] } },
    ...changes,
  });
  return (await response.json<{ id: string }>()).id;
}

const inAnHour = () => ({ status: 'scheduled', scheduledAt: new Date(Date.now() + 3_600_000).toISOString() });

async function auditOf(name: string): Promise<string[]> {
  const { rows } = await query(
    `SELECT fact_type FROM activities WHERE "values"->>'name' = $1 AND fact_type <> 'campaign.created' ORDER BY id`,
    [name],
  );
  return rows.map(({ fact_type: type }) => type);
}

/** The campaign starts while this act waits for its turn; answers with the act's own answer. */
async function meetScheduler(campaignId: string, act: () => ReturnType<ApiCaller['post']>) {
  let acting: ReturnType<ApiCaller['post']> | undefined;
  await api.db.inWorkspace(api.workspaceId, async (tx, client) => {
    await client.query('SELECT FROM campaigns WHERE id = $1 FOR UPDATE', [campaignId]);
    acting = act();
    await expect.poll(() => countLockWaits(api.db.systemPool)).toBe(1);
    const caller = systemCaller('scheduler', api.workspaceId);
    const clock = () => new Date();
    const scope = openScope({ caller, tx, client, clock, origin: null, afterwards: [] });
    expect(await startCampaign(scope, api.parts, campaignId)).toMatchObject({
      outcome: 'started',
    });
  });
  return acting!;
}

const runOf = async (id: string) =>
  (await query('SELECT state FROM delivery_runs WHERE campaign_id = $1', [id])).rows.map(
    ({ state }) => state,
  );

describe('acts on one campaign at the same time', () => {
  it('fifty Starts are one start, and the audit log says it once', async () => {
    const id = await create('Fifty');
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => admin.post(`/api/campaigns/${id}/start`)),
    );
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    expect(await auditOf('Fifty')).toEqual(['campaign.started']);
    expect(await runOf(id)).toEqual(['ready']);
  });

  it('a cancel that the scheduler is ahead of stops what it started', async () => {
    const id = await create('Overtaken', inAnHour());
    const answer = await meetScheduler(id, () => admin.post(`/api/campaigns/${id}/cancel`));
    expect(await answer.json()).toMatchObject({ status: 'cancelled' });
    expect(await runOf(id)).toEqual(['cancelled']);
    expect(await auditOf('Overtaken')).toEqual(['campaign.cancelled']);
  });

  it('a Start that the scheduler is ahead of changes nothing', async () => {
    const id = await create('Met', inAnHour());
    const answer = await meetScheduler(id, () => admin.post(`/api/campaigns/${id}/start`));
    expect(await answer.json()).toMatchObject({ status: 'running' });
    expect(await auditOf('Met')).toEqual([]);
  });

  it('ten Pauses pause once', async () => {
    const id = await create('Ten');
    await admin.post(`/api/campaigns/${id}/start`);
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => admin.post(`/api/campaigns/${id}/pause`)),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(await auditOf('Ten')).toEqual(['campaign.started', 'campaign.paused']);
  });
});
