import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openApiFixture, type ApiCaller, type ApiFixture } from '../api-fixture.ts';

type Problem = { kind: string; placeholder: string | null; count: number; people: { name: string }[] };

let api: ApiFixture;
let admin: ApiCaller;
let field: string;

beforeAll(async () => {
  api = await openApiFixture();
  admin = await api.as('admin');
  await api.addChannel();
  const pool = api.db.systemPool;
  const added = await admin.post('/api/custom-fields', { label: 'Code', type: 'text' });
  field = (await added.json<{ id: string }>()).id;
  await pool.query(
    `INSERT INTO contacts (id, workspace_id, name, phone, email, tags, window_expires_at, custom_values)
     SELECT gen_random_uuid(), $1, 'Person ' || n, '+4477009' || (15000 + n), CASE WHEN n > 2 THEN n || '@example.com' END, ARRAY['seven'],
       now() + interval '1 hour', CASE n WHEN 1 THEN '{}' WHEN 2 THEN jsonb_build_object($2::text, E' \\n') ELSE jsonb_build_object($2::text, repeat('x', n)) END
     FROM generate_series(1, 7) n`,
    [api.workspaceId, field],
  );
  await pool.query(
    `INSERT INTO contacts (id, workspace_id, name, phone, tags, window_expires_at)
     SELECT gen_random_uuid(), $1, 'Many ' || n, '+4477009' || (20000 + n), ARRAY['many'], now() + interval '1 hour' FROM generate_series(1, 1200) n`,
    [api.workspaceId],
  );
});
afterAll(() => api.close());

const audience = { filter: { tags: ['seven'] } };

async function problemsOf(text: string, rest: object = {}, caller = admin): Promise<Problem[]> {
  const asked = { message: { customMessage: text }, audience, ...rest };
  const answer = await caller.post('/api/campaigns/preflight', asked);
  expect(answer.status).toBe(200);
  return (await answer.json<{ valueProblems: Problem[] }>()).valueProblems;
}

describe('the check before sending', () => {
  test('says how many have no value, and who', async () => {
    expect(await problemsOf('Hi {{name}}')).toEqual([]);
    const [code, ...others] = await problemsOf('Hi {{name}}, {{code}}');
    expect(others).toEqual([]);
    expect(code).toMatchObject({ kind: 'missing', placeholder: 'code', count: 2 });
    expect(code!.people.map(({ name }) => name).toSorted()).toEqual(['Person 1', 'Person 2']);
    expect(await problemsOf('{{email}}{{code}}')).toMatchObject([{ placeholder: 'email', count: 2 }]);
    expect(await problemsOf('{{nothing}}')).toMatchObject([{ placeholder: 'nothing', count: 7 }]);
    const fallback = { customField: field, fallback: '-' };
    expect(await problemsOf('{{code}}', { variables: { code: fallback } })).toEqual([]);
    expect(await problemsOf('{{code}}', { variables: { code: { text: ' ' } } })).toMatchObject([
      { count: 7 },
    ]);
  });

  test('says for whom the text is too long', async () => {
    const text = `${'y'.repeat(3068)}{{all}}{{code}}`;
    const found = await problemsOf(text, { variables: { all: { text: 'z'.repeat(1024) } } });
    expect(found.map(({ kind, count }) => [kind, count])).toEqual([
      ['missing', 2],
      ['too_long', 3],
    ]);
  });

  test('counts more than it looks at', async () => {
    const many = { audience: { filter: { tags: ['many'] } } };
    const found = await problemsOf('{{email}} {{code}}', many);
    expect(found).toMatchObject([{ placeholder: 'email', count: 1200 }]);
    expect(found[0]!.people).toHaveLength(5);
  });
});

describe('without an explicit yes nothing leaves that nobody can have a value for', () => {
  const draft = { name: 'Spring', message: { customMessage: 'Hi {{nothing}}' }, audience };
  const codeOf = async (answer: { json<Body>(): Promise<Body> }) =>
    (await answer.json<{ error?: { code: string; details: unknown } }>()).error;
  const refused = { code: 'placeholder_without_value', details: { values: { placeholder: 'nothing' } } };
  const scheduledAt = () => new Date(Date.now() + 3_600_000).toISOString();
  const messageOf = async (campaignId: string) =>
    (await api.db.systemPool.query('SELECT message FROM delivery_runs WHERE campaign_id = $1', [campaignId]))
      .rows[0]?.message as { allowsMissingValues?: boolean };

  test('a start', async () => {
    const { id } = await (await admin.post('/api/campaigns', draft)).json<{ id: string }>();
    expect(await codeOf(await admin.post(`/api/campaigns/${id}/start`))).toMatchObject(refused);
    const started = await admin.post(`/api/campaigns/${id}/start`, { allowMissingValues: true });
    expect(started.status).toBe(200);
    expect(await messageOf(id)).toMatchObject({ allowsMissingValues: true });
  });

  test('a scheduled campaign, which keeps the yes', async () => {
    const scheduled = { ...draft, status: 'scheduled', scheduledAt: scheduledAt() };
    expect(await codeOf(await admin.post('/api/campaigns', scheduled))).toMatchObject(refused);
    const saved = await admin.post('/api/campaigns', { ...scheduled, allowMissingValues: true });
    expect(await saved.json()).toMatchObject({ status: 'scheduled', allowMissingValues: true });
  });

  test('a bulk message, now and later', async () => {
    const { message } = draft;
    for (const when of [null, scheduledAt()]) {
      const wanted = { message, audience, scheduledAt: when };
      expect(await codeOf(await admin.post('/api/bulk-messages', wanted))).toMatchObject(refused);
      expect((await admin.post('/api/bulk-messages', { ...wanted, allowMissingValues: true })).status).toBe(
        200,
      );
    }
  });

  test('what some have a value for leaves for them without a question, and for no others', async () => {
    const wanted = { message: { customMessage: '{{code}}' }, audience };
    const { campaignId } = await (
      await admin.post('/api/bulk-messages', wanted)
    ).json<{ campaignId: string }>();
    expect((await messageOf(campaignId)).allowsMissingValues).toBeUndefined();
  });
});
