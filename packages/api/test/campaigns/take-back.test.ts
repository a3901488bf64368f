import { newId } from '@app/database/new-id';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { openApiFixture, type ApiCaller, type ApiFixture } from '../api-fixture.ts';

type Left = { heldUntil: string | null; heldForMs: number | null };
type Campaign = Record<string, unknown> & Left & { id: string; status: string; version: number };

let api: ApiFixture;
let admin: ApiCaller;
const contactIds = [newId(), newId(), newId()];

beforeAll(async () => {
  api = await openApiFixture();
  admin = await api.as('admin');
  await query(
    `INSERT INTO contacts (id, workspace_id, name, phone, tags, window_expires_at)
     SELECT id, $2, 'Person ' || n, '+44770091200' || n, '{vip}', now() + interval '9 hours' FROM unnest($1::uuid[]) WITH ORDINALITY AS p (id, n)`,
    [contactIds, api.workspaceId],
  );
  await api.addChannel();
});
afterAll(() => api.close());

const query = (text: string, values: unknown[] = []) => api.db.systemPool.query(text, values);

async function create(changes: object = {}): Promise<Campaign> {
  const response = await admin.post('/api/campaigns', {
    ...{ name: 'Spring', message: { customMessage: 'Hello' }, audience: { contactIds } },
    ...changes,
  });
  expect(response.status).toBe(200);
  return response.json<Campaign>();
}

async function act(id: string, name: string, body?: object): Promise<Campaign> {
  const response = await admin.post(`/api/campaigns/${id}/${name}`, body);
  expect(response.status).toBe(200);
  return response.json<Campaign>();
}

const read = async (id: string) => (await admin.get(`/api/campaigns/${id}`)).json<Campaign>();
const held = { takeBackSeconds: 10 };

/** What is left of the ten seconds, by the server's clock alone. */
function expectLeft({ heldUntil, heldForMs }: Left): void {
  expect(heldUntil).not.toBeNull();
  expect(heldForMs).toBeGreaterThan(0);
  expect(heldForMs).toBeLessThanOrEqual(10_000);
}

async function toldOf(id: string): Promise<string[]> {
  const { rows } = await query(
    `SELECT type FROM events WHERE subject_id = $1 AND type <> 'campaign.created' ORDER BY id`,
    [id],
  );
  return rows.map(({ type }) => type);
}

const countRuns = async (id: string) =>
  (await query('SELECT count(*)::integer AS n FROM delivery_runs WHERE campaign_id = $1', [id])).rows[0].n;

