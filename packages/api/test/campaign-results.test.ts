import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '@app/database/new-id';
import { recipientState } from '@app/domain/delivery/recipient-state';
import type { OutboundMessage, SendResult } from '@app/domain/messaging/channel-port';
import { keepQuietHours } from '../src/campaigns/keep-quiet-hours.ts';
import { startDueCampaigns } from '../src/campaigns/start-due-campaigns.ts';
import { openApiFixture, type ApiCaller, type ApiFixture } from './api-fixture.ts';

type Details = {
  id: string;
  name: string;
  status: string;
  audienceSize: number;
  pauseReason: string | null;
  plannedCost: number;
  actualCost: number;
  counts: { total: number; pending: number };
};
type Refusal = { code: string; data?: { field?: string; values?: Record<string, string> } };

let api: ApiFixture;
let admin: ApiCaller;
const sent: OutboundMessage[] = [];
let answer: SendResult;
const contactIds = Array.from({ length: 4 }, () => newId());

beforeAll(async () => {
  api = await openApiFixture({
    messageSender: {
      send: async (_channelId, message) => {
        sent.push(message);
        return answer;
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

async function start(changes: Record<string, unknown> = {}): Promise<Details> {
  const created = await admin.post('/api/campaigns', {
    name: 'Spring',
    message: { customMessage: 'Hi {{name}}' },
    audience: { contactIds },
    ...changes,
  });
  const { id } = await created.json<Details>();
  const started = await admin.post(`/api/campaigns/${id}/start`);
  expect(started.status).toBe(200);
  return started.json<Details>();
}

/** As the engine leaves it: two delivered, one refused, one taken and reported as failed. */
async function finish(campaignId: string): Promise<void> {
  const run = `(SELECT run_no FROM delivery_runs WHERE campaign_id = '${campaignId}')`;
  await api.db.systemPool.query(
    `UPDATE delivery_recipients SET accepted_at = now(), sent_at = now(),
       state = CASE seq WHEN 2 THEN 3 ELSE 2 END,
       delivered_at = CASE WHEN seq < 2 THEN now() END, failed_at = CASE WHEN seq > 1 THEN now() END,
       error_code = CASE WHEN seq > 1 THEN '131026' END WHERE run_no = ${run}`,
  );
  await api.db.systemPool.query(
    `UPDATE delivery_runs SET state = 'completed', completed_at = now(), cursor = 4, low_water = 4,
       accepted = 3, refused = 1, sent = 3, delivered = 2, failed = 1 WHERE run_no = ${run}`,
  );
}

describe('results of a campaign', () => {
  it('are exported with every recipient, and no cell can run as a formula', async () => {
    const { id } = await start();
    await finish(id);
    const file = await admin.get(`/api/campaigns/${id}/recipients/export`);
    expect(file.headers.get('content-type')).toContain('text/csv');
    expect(file.headers.get('content-disposition')).toMatch(
      /^attachment; filename="campaign-results-.*\.csv"$/,
    );
    const lines = (await file.text()).trim().split('\r\n');
    expect(lines[0]).toBe('name,phone,outcome,code,explanation,time');
    expect(lines).toHaveLength(5);
    expect(lines.filter((line) => line.includes(',failed,131026,'))).toHaveLength(2);
    expect(lines.some((line) => line.startsWith('=') || line.startsWith('"='))).toBe(false);
    const other = await api.asOther();
    expect((await other.get(`/api/campaigns/${id}/recipients/export`)).status).toBe(404);
    expect((await api.stranger.get(`/api/campaigns/${id}/recipients/export`)).status).toBe(401);
    expect((await admin.get('/api/campaigns/1abc/recipients/export')).status).toBe(404);
  });

  it('tell the planned and the actual cost', async () => {
    const { id, plannedCost, actualCost } = await start();
    expect([plannedCost, actualCost]).toEqual([0.2, 0]);
    await finish(id);
    const now = await (await admin.get(`/api/campaigns/${id}`)).json<Details>();
    expect([now.plannedCost, now.actualCost]).toEqual([0.2, 0.1]);
  });
});

describe('retry of the failed', () => {
  it('starts one campaign for exactly those whose message failed, however often it is asked for', async () => {
    const { id } = await start();
    const early = await admin.post(`/api/campaigns/${id}/retry-failed`, undefined, 'retry-early-1');
    expect([early.status, (await early.json<Refusal>()).code]).toEqual([409, 'campaign_act_refused']);
    await finish(id);
    const answers = await Promise.all(
      [1, 2].map(() => admin.post(`/api/campaigns/${id}/retry-failed`, undefined, 'retry-key-1')),
    );
    const retries = await Promise.all(answers.map((each) => each.json<Details>()));
    expect(retries.map((retry) => retry.id)).toEqual([retries[0]?.id, retries[0]?.id]);
    expect(retries[0]).toMatchObject({ name: 'Spring (retry)', status: 'running', audienceSize: 2 });
    expect(retries[0]?.counts.total).toBe(2);
    const first = await (await admin.get(`/api/campaigns/${id}`)).json<Details>();
    expect(first.status).toBe('completed');
  });

  it('writes to nobody twice when a second person asks for it, during the first retry or after it', async () => {
    const { id } = await start();
    await finish(id);
    const manager = await api.as('manager');
    const first = await (
      await admin.post(`/api/campaigns/${id}/retry-failed`, undefined, 'retry-twice-1')
    ).json<Details>();
    const during = await manager.post(`/api/campaigns/${id}/retry-failed`, undefined, 'retry-twice-2');
    expect([during.status, (await during.json<Refusal>()).code]).toEqual([409, 'campaign_retry_running']);
    // One of the two never left there: the retry was cancelled before.
    await api.db.systemPool.query(
      `UPDATE delivery_recipients SET state = CASE seq WHEN 0 THEN $2::smallint ELSE $3::smallint END
        WHERE run_no = (SELECT run_no FROM delivery_runs WHERE campaign_id = $1)`,
      [first.id, recipientState.accepted, recipientState.cancelled],
    );
    await api.db.systemPool.query(
      `UPDATE delivery_runs SET state = 'cancelled', completed_at = now() WHERE campaign_id = $1`,
      [first.id],
    );
    const after = await manager.post(`/api/campaigns/${id}/retry-failed`, undefined, 'retry-twice-3');
    const second = await after.json<Details>();
    expect([after.status, second.audienceSize, second.counts.total]).toEqual([200, 1, 1]);
    await api.db.systemPool.query(
      `UPDATE delivery_recipients SET state = $2 WHERE run_no = (SELECT run_no FROM delivery_runs WHERE campaign_id = $1)`,
      [second.id, recipientState.accepted],
    );
    await api.db.systemPool.query(
      `UPDATE delivery_runs SET state = 'completed', completed_at = now() WHERE campaign_id = $1`,
      [second.id],
    );
    const third = await manager.post(`/api/campaigns/${id}/retry-failed`, undefined, 'retry-twice-4');
    expect([third.status, (await third.json<Refusal>()).code]).toEqual([422, 'campaign_audience_empty']);
  });

  it('refuses when nobody failed, and hides campaigns of others', async () => {
    const { id } = await start();
    await api.db.systemPool.query(
      `UPDATE delivery_runs SET state = 'completed', completed_at = now() WHERE campaign_id = $1`,
      [id],
    );
    const nobody = await admin.post(`/api/campaigns/${id}/retry-failed`, undefined, 'retry-key-2');
    expect([nobody.status, (await nobody.json<Refusal>()).code]).toEqual([422, 'campaign_audience_empty']);
    const other = await api.asOther();
    const foreign = await other.post(`/api/campaigns/${id}/retry-failed`, undefined, 'retry-key-3');
    expect(foreign.status).toBe(404);
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
      pauseReason: 'Quiet hours. Sending goes on by itself when they end.',
    });
    const { rows } = await api.db.systemPool.query(
      'SELECT resume_at FROM delivery_runs WHERE campaign_id = $1',
      [started.id],
    );
    expect(rows[0].resume_at.toISOString().slice(11, 16)).toBe(quiet.to);
  });

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
    const { id } = await created.json<Details>();
    const logger = { info() {}, warn() {}, error() {} };
    await startDueCampaigns({ db: api.db, liveEvents: api.liveEvents, logger, clock: () => at(2.5) });
    expect((await (await admin.get(`/api/campaigns/${id}`)).json<Details>()).status).toBe('paused');
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
    await keepQuietHours({ db: api.db, liveEvents: api.liveEvents, clock: () => now });
    expect((await (await admin.get(`/api/campaigns/${started.id}`)).json<Details>()).status).toBe('running');
    await keepQuietHours({ db: api.db, liveEvents: api.liveEvents, clock });
    expect((await (await admin.get(`/api/campaigns/${started.id}`)).json<Details>()).status).toBe('paused');
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

  it('names what is wrong: the number, or what the platform said', async () => {
    const wrong = await admin.post('/api/campaigns/test-message', { ...test, phone: 'me' });
    expect((await wrong.json<Refusal>()).code).toBe('contact_phone_invalid');
    answer = {
      outcome: 'refused',
      error: { code: '131047', title: 'Re-engagement message', details: '' },
      action: { kind: 'unreachable' },
    };
    const refused = await admin.post('/api/campaigns/test-message', { ...test, phone: '+447700900201' });
    const body = await refused.json<Refusal>();
    expect(body.code).toBe('test_message_refused');
    expect(body.data?.values?.['reason']).toContain('24 hours');
    answer = { outcome: 'not_sent', reason: 'connect_refused' };
    const unreachable = await admin.post('/api/campaigns/test-message', { ...test, phone: '+447700900201' });
    expect((await unreachable.json<Refusal>()).code).toBe('platform_unreachable');
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
      expect([each.status, (await each.json<Refusal>()).code]).toEqual([409, 'outcome_unknown']);
    }
    expect(sent).toHaveLength(1);
    const { rows } = await api.db.systemPool.query(
      `SELECT description FROM activities WHERE description LIKE '%test message%' ORDER BY id DESC LIMIT 2`,
    );
    expect(rows.map(({ description }) => description)).toEqual([
      'Nobody knows whether the test message left',
      'Sends a test message',
    ]);
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
      return done.status === 200 ? 'sent' : (await done.json<Refusal>()).code;
    };
    answer = { outcome: 'not_sent', reason: 'dns' };
    expect([await press(), await press(), await press()]).toEqual(Array(3).fill('platform_unreachable'));
    answer = { outcome: 'accepted', providerMessageId: 'wamid.3' };
    expect([await press(), await press(), await press()]).toEqual(['sent', 'sent', 'daily_limit_reached']);
    expect(sent).toHaveLength(5);
    await limits(null);
  });
});
