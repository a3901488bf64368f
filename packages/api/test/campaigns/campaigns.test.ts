import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '@app/database/new-id';
import { roles, type Role } from '@app/domain/auth/permissions';
import { openApiFixture, type ApiCaller, type ApiFixture } from '../api-fixture.ts';

type Campaign = {
  id: string;
  name: string;
  status: string;
  version: number;
  audienceSize: number;
  counts: { total: number; pending: number; cancelled: number };
};
type Refusal = { error: { code: string } };

let api: ApiFixture;
let admin: ApiCaller;
let templateId: string;
let draftTemplateId: string;
const contactIds = Array.from({ length: 5 }, () => newId());

beforeAll(async () => {
  api = await openApiFixture();
  admin = await api.as('admin');
  templateId = await addTemplate('approved');
  draftTemplateId = await addTemplate('draft');
  await api.db.systemPool.query(
    `INSERT INTO contacts (id, workspace_id, name, phone, tags, status, opted_out_at, created_at, updated_at, version)
     SELECT id, $1, 'Person ' || n, '+4477009120' || n, '{}', CASE n WHEN '01' THEN 'blocked' ELSE 'active' END,
            CASE n WHEN '02' THEN now() END, now(), now(), 1
       FROM unnest($2::uuid[], ARRAY['00', '01', '02', '03', '04']) AS p (id, n)`,
    [api.workspaceId, contactIds],
  );
  await api.addChannel();
});
afterAll(() => api.close());

async function addTemplate(status: string): Promise<string> {
  const id = newId();
  await api.db.systemPool.query(
    `INSERT INTO templates (id, workspace_id, name, category, language, status, components, content)
     VALUES ($1, $2, $3, 'promotion', 'en', $4, '[{"type":"body","text":"Hello {{name}}"}]', 'Hello {{name}}')`,
    [id, api.workspaceId, `Template ${status}`, status],
  );
  return id;
}

function draft(changes: Record<string, unknown> = {}) {
  return { name: 'Spring', message: { templateId }, audience: { contactIds }, ...changes };
}

async function create(changes: Record<string, unknown> = {}): Promise<Campaign> {
  const response = await admin.post('/api/campaigns', draft(changes));
  expect(response.status).toBe(200);
  return response.json<Campaign>();
}

describe('creating a campaign', () => {
  it('stores a draft with all counts at 0', async () => {
    expect(await create()).toMatchObject({
      status: 'draft',
      audienceSize: 5,
      counts: { total: 0, pending: 0 },
    });
  });

  it.each([
    ['a template that is not approved', { message: 'draft template' }, 409, 'template_not_approved'],
    ['a template that is not there', { message: { templateId: newId() } }, 404, 'template_not_found'],
    ['no contacts', { audience: { contactIds: [] } }, 422, 'campaign_audience_empty'],
    ['a schedule without a time', { status: 'scheduled' }, 422, 'campaign_schedule_missing'],
    [
      'a schedule in the past',
      { status: 'scheduled', scheduledAt: '2020-01-01T00:00:00Z' },
      422,
      'campaign_schedule_past',
    ],
    ['an empty name', { name: '  ' }, 422, 'invalid_input'],
    ['an unknown field', { sentCount: 1000 }, 422, 'invalid_input'],
  ])('refuses %s', async (_, changes, status, code) => {
    const message =
      'message' in changes && changes.message === 'draft template'
        ? { templateId: draftTemplateId }
        : undefined;
    const response = await admin.post('/api/campaigns', draft({ ...changes, ...(message && { message }) }));
    expect([response.status, (await response.json<Refusal>()).error.code]).toEqual([status, code]);
  });
});

describe('two people who edit the same campaign', () => {
  it('tells the second one and overwrites nothing', async () => {
    const { id, version } = await create();
    const save = (name: string) => admin.put(`/api/campaigns/${id}`, draft({ name, version }));
    expect((await save('First')).status).toBe(200);
    const second = await save('Second');
    expect([second.status, (await second.json<Refusal>()).error.code]).toEqual([409, 'campaign_changed']);
    expect((await (await admin.get(`/api/campaigns/${id}`)).json<Campaign>()).name).toBe('First');
  });
});

