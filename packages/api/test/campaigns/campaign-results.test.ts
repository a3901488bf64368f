import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { longTest } from '@app/database/testing/long-test';
import { newId } from '@app/database/new-id';
import type { OutboundMessage, SendResult } from '@app/domain/messaging/channel-port';
import { keepQuietHours } from '../../src/campaigns/keep-quiet-hours.ts';
import { startDueCampaigns } from '../../src/campaigns/start-due-campaigns.ts';
import { openApiFixture, type ApiCaller, type ApiFixture } from '../api-fixture.ts';
import { finishRun, startCampaign, type CampaignDetails } from './campaign-scenes.ts';

type Refusal = { error: { code: string; details?: { field?: string; values?: Record<string, string> } } };

type Page = {
  items: { outcome: string }[];
  reasons?: { count: number }[];
  counts: { cancelled: number };
};

let api: ApiFixture;
let admin: ApiCaller;
const sent: OutboundMessage[] = [];
let answer: SendResult | 'cannot be opened';
const contactIds = Array.from({ length: 4 }, () => newId());

beforeAll(async () => {
  api = await openApiFixture({
    messageSender: {
      open: async () => {
        if (answer === 'cannot be opened') throw new Error('the credentials cannot be read');
        const result = answer;
        return {
          send: async (message) => {
            sent.push(message);
            return result;
          },
        };
      },
    },
  });
  admin = await api.as('admin');
  await api.db.systemPool.query(
    `INSERT INTO contacts (id, workspace_id, name, phone, window_expires_at)
     SELECT id, $1, CASE n WHEN 1 THEN '=1+1' ELSE 'Person ' || n END, '+447700912' || lpad(n::text, 3, '0'), now() + interval '9 hours'
       FROM unnest($2::uuid[]) WITH ORDINALITY AS p (id, n)`,
    [api.workspaceId, contactIds],
  );
  await api.addChannel();
});
afterAll(() => api.close());

const start = (changes: Record<string, unknown> = {}) =>
  startCampaign(admin, { audience: { contactIds }, ...changes });

