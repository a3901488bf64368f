import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { longTest } from '@app/database/testing/long-test';
import { newId } from '@app/database/new-id';
import { roles, type Role } from '@app/domain/auth/permissions';
import { startDueCampaigns } from '../../src/campaigns/start-due-campaigns.ts';
import { openApiFixture, type ApiCaller, type ApiFixture, type ApiResponse } from '../api-fixture.ts';

type Campaign = {
  id: string;
  status: string;
  version: number;
  audienceSize: number;
  pauseReason: string | null;
  counts: { total: number };
  segments: { id: string; name: string; rules: unknown; isDeleted: boolean }[];
};
type Segment = { id: string; version: number };
type Refusal = { error: { code: string; details?: { values?: Record<string, string> } } };

let api: ApiFixture;
let admin: ApiCaller;
const templateId = newId();
const ids = { ann: newId(), ben: newId(), cleo: newId() };
const tagged = (tag: string) => ({ match: 'all', conditions: [{ kind: 'has_tag', value: tag }] });
const later = new Date(Date.now() + 86_400_000).toISOString();

beforeAll(async () => {
  api = await openApiFixture();
  admin = await api.as('admin');
  const run = (statement: string, values: unknown[]) => api.db.systemPool.query(statement, values);
  await run(
    `INSERT INTO templates (id, workspace_id, name, category, language, status, components, content)
     VALUES ($1, $2, 'Hello', 'promotion', 'en', 'approved', '[{"type":"body","text":"Hello {{name}}"}]', 'Hello {{name}}')`,
    [templateId, api.workspaceId],
  );
  await run(
    `INSERT INTO contacts (id, workspace_id, name, phone, tags, status)
     VALUES ($1, $4, 'Ann', '+447700912001', '{vip}', 'active'), ($2, $4, 'Ben', '+447700912002', '{vip,lead}', 'active'),
            ($3, $4, 'Cleo', '+447700912003', '{lead}', 'blocked')`,
    [ids.ann, ids.ben, ids.cleo, api.workspaceId],
  );
  await api.addChannel();
});
afterAll(() => api.close());
beforeEach(async () => {
  await api.db.systemPool.query('DELETE FROM campaigns');
  await api.db.systemPool.query('DELETE FROM segments');
});

async function addSegment(name = 'Best buyers', rules = tagged('vip')): Promise<Segment> {
  const response = await admin.post('/api/segments', { name, rules });
  expect(response.status).toBe(200);
  return response.json<Segment>();
}

const draft = (segmentId: string, changes: object = {}) => ({
  name: 'Spring',
  message: { templateId },
  audience: { filter: { segmentId } },
  ...changes,
});

async function create(segmentId: string, changes: object = {}): Promise<Campaign> {
  const response = await admin.post('/api/campaigns', draft(segmentId, changes));
  expect(response.status).toBe(200);
  return response.json<Campaign>();
}

const read = async (id: string) => (await admin.get(`/api/campaigns/${id}`)).json<Campaign>();

async function codeOf(answer: ApiResponse): Promise<[number, string]> {
  return [answer.status, (await answer.json<Refusal>()).error.code];
}

