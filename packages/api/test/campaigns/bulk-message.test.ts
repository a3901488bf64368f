import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '@app/database/new-id';
import { openApiFixture, type ApiCaller, type ApiFixture, type ApiResponse } from '../api-fixture.ts';

type Sent = { campaignId: string; recipients: number; scheduledAt: string | null };

let api: ApiFixture;
let agent: ApiCaller;
let templateId: string;
let draftId: string;
const contactIds = Array.from({ length: 4 }, () => newId());

beforeAll(async () => {
  api = await openApiFixture();
  agent = await api.as('agent');
  templateId = await addTemplate('approved');
  draftId = await addTemplate('draft');
  await api.db.systemPool.query(
    `INSERT INTO contacts (id, workspace_id, name, phone, tags, status)
     SELECT id, $1, 'Person ' || n, '+44770091300' || n, '{club}', CASE n WHEN 1 THEN 'blocked' ELSE 'active' END
       FROM unnest($2::uuid[]) WITH ORDINALITY AS p (id, n)`,
    [api.workspaceId, contactIds],
  );
  await api.addChannel();
});
afterAll(() => api.close());

async function addTemplate(status: string): Promise<string> {
  const id = newId();
  const components = [
    { type: 'header', format: 'text', text: 'For {{name}}' },
    { type: 'body', text: 'Your code is {{code}}' },
  ];
  await api.db.systemPool.query(
    `INSERT INTO templates (id, workspace_id, name, category, language, status, components, content)
     VALUES ($1, $2, $3, 'utility', 'en', $4, $5, 'Your code is {{code}}')`,
    [id, api.workspaceId, `Template ${status}`, status, JSON.stringify(components)],
  );
  return id;
}

function send(changes: Record<string, unknown> = {}, idempotencyKey?: string): Promise<ApiResponse> {
  const message = {
    audience: { filter: { tags: ['club'] } },
    message: { templateId },
    variables: { code: { text: 'X1' } },
    ...changes,
  };
  return agent.post('/api/bulk-messages', message, idempotencyKey);
}

async function countCampaigns(): Promise<number> {
  const { rows } = await api.db.systemPool.query('SELECT count(*)::int AS n FROM campaigns');
  return rows[0].n;
}

describe('a bulk send', () => {
  it('records one campaign however often the same key arrives', async () => {
    const before = await countCampaigns();
    const idempotencyKey = newId();
    const answers = await Promise.all(Array.from({ length: 5 }, () => send({}, idempotencyKey)));
    const sent = await Promise.all(answers.map((answer) => answer.json<Sent>()));
    expect(new Set(sent.map(({ campaignId }) => campaignId)).size).toBe(1);
    expect(sent[0]).toMatchObject({ recipients: 3, scheduledAt: null });
    expect((await countCampaigns()) - before).toBe(1);
    const { rows } = await api.db.systemPool.query(
      `SELECT r.address FROM delivery_recipients r JOIN delivery_runs run USING (run_no) WHERE run.campaign_id = $1 AND r.state = 0`,
      [sent[0]?.campaignId],
    );
    expect(rows.map(({ address }) => address).toSorted()).toEqual([
      '+447700913002',
      '+447700913003',
      '+447700913004',
    ]);
    const reused = await send({ message: { customMessage: 'Hi' } }, idempotencyKey);
    expect((await reused.json<{ error: { code: string } }>()).error.code).toBe('idempotency_key_reused');
  });

  it('waits for its time when it has one', async () => {
    const scheduledAt = new Date(Date.now() + 3_600_000).toISOString();
    const { campaignId } = await (await send({ scheduledAt })).json<Sent>();
    const campaign = await (await agent.get(`/api/campaigns/${campaignId}`)).json<{ status: string }>();
    expect(campaign.status).toBe('scheduled');
  });

  it('is held back by quiet hours and says until when', async () => {
    const hour = (shift: number) => new Date(Date.now() + shift * 3_600_000).toISOString().slice(11, 16);
    const quietHours = { from: hour(-1), to: hour(1), timeZone: 'UTC' };
    const sent = await (await send({ quietHours })).json<Sent & { quietUntil: string }>();
    expect(sent.quietUntil.slice(11, 16)).toBe(quietHours.to);
    const campaign = await (await agent.get(`/api/campaigns/${sent.campaignId}`)).json();
    expect(campaign).toMatchObject({ status: 'paused', quietHours });
    const loud = { from: hour(2), to: hour(3), timeZone: 'UTC' };
    expect(await (await send({ quietHours: loud })).json()).toMatchObject({ quietUntil: null });
    const scheduledAt = new Date(Date.now() + 2.5 * 3_600_000).toISOString();
    const waiting = await (await send({ quietHours: loud, scheduledAt })).json<{ quietUntil: string }>();
    expect(waiting.quietUntil.slice(11, 16)).toBe(loud.to);
  });

  it.each([
    ['bulk_message_no_contacts', () => ({ audience: { contactIds: [] } })],
    ['campaign_audience_empty', () => ({ audience: { contactIds: [contactIds[0]] } })],
    ['campaign_audience_empty', () => ({ message: { customMessage: 'Hi' } })],
    ['campaign_schedule_past', () => ({ scheduledAt: '2020-01-01T00:00:00Z' })],
    ['template_not_approved', () => ({ message: { templateId: draftId } })],
    ['template_not_found', () => ({ message: { templateId: newId() } })],
    ['invalid_input', () => ({ message: { customMessage: '   ' } })],
  ])('is refused with %s and records nothing', async (code, changes) => {
    const before = await countCampaigns();
    const answer = await send(changes());
    expect((await answer.json<{ error: { code: string } }>()).error.code).toBe(code);
    expect(await countCampaigns()).toBe(before);
  });
});