describe('before sending', () => {
  it('counts who gets it and who is left out, with cost and time', async () => {
    const response = await admin.post('/api/campaigns/preflight', {
      message: { templateId },
      audience: { contactIds },
    });
    expect(await response.json()).toMatchObject({
      chosen: 5,
      receiving: 3,
      blocked: 1,
      optedOut: 1,
      windowClosed: 0,
      estimatedCost: 0.15,
      obstacle: null,
    });
  });

  it('says when the last message leaves, and says nothing where nobody can tell', async () => {
    const ask = async (changes: object) => {
      const asked = { message: { templateId }, audience: { contactIds }, ...changes };
      const response = await admin.post('/api/campaigns/preflight', asked);
      return response.json<{ estimatedSeconds: number | null; finishesAt: string | null }>();
    };
    const now = await ask({});
    expect(now.estimatedSeconds).toBe(1);
    expect(Math.abs(Date.parse(now.finishesAt ?? '') - Date.now())).toBeLessThan(60_000);
    const startsAt = '2030-01-01T22:00:00.000Z';
    const quietHours = { from: '21:00', to: '09:00', timeZone: 'UTC' };
    const later = await ask({ startsAt, quietHours });
    expect(later.finishesAt).toMatch(/^2030-01-02T09:00:00/);
    expect(later.estimatedSeconds).toBeGreaterThan(11 * 3600);
    const { rows } = await api.db.systemPool.query('SELECT settings FROM workspaces WHERE id = $1', [
      api.workspaceId,
    ]);
    const limit = (perDay: number) =>
      api.db.systemPool.query('UPDATE workspaces SET settings = settings || $2::jsonb WHERE id = $1', [
        api.workspaceId,
        JSON.stringify({ messageLimits: { isEnabled: true, perMinute: 10, perDay } }),
      ]);
    await limit(1);
    expect((await ask({ startsAt })).finishesAt).toMatch(/^2030-01-03T00:00:0/);
    await limit(0);
    expect(await ask({})).toMatchObject({ estimatedSeconds: null, finishesAt: null });
    await api.db.systemPool.query('UPDATE workspaces SET settings = $2 WHERE id = $1', [
      api.workspaceId,
      rows[0]?.settings,
    ]);
  });

  it('leaves everybody out of free text whose window is closed', async () => {
    const response = await admin.post('/api/campaigns/preflight', {
      message: { customMessage: 'Hello' },
      audience: { contactIds },
    });
    expect(await response.json()).toMatchObject({ receiving: 0, windowClosed: 4, blocked: 1 });
  });
});

describe('acts', () => {
  it('make one run of fifty simultaneous starts', async () => {
    const { id } = await create();
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => admin.post(`/api/campaigns/${id}/start`)),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    const { rows } = await api.db.systemPool.query('SELECT total FROM delivery_runs WHERE campaign_id = $1', [
      id,
    ]);
    expect(rows).toEqual([{ total: 3 }]);
  });

  it('follow the status: what it does not allow is refused', async () => {
    const { id } = await create();
    const act = async (name: string) => (await admin.post(`/api/campaigns/${id}/${name}`)).status;
    expect([await act('pause'), await act('resume'), await act('cancel')]).toEqual([409, 409, 409]);
    expect([
      await act('start'),
      await act('pause'),
      await act('pause'),
      await act('resume'),
      await act('cancel'),
    ]).toEqual([200, 200, 409, 200, 200]);
    expect((await (await admin.get(`/api/campaigns/${id}`)).json<Campaign>()).status).toBe('cancelled');
  });

  it('keep the message of a campaign that began, and let its name change', async () => {
    const { id } = await create();
    await admin.post(`/api/campaigns/${id}/start`);
    const { version } = await (await admin.get(`/api/campaigns/${id}`)).json<Campaign>();
    const other = await admin.put(
      `/api/campaigns/${id}`,
      draft({ version, audience: { contactIds: [contactIds[0]] } }),
    );
    expect((await other.json<Refusal>()).error.code).toBe('campaign_already_started');
    expect((await admin.put(`/api/campaigns/${id}`, draft({ version, name: 'Renamed' }))).status).toBe(200);
  });
});