describe('a segment as the audience of a campaign', () => {
  it('is counted, described, and joined with tags and people picked by hand', async () => {
    const { id } = await addSegment();
    expect(await create(id)).toMatchObject({
      audienceSize: 2,
      segments: [{ id, name: 'Best buyers', rules: tagged('vip'), isDeleted: false }],
    });
    const audience = { anyOf: [{ segmentId: id }], contactIds: [ids.cleo], excludedIds: [ids.ann] };
    const size = await admin.post('/api/campaigns/audience-size', { audience });
    expect(await size.json()).toEqual({ chosen: 2 });
    const preflight = await admin.post('/api/campaigns/preflight', { message: { templateId }, audience });
    expect(await preflight.json()).toMatchObject({ chosen: 2, receiving: 1, blocked: 1, obstacle: null });
  });

  longTest(
    'can be left out, with tags and with people who got a campaign lately, until sending starts',
    async () => {
      const { id } = await addSegment('Leads', tagged('lead'));
      const audience = { filter: {}, except: [{ segmentId: id }], restDays: 7 };
      const campaign = await create(id, { audience });
      expect(campaign).toMatchObject({ audience, audienceSize: 1, segments: [{ id, isDeleted: false }] });
      const other = await create(id, { audience: { contactIds: [ids.ann] } });
      expect((await admin.post(`/api/campaigns/${other.id}/start`, {})).status).toBe(200);
      const size = await admin.post('/api/campaigns/audience-size', { audience });
      expect(await size.json()).toEqual({ chosen: 0 });
      expect(await codeOf(await admin.post(`/api/campaigns/${campaign.id}/start`, {}))).toEqual([
        422,
        'campaign_audience_empty',
      ]);
      await api.db.systemPool.query(`UPDATE contacts SET tags = '{vip}' WHERE id = $1`, [ids.ben]);
      const started = await admin.post(`/api/campaigns/${campaign.id}/start`, {});
      await api.db.systemPool.query(`UPDATE contacts SET tags = '{vip,lead}' WHERE id = $1`, [ids.ben]);
      expect(await started.json()).toMatchObject({ audienceSize: 1, counts: { total: 1 } });
    },
  );

  it('that was to be left out and is gone is refused, and nobody of it gets the message', async () => {
    const { id } = await addSegment();
    const campaign = await create(id, { audience: { filter: {}, except: [{ segmentId: id }] } });
    await admin.delete(`/api/segments/${id}`);
    const refused = await codeOf(await admin.post(`/api/campaigns/${campaign.id}/start`, {}));
    expect(refused[1]).toBe('campaign_segment_deleted');
  });

  it.each([{ except: [{}] }, { except: [{ tags: [] }] }, { restDays: 0 }, { restDays: 1.5 }])(
    'is not narrowed by %j',
    async (leftOut) => {
      const answer = await admin.post('/api/campaigns/audience-size', {
        audience: { filter: {}, ...leftOut },
      });
      expect((await codeOf(answer))[1]).toBe('invalid_input');
    },
  );

  it('means whoever belongs to it when sending starts, and stays readable as it was then', async () => {
    const { id, version } = await addSegment();
    const campaign = await create(id, { status: 'scheduled', scheduledAt: later });
    await admin.patch(`/api/segments/${id}`, { version, name: 'Buyers', rules: tagged('lead') });
    expect((await read(campaign.id)).segments).toMatchObject([{ name: 'Buyers', rules: tagged('lead') }]);
    expect((await admin.post(`/api/campaigns/${campaign.id}/start`)).status).toBe(200);
    const { rows } = await api.db.systemPool.query(
      'SELECT contact_id FROM delivery_recipients r JOIN delivery_runs USING (run_no) WHERE campaign_id = $1 AND r.state = 0',
      [campaign.id],
    );
    expect(rows).toEqual([{ contact_id: ids.ben }]);
    expect((await admin.delete(`/api/segments/${id}`)).status).toBe(200);
    expect((await read(campaign.id)).segments).toMatchObject([
      { name: 'Buyers', rules: tagged('lead'), isDeleted: false },
    ]);
  });

  it('cannot be deleted while a scheduled campaign waits for it', async () => {
    const { id } = await addSegment();
    const campaign = await create(id, { status: 'scheduled', scheduledAt: later });
    const refused = await admin.delete(`/api/segments/${id}`);
    expect(refused.status).toBe(409);
    expect(await refused.json()).toMatchObject({
      error: { code: 'segment_in_use', details: { values: { campaign: 'Spring' } } },
    });
    await admin.post(`/api/campaigns/${campaign.id}/cancel`);
    expect((await admin.delete(`/api/segments/${id}`)).status).toBe(200);
  });

  it('is refused by its name everywhere once it was deleted, and never widens the audience', async () => {
    const { id } = await addSegment();
    const campaign = await create(id);
    await admin.delete(`/api/segments/${id}`);
    expect((await read(campaign.id)).segments).toMatchObject([{ name: 'Best buyers', isDeleted: true }]);
    const { audience } = draft(id);
    const preflight = await admin.post('/api/campaigns/preflight', { message: { templateId }, audience });
    expect(await preflight.json()).toMatchObject({
      ...{ chosen: 0, receiving: 0, obstacle: 'segment_deleted' },
      deletedSegmentIds: [id],
    });
    const started = await admin.post(`/api/campaigns/${campaign.id}/start`);
    expect(await started.json()).toMatchObject({
      error: { code: 'campaign_segment_deleted', details: { values: { segment: 'Best buyers' } } },
    });
    const { version } = campaign;
    const refused: [number, string] = [409, 'campaign_segment_deleted'];
    expect(await codeOf(await admin.post('/api/campaigns', draft(id)))).toEqual(refused);
    expect(await codeOf(await admin.put(`/api/campaigns/${campaign.id}`, draft(id, { version })))).toEqual(
      refused,
    );
    const saved = await admin.put(`/api/campaigns/${campaign.id}`, {
      ...draft(id, { version }),
      audience: { filter: { tags: ['vip'] } },
    });
    expect(await saved.json()).toMatchObject({ segments: [], audienceSize: 2 });
  });

  it('pauses a scheduled campaign with its name, should it be gone after all', async () => {
    const { id } = await addSegment();
    const campaign = await create(id, { status: 'scheduled', scheduledAt: later });
    await api.db.systemPool.query('DELETE FROM segments');
    const logger = { info() {}, warn() {}, error() {} };
    const clock = () => new Date(Date.parse(later) + 1000);
    await startDueCampaigns({ ...api.parts, logger, clock });
    const pauseReason =
      'Its segment “Best buyers” was deleted. Edit the campaign and choose other contacts, then start it again.';
    expect(await read(campaign.id)).toMatchObject({ status: 'paused', pauseReason, counts: { total: 0 } });
    expect(await codeOf(await admin.post(`/api/campaigns/${campaign.id}/resume`))).toEqual([
      409,
      'campaign_segment_deleted',
    ]);
  });

  it('is that of another workspace for nobody', async () => {
    const { id } = await addSegment();
    const other = await api.asOther();
    const size = await other.post('/api/campaigns/audience-size', {
      audience: { filter: { segmentId: id } },
    });
    expect(await size.json()).toEqual({ chosen: 0 });
    const members = await other.post('/api/campaigns/audience-members', {
      audience: { filter: {} },
      contactIds: Object.values(ids),
    });
    expect(await members.json()).toEqual({ contactIds: [] });
  });

  it('tells which of the shown contacts belong to it', async () => {
    const { id } = await addSegment();
    const answer = await admin.post('/api/campaigns/audience-members', {
      audience: { anyOf: [{ segmentId: id }, { segmentId: newId() }] },
      contactIds: Object.values(ids),
    });
    const { contactIds } = await answer.json<{ contactIds: string[] }>();
    expect(contactIds.toSorted()).toEqual([ids.ann, ids.ben].toSorted());
  });

  it.each([
    ['a segment beside another filter', { filter: { segmentId: newId(), tags: ['vip'] } }],
    ['what is no id', { filter: { segmentId: 'vip' } }],
  ])('refuses %s', async (_, audience) => {
    expect((await admin.post('/api/campaigns/audience-size', { audience })).status).toBe(422);
  });
});