describe('a start that is taken back', () => {
  it('is not begun by a request of before, which names the version that it saw', async () => {
    const { id, version } = await create();
    await act(id, 'start', { ...held, version });
    await act(id, 'take-back');
    const late = await admin.post(`/api/campaigns/${id}/start`, { version });
    expect([late.status, (await late.json<{ error: { code: string } }>()).error.code]).toEqual([
      409,
      'campaign_changed',
    ]);
    expect(await read(id)).toMatchObject({ status: 'draft', counts: { total: 0 } });
    const { version: now } = await read(id);
    expect(await act(id, 'start', { ...held, version: now })).toMatchObject({ status: 'running' });
    await act(id, 'take-back');
  });

  it('leaves the campaign as it was, with nobody frozen and nothing counted', async () => {
    const segment = await (
      await admin.post('/api/segments', {
        name: 'VIP',
        rules: { match: 'all', conditions: [{ kind: 'has_tag', value: 'vip' }] },
      })
    ).json<{ id: string }>();
    const before = await create({ audience: { filter: { segmentId: segment.id } } });
    const started = await act(before.id, 'start', held);
    expect(started).toMatchObject({ status: 'running', counts: { total: 3, pending: 3 } });
    expect(Date.parse(started.heldUntil ?? '')).toBeGreaterThan(Date.now());
    expectLeft(started);
    expectLeft(await read(before.id));
    const { rows } = await query('SELECT run_no FROM campaigns WHERE id = $1', [before.id]);
    const { version, ...after } = await act(before.id, 'take-back');
    const { version: versionBefore, ...was } = before;
    expect(after).toEqual(was);
    expect(version).toBeGreaterThan(versionBefore);
    expect(await countRuns(before.id)).toBe(0);
    const left = await query('SELECT FROM delivery_recipients WHERE run_no = $1', [rows[0].run_no]);
    expect(left.rowCount).toBe(0);
    expect(await toldOf(before.id)).toEqual(['campaign.started', 'campaign.start_taken_back']);
  });

  it('can be started again, and its audience is that of the second start', async () => {
    const { id } = await create({ audience: { filter: { tags: ['vip'] } } });
    await act(id, 'start', held);
    await act(id, 'take-back');
    await query(`UPDATE contacts SET tags = '{}' WHERE id = $1`, [contactIds[0]]);
    expect(await act(id, 'start')).toMatchObject({
      status: 'running',
      ...{ heldUntil: null, heldForMs: null },
      counts: { total: 2 },
    });
    await query(`UPDATE contacts SET tags = '{vip}' WHERE id = $1`, [contactIds[0]]);
  });

  it('is taken back once, however many ask', async () => {
    const { id } = await create();
    await act(id, 'start', held);
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => admin.post(`/api/campaigns/${id}/take-back`)),
    );
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    expect(await toldOf(id)).toEqual(['campaign.started', 'campaign.start_taken_back']);
  });

  it('goes back to its schedule, unless its hour is over', async () => {
    const scheduledAt = new Date(Date.now() + 3_600_000).toISOString();
    const { id } = await create({ status: 'scheduled', scheduledAt });
    await act(id, 'start', held);
    expect(await act(id, 'take-back')).toMatchObject({ status: 'scheduled', scheduledAt });
    await act(id, 'start', held);
    await query(`UPDATE campaigns SET scheduled_at = now() - interval '1 second' WHERE id = $1`, [id]);
    expect(await act(id, 'take-back')).toMatchObject({ status: 'draft', scheduledAt: null });
  });

  it('also while it is paused, and not once it is cancelled', async () => {
    const { id } = await create();
    await act(id, 'start', held);
    expect(await act(id, 'pause')).toMatchObject({ status: 'paused', heldUntil: null });
    expect(await act(id, 'take-back')).toMatchObject({ status: 'draft' });
    await act(id, 'start', held);
    await act(id, 'cancel');
    expect((await admin.post(`/api/campaigns/${id}/take-back`)).status).toBe(409);
    expect(await read(id)).toMatchObject({ status: 'cancelled' });
  });

  it('is refused with the reason when something may have left', async () => {
    const { id } = await create();
    await act(id, 'start', held);
    await query(
      `UPDATE delivery_runs SET cursor = 1, state = 'running', started_at = now() WHERE campaign_id = $1`,
      [id],
    );
    const answer = await admin.post(`/api/campaigns/${id}/take-back`);
    expect(answer.status).toBe(409);
    expect(await answer.json()).toMatchObject({ error: { code: 'campaign_already_sending' } });
    expect(await read(id)).toMatchObject({ status: 'running', counts: { total: 3 } });
    expect(await countRuns(id)).toBe(1);
  });

  it('begins at once where nobody asks for a hold, and is then not taken back', async () => {
    const { id } = await create();
    expect(await act(id, 'start')).toMatchObject({ heldUntil: null });
    expect((await admin.post(`/api/campaigns/${id}/take-back`)).status).toBe(409);
    expect((await admin.post(`/api/campaigns/${id}/start`, { takeBackSeconds: 11 })).status).toBe(422);
  });
});