describe('results of a campaign', () => {
  it('say why some did not get it, and what is lasting is not tried again', async () => {
    const { id } = await start();
    await finishRun(api, id);
    await api.db.systemPool.query(
      `UPDATE delivery_recipients SET error_code = '131026'
        WHERE seq = 3 AND run_no = (SELECT run_no FROM delivery_runs WHERE campaign_id = $1)`,
      [id],
    );
    const answer = await admin.get(`/api/campaigns/${id}/reasons`);
    expect(await answer.json()).toMatchObject({
      reasons: [
        { outcome: 'failed', errorCode: '131000', count: 1, canSucceed: true },
        { outcome: 'failed', errorCode: '131026', count: 1, canSucceed: false },
      ],
    });
    const retry = await admin.get(`/api/campaigns/${id}/retry-failed`);
    expect(await retry.json()).toMatchObject({ chosen: 1, receiving: 1 });
    expect((await (await api.asOther()).get(`/api/campaigns/${id}/reasons`)).status).toBe(404);
  });

  it('are exported with every recipient, and no cell can run as a formula', async () => {
    const { id } = await start();
    await finishRun(api, id);
    const file = await admin.get(`/api/campaigns/${id}/recipients/export`);
    expect(file.headers.get('content-type')).toContain('text/csv');
    expect(file.headers.get('content-disposition')).toMatch(
      /^attachment; filename="campaign-results-.*\.csv"$/,
    );
    const lines = (await file.text()).trim().split('\r\n');
    expect(lines[0]).toBe(
      'name,phone,outcome,code,explanation,time,fallback,fallback code,fallback time,clicked,converted',
    );
    expect(lines).toHaveLength(5);
    expect(lines.filter((line) => line.includes(',failed,131000,'))).toHaveLength(2);
    expect(lines.some((line) => line.startsWith('=') || line.startsWith('"='))).toBe(false);
    const workbook = await admin.get(`/api/campaigns/${id}/recipients/export?format=xlsx`);
    expect(workbook.headers.get('content-disposition')).toMatch(/\.xlsx"$/);
    expect(Buffer.from(await workbook.arrayBuffer()).toString('latin1', 0, 2)).toBe('PK');
    const other = await api.asOther();
    expect((await other.get(`/api/campaigns/${id}/recipients/export`)).status).toBe(404);
    expect((await api.stranger.get(`/api/campaigns/${id}/recipients/export`)).status).toBe(401);
    expect((await admin.get('/api/campaigns/1abc/recipients/export')).status).toBe(404);
  });

  it('tell the planned and the actual cost', async () => {
    const { id, plannedCost, actualCost } = await start();
    expect([plannedCost, actualCost]).toEqual([0.2, 0]);
    await finishRun(api, id);
    const now = await (await admin.get(`/api/campaigns/${id}`)).json<CampaignDetails>();
    expect([now.plannedCost, now.actualCost]).toEqual([0.2, 0.1]);
  });
});

describe('what going on would send', () => {
  const rest = async (id: string, whom = 'waiting') =>
    (await admin.get(`/api/campaigns/${id}/rest?whom=${whom}`)).json<Record<string, unknown>>();

  it('is counted of those who wait and of those of whom nobody knows, at the price of the start', async () => {
    const { id } = await start();
    await admin.post(`/api/campaigns/${id}/pause`);
    expect(await rest(id)).toMatchObject({
      ...{ receiving: 4, estimatedCost: 0.2, priceCurrency: 'USD', budgetLeft: null, obstacle: null },
      ...{ estimatedSeconds: expect.any(Number), finishesAt: expect.any(String) },
    });
    await api.db.systemPool.query(
      `INSERT INTO delivery_deltas (run_no, workspace_id, channel_id, hour, unknown, accepted)
       SELECT run_no, workspace_id, channel_id, date_trunc('hour', now()), 1, 1 FROM delivery_runs WHERE campaign_id = $1`,
      [id],
    );
    expect(await rest(id)).toMatchObject({ receiving: 2, estimatedCost: 0.1 });
    expect(await rest(id, 'unknown')).toMatchObject({ receiving: 1, estimatedCost: 0.05 });
    await api.db.systemPool.query('UPDATE channels SET is_connected = false');
    expect(await rest(id)).toMatchObject({ obstacle: 'number_off', estimatedSeconds: null });
    await api.db.systemPool.query('UPDATE channels SET is_connected = true');
  });

  it('is nothing before the start, nor for others', async () => {
    const made = await admin.post('/api/campaigns', {
      ...{ name: 'Draft', message: { customMessage: 'Hi' }, audience: { contactIds } },
    });
    const { id } = await made.json<{ id: string }>();
    expect(await rest(id)).toMatchObject({ error: { code: 'campaign_act_refused' } });
    expect((await (await api.asOther()).get(`/api/campaigns/${id}/rest`)).status).toBe(404);
  });
});

describe('a cancelled campaign', () => {
  it('says of everybody whom it will not reach that it was cancelled, in figures, rows and reasons alike', async () => {
    const { id } = await start();
    // One is on the way, as a sender leaves it.
    await api.db.systemPool.query(
      `UPDATE delivery_runs SET state = 'running', cursor = 1, started_at = now() WHERE campaign_id = $1`,
      [id],
    );
    const cancelled = await (await admin.post(`/api/campaigns/${id}/cancel`)).json<CampaignDetails>();
    const counts = { total: 4, pending: 1, cancelled: 3 };
    expect(cancelled).toMatchObject({ status: 'cancelled', counts });
    const page = await (await admin.get(`/api/campaigns/${id}/recipients?reasons=yes`)).json<Page>();
    expect(page).toMatchObject({ status: 'cancelled', counts });
    expect(page.items.map(({ outcome }) => outcome)).toEqual([
      ...['sending', 'cancelled', 'cancelled', 'cancelled'],
    ]);
    expect(page.reasons).toMatchObject([{ outcome: 'cancelled', errorCode: 'run_cancelled', count: 3 }]);
    const filtered = await admin.get(`/api/campaigns/${id}/recipients?outcome=cancelled&limit=2`);
    const { items, reasons, counts: same } = await filtered.json<Page>();
    expect([items.length, reasons, same.cancelled]).toEqual([2, undefined, 3]);
    const file = await (await admin.get(`/api/campaigns/${id}/recipients/export`)).text();
    expect(file.match(/,cancelled,run_cancelled,/g)).toHaveLength(3);
  });
});

describe('quiet hours', () => {
  const now = new Date();
  const hour = (shift: number) => new Date(now.getTime() + shift * 3_600_000).toISOString().slice(11, 16);
  const quiet = { from: hour(-1), to: hour(1), timeZone: 'UTC' };
  const loud = { from: hour(2), to: hour(3), timeZone: 'UTC' };

  it('hold a campaign back from its very first message', async () => {
    const started = await start({ quietHours: quiet });
    expect(started).toMatchObject({
      status: 'paused',
      pauseReason: 'Quiet hours. Sending continues automatically when they end.',
    });
    const { rows } = await api.db.systemPool.query(
      'SELECT resume_at FROM delivery_runs WHERE campaign_id = $1',
      [started.id],
    );
    expect(rows[0].resume_at.toISOString().slice(11, 16)).toBe(quiet.to);
  });

  it('hold a campaign that somebody resumes, which then goes on by itself', async () => {
    const { id } = await start({ quietHours: loud });
    await admin.post(`/api/campaigns/${id}/pause`);
    await api.db.systemPool.query('UPDATE campaigns SET quiet_hours = $2 WHERE id = $1', [
      ...[id, JSON.stringify(quiet)],
    ]);
    const rest = await (await admin.get(`/api/campaigns/${id}/rest`)).json<{ finishesAt: string }>();
    expect(Date.parse(rest.finishesAt)).toBeGreaterThan(now.getTime() + 1_800_000);
    const resumed = await admin.post(`/api/campaigns/${id}/resume`);
    expect(await resumed.json()).toMatchObject({
      status: 'paused',
      pauseReason: 'Quiet hours. Sending continues automatically when they end.',
    });
    const { rows } = await api.db.systemPool.query(
      'SELECT resume_at FROM delivery_runs WHERE campaign_id = $1',
      [id],
    );
    expect(rows[0].resume_at.toISOString().slice(11, 16)).toBe(quiet.to);
  });

  longTest(
    'of the workspace hold for whoever says nothing of them, and not for whoever wants none',
    async () => {
      const set = (hours: object | null) =>
        api.db.systemPool.query(
          `UPDATE workspaces SET settings = settings || jsonb_build_object('quietHours', $2::jsonb) WHERE id = $1`,
          [api.workspaceId, JSON.stringify(hours)],
        );
      await set(quiet);
      try {
        expect(await start()).toMatchObject({ status: 'paused', quietHours: quiet });
        expect(await start({ quietHours: null })).toMatchObject({ status: 'running', quietHours: null });
        const message = { customMessage: 'Hi {{name}}' };
        const asked = { message, audience: { contactIds } };
        const check = async (chosen: object) =>
          (await admin.post('/api/campaigns/preflight', { ...asked, ...chosen })).json<{
            finishesAt: string;
          }>();
        const [usual, none] = [await check({}), await check({ quietHours: null })];
        expect(Date.parse(usual.finishesAt)).toBeGreaterThan(Date.parse(none.finishesAt));
        const sent = await admin.post('/api/bulk-messages', asked);
        expect(await sent.json()).toMatchObject({ quietUntil: expect.stringContaining(`T${quiet.to}`) });
        const loudly = await admin.post('/api/bulk-messages', { ...asked, quietHours: null });
        expect(await loudly.json()).toMatchObject({ quietUntil: null });
        // Who replaces a campaign and says nothing leaves them as they are.
        const made = await admin.post('/api/campaigns', { name: 'A', ...asked, quietHours: loud });
        const { id, version } = await made.json<{ id: string; version: number }>();
        const named = await admin.put(`/api/campaigns/${id}`, { version, name: 'B', ...asked });
        expect(await named.json()).toMatchObject({ name: 'B', quietHours: loud });
      } finally {
        await set(null);
      }
    },
  );

  it('hold back a scheduled campaign by the clock that starts it', async () => {
    const at = (hours: number) => new Date(now.getTime() + hours * 3_600_000);
    const created = await admin.post('/api/campaigns', {
      name: 'Tonight',
      message: { customMessage: 'Hi {{name}}' },
      audience: { contactIds },
      quietHours: loud,
      status: 'scheduled',
      scheduledAt: at(2.4).toISOString(),
    });
    const { id } = await created.json<CampaignDetails>();
    const logger = { info() {}, warn() {}, error() {} };
    await startDueCampaigns({ ...api.parts, logger, clock: () => at(2.5) });
    expect((await (await admin.get(`/api/campaigns/${id}`)).json<CampaignDetails>()).status).toBe('paused');
    const { rows } = await api.db.systemPool.query(
      'SELECT resume_at FROM delivery_runs WHERE campaign_id = $1',
      [id],
    );
    expect(rows[0].resume_at.toISOString().slice(11, 16)).toBe(loud.to);
  });

  it('pause a campaign that is sending when they begin', async () => {
    const started = await start({ quietHours: loud });
    expect(started.status).toBe('running');
    const clock = () => new Date(now.getTime() + 2.5 * 3_600_000);
    const parts = { db: api.db, facts: api.facts, logger: { info() {}, warn() {}, error() {} } };
    await keepQuietHours({ ...parts, clock: () => now });
    expect((await (await admin.get(`/api/campaigns/${started.id}`)).json<CampaignDetails>()).status).toBe(
      'running',
    );
    await keepQuietHours({ ...parts, clock });
    expect((await (await admin.get(`/api/campaigns/${started.id}`)).json<CampaignDetails>()).status).toBe(
      'paused',
    );
  });

  it.each([
    { from: '25:00', to: '09:00', timeZone: 'UTC' },
    { from: '21:00', to: '9', timeZone: 'UTC' },
    { from: '21:00', to: '09:00', timeZone: 'Mars/Olympus' },
  ])('%j are refused', async (quietHours) => {
    const refused = await admin.post('/api/campaigns', {
      name: 'Spring',
      message: { customMessage: 'Hi' },
      audience: { contactIds },
      quietHours,
    });
    expect(refused.status).toBe(422);
  });
});

describe('a test message', () => {
  const test = { message: { customMessage: 'Hi {{name}}, {{code}}' }, variables: { code: { text: 'X1' } } };

  it('goes once to the given number, filled with the name of who asked for it', async () => {
    answer = { outcome: 'accepted', providerMessageId: 'wamid.1' };
    sent.length = 0;
    const done = await admin.post('/api/campaigns/test-message', { ...test, phone: '+44 7700 900201' });
    expect(await done.json()).toEqual({ phone: '+447700900201' });
    expect(sent).toHaveLength(1);
    expect(sent[0]).toMatchObject({ to: '+447700900201', content: { type: 'text' } });
    expect(JSON.stringify(sent[0]?.content)).toMatch(/Hi \w+ \w+, X1/);
  });

  it.each([
    ['with the zero of callers at home', '+44 (0)7700 900201'],
    ['with signs that nobody sees', '\u202a+44 7700\u00a0900201\u202c'],
    ['with two zeros in front', '0044 7700 900201'],
  ])('goes to a number %s', async (_, phone) => {
    answer = { outcome: 'accepted', providerMessageId: 'wamid.1' };
    const done = await admin.post('/api/campaigns/test-message', { ...test, phone });
    expect(await done.json()).toEqual({ phone: '+447700900201' });
  });

  it('names what is wrong: the number, or what the platform said', async () => {
    const wrong = await admin.post('/api/campaigns/test-message', { ...test, phone: 'me' });
    expect((await wrong.json<Refusal>()).error.code).toBe('contact_phone_invalid');
    answer = {
      outcome: 'refused',
      error: { code: '131047', title: 'Re-engagement message', details: '' },
      action: { kind: 'unreachable' },
    };
    const refused = await admin.post('/api/campaigns/test-message', { ...test, phone: '+447700900201' });
    const { error } = await refused.json<Refusal>();
    expect(error.code).toBe('test_message_refused');
    expect(error.details?.values?.['reason']).toContain('24 hours');
    answer = { outcome: 'not_sent', reason: 'connect_refused' };
    const unreachable = await admin.post('/api/campaigns/test-message', { ...test, phone: '+447700900201' });
    expect((await unreachable.json<Refusal>()).error.code).toBe('platform_unreachable');
  });

  it('leaves once under one key, also when nobody knows whether it arrived', async () => {
    answer = { outcome: 'unknown', reason: 'response_timeout' };
    sent.length = 0;
    const press = () =>
      admin.post('/api/campaigns/test-message', { ...test, phone: '+447700900202' }, 'ten-presses');
    const answers = await Promise.all(Array.from({ length: 10 }, press));
    answer = { outcome: 'accepted', providerMessageId: 'wamid.2' };
    answers.push(await press());
    for (const each of answers) {
      expect([each.status, (await each.json<Refusal>()).error.code]).toEqual([409, 'outcome_unknown']);
    }
    expect(sent).toHaveLength(1);
    const { rows } = await api.db.systemPool.query(
      `SELECT fact_type FROM activities WHERE fact_type LIKE 'test_message.%' ORDER BY id DESC LIMIT 2`,
    );
    expect(rows.map(({ fact_type: type }) => type)).toEqual(['test_message.lost', 'test_message.begun']);
  });

  it('counts against the daily limit unless it did not leave', async () => {
    const limits = (perDay: number | null) =>
      api.db.systemPool.query(`UPDATE workspaces SET settings = $2 WHERE id = $1`, [
        api.workspaceId,
        perDay === null ? {} : { messageLimits: { isEnabled: true, perMinute: 60, perDay } },
      ]);
    await limits(2);
    sent.length = 0;
    const press = async () => {
      const done = await admin.post('/api/campaigns/test-message', { ...test, phone: '+447700900203' });
      return done.status === 200 ? 'sent' : (await done.json<Refusal>()).error.code;
    };
    answer = 'cannot be opened';
    expect([await press(), await press(), await press()]).toEqual(Array(3).fill('platform_unreachable'));
    answer = { outcome: 'not_sent', reason: 'dns' };
    expect([await press(), await press(), await press()]).toEqual(Array(3).fill('platform_unreachable'));
    answer = { outcome: 'accepted', providerMessageId: 'wamid.3' };
    expect([await press(), await press(), await press()]).toEqual(['sent', 'sent', 'daily_limit_reached']);
    expect(sent).toHaveLength(5);
    await limits(null);
  });
});