describe('a segment as the audience of a bulk message', () => {
  const send = (caller: ApiCaller, segmentId: string, changes: object = {}) =>
    caller.post('/api/bulk-messages', {
      audience: { filter: { segmentId } },
      message: { templateId },
      ...changes,
    });

  it('reaches whoever is in it', async () => {
    const { id } = await addSegment();
    const preview = await admin.post('/api/bulk-messages/preview', {
      audience: { filter: { segmentId: id } },
      message: { templateId },
    });
    expect(await preview.json()).toMatchObject({ total: 2 });
    const sent = await (await send(admin, id)).json<{ campaignId: string; recipients: number }>();
    expect(sent.recipients).toBe(2);
    expect(await read(sent.campaignId)).toMatchObject({ segments: [{ id }], counts: { total: 2 } });
  });

  it('is refused once it was deleted, and nothing is recorded', async () => {
    const { id } = await addSegment();
    await admin.delete(`/api/segments/${id}`);
    expect(await codeOf(await send(admin, id))).toEqual([409, 'campaign_segment_deleted']);
    expect((await api.db.systemPool.query('SELECT FROM campaigns')).rowCount).toBe(0);
  });

  const expected: Record<Role, number[]> = {
    admin: [200, 200, 200, 200],
    manager: [200, 200, 200, 200],
    agent: [200, 200, 200, 200],
    viewer: [200, 200, 403, 403],
  };
  it.each(roles)('obeys the rights of %s', async (role) => {
    const { id } = await addSegment();
    const caller = await api.as(role);
    const audience = { filter: { segmentId: id } };
    expect([
      (await caller.get('/api/segments')).status,
      (await caller.post('/api/campaigns/audience-size', { audience })).status,
      (await caller.post('/api/campaigns', draft(id))).status,
      (await send(caller, id)).status,
    ]).toEqual(expected[role]);
  });
});