describe('the list', () => {
  it('pages, searches and filters, and says how many match', async () => {
    for (const name of ['Autumn 1', 'Autumn 2', 'Autumn 3']) await create({ name });
    const read = async (query: string) =>
      (await admin.get(`/api/campaigns?${query}`)).json<{
        items: Campaign[];
        nextCursor: string | null;
        matching: number;
      }>();
    const first = await read('search=autumn&limit=2');
    expect([first.items.map(({ name }) => name), first.matching]).toEqual([['Autumn 3', 'Autumn 2'], 3]);
    const rest = await read(`search=autumn&limit=2&cursor=${first.nextCursor}`);
    expect([rest.items.map(({ name }) => name), rest.nextCursor]).toEqual([['Autumn 1'], null]);
    expect((await read('search=100%25')).matching).toBe(0);
    expect((await read('status=completed')).matching).toBe(0);
  });
});

describe('roles', () => {
  const expected: Record<
    Role,
    { read: number; create: number; start: number; remove: number; bulk: number }
  > = {
    admin: { read: 200, create: 200, start: 200, remove: 200, bulk: 200 },
    manager: { read: 200, create: 200, start: 200, remove: 200, bulk: 200 },
    agent: { read: 200, create: 200, start: 403, remove: 403, bulk: 200 },
    viewer: { read: 200, create: 403, start: 403, remove: 403, bulk: 403 },
  };

  it.each(roles)('hold for %s', async (role) => {
    const caller = await api.as(role);
    const { id } = await create();
    const bulk = { message: { templateId }, audience: { contactIds } };
    expect({
      read: (await caller.get('/api/campaigns')).status,
      create: (await caller.post('/api/campaigns', draft())).status,
      start: (await caller.post(`/api/campaigns/${id}/start`)).status,
      remove: (await caller.delete(`/api/campaigns/${id}`)).status,
      bulk: (await caller.post('/api/bulk-messages', bulk)).status,
    }).toEqual(expected[role]);
  });

  it('answer 401 to strangers and 404 to another workspace', async () => {
    const { id } = await create();
    expect((await api.stranger.get('/api/campaigns')).status).toBe(401);
    const other = await api.asOther();
    const answers = await Promise.all([
      other.get(`/api/campaigns/${id}`),
      other.post(`/api/campaigns/${id}/start`),
      other.delete(`/api/campaigns/${id}`),
      other.get(`/api/campaigns/${id}/recipients`),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404]);
    expect((await other.get(`/api/campaigns/1abc`)).status).toBe(422);
  });
});

describe('a bulk message', () => {
  it('is previewed as the first three receivers will read it', async () => {
    const response = await admin.post('/api/bulk-messages/preview', {
      message: { templateId },
      audience: { contactIds },
    });
    const preview = await response.json<{ total: number; messages: { text: string }[] }>();
    expect(preview.total).toBe(3);
    expect(preview.messages.map(({ text }) => text).toSorted()).toEqual([
      'Hello Person 00',
      'Hello Person 03',
      'Hello Person 04',
    ]);
  });

  it('replaces nothing but placeholders, and each only once', async () => {
    await api.db.systemPool.query(
      `UPDATE contacts SET window_expires_at = now() + interval '1 hour' WHERE id = $1`,
      [contactIds[0]],
    );
    const response = await admin.post('/api/bulk-messages/preview', {
      message: { customMessage: '{{constructor}} {{ env "HOME" }} ${HOME} {{process.env.HOME}} {{name}}' },
      audience: { contactIds },
      variables: { name: { text: '{{phone}}' } },
    });
    const { messages } = await response.json<{ messages: { text: string }[] }>();
    expect(messages.map(({ text }) => text)).toEqual([
      '{{constructor}} {{ env "HOME" }} ${HOME} {{process.env.HOME}} {{phone}}',
    ]);
  });
});