it('a preview fills header and body alike', async () => {
  const answer = await agent.post('/api/bulk-messages/preview', {
    audience: { contactIds: [contactIds[2]] },
    message: { templateId },
    variables: { code: { text: 'X1' } },
  });
  const { messages } = await answer.json<{ messages: { header: string | null; text: string }[] }>();
  expect(messages).toMatchObject([{ header: 'For Person 3', text: 'Your code is X1' }]);
});

it('a preview goes through all who would get the message, and says what is missing of whom', async () => {
  const ids = Array.from({ length: 12 }, () => newId()).toSorted();
  await api.db.systemPool.query(
    `INSERT INTO contacts (id, workspace_id, name, phone, email, tags)
     SELECT id, $1, CASE n WHEN 1 THEN '' ELSE 'Guest ' || n END, '+4477009140' || 10 + n,
            CASE n WHEN 2 THEN 'two@example.com' END, '{guests}'
       FROM unnest($2::uuid[]) WITH ORDINALITY AS p (id, n)`,
    [api.workspaceId, ids],
  );
  const ask = async (after?: string) => {
    const answer = await agent.post('/api/bulk-messages/preview', {
      audience: { filter: { tags: ['guests'] } },
      message: { templateId },
      variables: { code: { field: 'email', fallback: 'none' } },
      ...(after !== undefined && { after }),
    });
    return answer.json<{ total: number | null; next: string | null; messages: { contactId: string }[] }>();
  };
  const first = await ask();
  expect(first).toMatchObject({ total: 12, next: ids[9] });
  expect(first.messages.slice(0, 2)).toMatchObject([
    {
      values: { name: '+447700914011', code: 'none' },
      missing: [
        { name: 'code', instead: 'none' },
        { name: 'name', instead: '+447700914011' },
      ],
    },
    { values: { name: 'Guest 2', code: 'two@example.com' }, missing: [] },
  ]);
  const rest = await ask(first.next ?? '');
  expect(rest).toMatchObject({ total: null, next: null });
  expect([...first.messages, ...rest.messages].map(({ contactId }) => contactId)).toEqual(ids);
});

describe('a custom field in a message', () => {
  const preview = async (variables: object) => {
    const answer = await agent.post('/api/bulk-messages/preview', {
      audience: { contactIds: [contactIds[1], contactIds[2]] },
      message: { customMessage: 'Born {{born}}, {{code}}' },
      variables,
    });
    return answer.json<{ error?: { code: string }; messages?: { text: string }[] }>();
  };
  const textsOf = ({ messages }: { messages?: { text: string }[] }) =>
    messages?.map(({ text }) => text).toSorted();
  let born: string;
  beforeAll(async () => {
    const admin = await api.as('admin');
    const added = await admin.post('/api/custom-fields', { label: 'Born', type: 'date' });
    born = (await added.json<{ id: string }>()).id;
    await api.db.systemPool.query(
      `UPDATE contacts SET custom_values = $2, window_expires_at = now() + interval '1 day' WHERE id = $1`,
      [contactIds[1], { [born]: '1990-02-01' }],
    );
    await api.db.systemPool.query(
      `UPDATE contacts SET window_expires_at = now() + interval '1 day' WHERE id = $1`,
      [contactIds[2]],
    );
  });

  it('fills the placeholder that it is chosen for, else the one that has its key', async () => {
    const chosen = { born: { text: 'x' }, code: { customField: born, fallback: 'who knows when' } };
    expect(textsOf(await preview(chosen))).toEqual(['Born x, February 1, 1990', 'Born x, who knows when']);
    expect(textsOf(await preview({}))).toEqual([
      'Born February 1, 1990, {{code}}',
      'Born {{born}}, {{code}}',
    ]);
  });

  it('is one of the workspace, and stays while a campaign waits to send it', async () => {
    expect((await preview({ born: { customField: newId() } })).error?.code).toBe('custom_field_unknown');
    const admin = await api.as('admin');
    const before = await countCampaigns();
    const refused = await send({ variables: { code: { customField: newId() } } });
    expect((await refused.json<{ error: { code: string } }>()).error.code).toBe('custom_field_unknown');
    expect(await countCampaigns()).toBe(before);
    const scheduledAt = new Date(Date.now() + 3_600_000).toISOString();
    const variables = { code: { customField: born } };
    const { campaignId } = await (await send({ scheduledAt, variables })).json<Sent>();
    const kept = await admin.delete(`/api/custom-fields/${born}`);
    expect((await kept.json<{ error: { code: string } }>()).error.code).toBe('custom_field_in_use');
    const usage = await (await admin.get(`/api/custom-fields/${born}/usage`)).json<{ campaigns: string[] }>();
    expect(usage.campaigns).toHaveLength(1);
    await admin.delete(`/api/campaigns/${campaignId}`);
    expect((await admin.delete(`/api/custom-fields/${born}`)).status).toBe(200);
  });

  it('is written into the run with its type', async () => {
    const admin = await api.as('admin');
    const added = await admin.post('/api/custom-fields', { label: 'Renews', type: 'date' });
    const { id } = await added.json<{ id: string }>();
    const { campaignId } = await (await send({ variables: { code: { customField: id } } })).json<Sent>();
    const { rows } = await api.db.systemPool.query(
      `SELECT message->'variables'->'code' AS code FROM delivery_runs WHERE campaign_id = $1`,
      [campaignId],
    );
    expect(rows).toEqual([{ code: { customField: id, type: 'date' } }]);
  });
});