describe('a start whose number is taken off while it is held', () => {
  afterEach(() =>
    query(
      'UPDATE channels SET is_connected = true, stopped_code = NULL, stopped_reason = NULL, stopped_for = NULL',
    ),
  );

  it('says so, and can still be taken back', async () => {
    const { rows } = await query('SELECT id FROM channels WHERE workspace_id = $1', [api.workspaceId]);
    const { id } = await create();
    await act(id, 'start', held);
    // The hold must outlast a busy machine.
    await query(
      `UPDATE delivery_runs SET hold_until = hold_until + interval '1 hour' WHERE campaign_id = $1`,
      [id],
    );
    const off = await admin.post(`/api/channels/connections/${rows[0].id}/disconnect`);
    expect(off.status).toBe(200);
    expect(await read(id)).toMatchObject({
      ...{ status: 'paused', heldUntil: null, pauseCode: 'disconnected' },
      pauseReason:
        'The number was disconnected in Settings. The campaign continues once it is connected again.',
    });
    expect(await act(id, 'take-back')).toMatchObject({ status: 'draft', pauseReason: null });
    expect(await countRuns(id)).toBe(0);
  });
});

describe('who takes a start back', () => {
  const setPermissions = (permissions: string[] | null) =>
    query(
      `UPDATE workspaces SET role_permissions = CASE WHEN $2::jsonb IS NULL THEN '{}' ELSE jsonb_build_object('agent', $2::jsonb) END WHERE id = $1`,
      [api.workspaceId, permissions && JSON.stringify(permissions)],
    );
  const sendAs = async (caller: ApiCaller) => {
    const sent = await caller.post('/api/bulk-messages', {
      ...{ audience: { contactIds }, message: { customMessage: 'Hello' } },
      takeBackSeconds: 10,
    });
    return (await sent.json<{ campaignId: string }>()).campaignId;
  };

  it('is whoever sent a bulk message, of that one alone', async () => {
    const agent = await api.as('agent');
    const { id } = await create();
    await act(id, 'start', held);
    expect((await agent.post(`/api/campaigns/${id}/take-back`)).status).toBe(403);
    const other = await sendAs(admin);
    expect((await agent.post(`/api/campaigns/${other}/take-back`)).status).toBe(403);
    const own = await sendAs(agent);
    expect((await agent.post(`/api/campaigns/${own}/take-back`)).status).toBe(200);
    // It is a draft by now, which somebody else starts.
    await act(own, 'start', held);
    expect((await agent.post(`/api/campaigns/${own}/take-back`)).status).toBe(403);
    for (const taken of [id, other, own])
      expect(await act(taken, 'take-back')).toMatchObject({ status: 'draft' });
  });

  it('is whoever may start campaigns, also without the right to make some', async () => {
    const agent = await api.as('agent');
    const { id } = await create();
    await setPermissions(['campaigns:read', 'campaigns:update', 'messages:create']);
    try {
      await act(id, 'start', held);
      expect((await agent.post(`/api/campaigns/${id}/take-back`)).status).toBe(200);
    } finally {
      await setPermissions(null);
    }
  });

  it('is nobody once the hold is over, whatever the run waits for', async () => {
    const { id } = await create();
    await act(id, 'start', held);
    await query(
      `UPDATE delivery_runs SET state = 'paused', pause_reason = 'quiet_hours', hold_until = now() - interval '3 seconds' WHERE campaign_id = $1`,
      [id],
    );
    const answer = await admin.post(`/api/campaigns/${id}/take-back`);
    expect(answer.status).toBe(409);
    expect(await answer.json()).toMatchObject({ error: { code: 'campaign_already_sending' } });
    expect(await countRuns(id)).toBe(1);
  });
});

describe('a bulk message that is taken back', () => {
  it('stays as a draft among the campaigns', async () => {
    const sent = await admin.post('/api/bulk-messages', {
      ...{ audience: { contactIds }, message: { customMessage: 'Hello' } },
      takeBackSeconds: 5,
    });
    const { campaignId, ...left } = await sent.json<Left & { campaignId: string }>();
    expectLeft(left);
    expect(await act(campaignId, 'take-back')).toMatchObject({ status: 'draft', counts: { total: 0 } });
    expect(await toldOf(campaignId)).toEqual(['bulk_message.sent', 'campaign.start_taken_back']);
  });
});
