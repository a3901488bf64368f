import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { eventually, openHostFixture, type HostFixture } from './host-fixture.ts';

type Campaign = {
  id: string;
  name: string;
  status: string;
  pauseReason: string | null;
  counts: Record<
    'total' | 'pending' | 'sent' | 'delivered' | 'read' | 'failed' | 'cancelled' | 'unknown',
    number
  >;
};
type Recipient = { phone: string; outcome: string; errorCode: string | null; explanation: string | null };
type Stats = { accepted: number; byRecipientMax: number; distinctRecipients: number; maxInAnySecond: number };

let host: HostFixture;
let templateId: string;

beforeAll(async () => {
  host = await openHostFixture();
  const { id } = await eventually(
    async () => {
      const { rows } = await host.database.query(
        `SELECT id, platform_status FROM templates WHERE name = 'Order Update'`,
      );
      return rows[0];
    },
    (template) => template.platform_status === 'APPROVED',
  );
  templateId = id;
});
afterAll(() => host.close());
beforeEach(async () => {
  await host.sandbox('/_sandbox/whatsapp/behaviour', { throughputMps: 0, latencyMs: 0 });
});

/** Contacts +44 7700 91xxxx with one tag, straight into the database: importing has tests of its own. */
async function addContacts(tag: string, phones: readonly string[]): Promise<void> {
  await host.database.query(
    `INSERT INTO contacts (id, workspace_id, name, phone, tags, status, created_at, updated_at, version)
     SELECT gen_random_uuid(), $1, 'Person ' || phone, phone, ARRAY[$3::text], 'active', now(), now(), 1 FROM unnest($2::text[]) AS phone`,
    [host.workspaceId, phones, tag],
  );
}

function numbers(count: number, start: number): string[] {
  return Array.from({ length: count }, (_, index) => `+44770091${String(start + index).padStart(4, '0')}`);
}

function audienceOf(tag: string) {
  return { filter: { tags: [tag] } };
}

async function sendBulk(tag: string, extra: Record<string, unknown> = {}, idempotencyKey?: string) {
  const message = { audience: audienceOf(tag), message: { templateId }, ...extra };
  return host.call<{ campaignId: string; recipients: number; error?: { code: string } }>(
    'POST',
    '/api/bulk-messages',
    message,
    idempotencyKey,
  );
}

async function readCampaign(id: string): Promise<Campaign> {
  return (await host.call<Campaign>('GET', `/api/campaigns/${id}`)).body;
}

async function readRecipients(id: string): Promise<Recipient[]> {
  return (await host.call<{ items: Recipient[] }>('GET', `/api/campaigns/${id}/recipients?limit=200`)).body
    .items;
}

/** What the sandbox accepted for these numbers. */
async function acceptedFor(phones: readonly string[]): Promise<number[]> {
  return Promise.all(
    phones.map(async (phone) => {
      const { messages } = await host.sandbox<{ messages: unknown[] }>(
        `/_sandbox/whatsapp/messages?recipient=${encodeURIComponent(phone)}`,
      );
      return messages.length;
    }),
  );
}

describe('a bulk message', () => {
  it('reaches each of 300 contacts of a tag exactly once and counts what the platform reports', async () => {
    const phones = numbers(300, 0);
    await addContacts('three-hundred', phones);
    const sent = await sendBulk('three-hundred');
    expect([sent.status, sent.body.recipients]).toEqual([200, 300]);
    const campaign = await eventually(
      () => readCampaign(sent.body.campaignId),
      ({ status, counts }) => status === 'completed' && counts.delivered === 300 && counts.read > 0,
    );
    expect(campaign.counts).toMatchObject({ total: 300, pending: 0, sent: 300, failed: 0, unknown: 0 });
    const stats = await host.sandbox<Stats>('/_sandbox/whatsapp/stats');
    expect(stats.byRecipientMax).toBe(1);
    expect((await acceptedFor(phones.slice(0, 5))).every((count) => count === 1)).toBe(true);
    const told = await host.database.query(
      `SELECT "values", actor->>'name' AS who FROM events WHERE type = 'campaign.completed' AND subject_id = $1`,
      [sent.body.campaignId],
    );
    const values = { total: 300, sent: 300, failed: 0, cancelled: 0, unknown: 0 };
    expect(told.rows).toEqual([{ who: 'delivery', values }]);
  });

  it('is sent once however often the same click arrives', async () => {
    const phones = numbers(3, 1000);
    await addContacts('double-click', phones);
    const idempotencyKey = crypto.randomUUID();
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => sendBulk('double-click', {}, idempotencyKey)),
    );
    expect(new Set(answers.map(({ body }) => body.campaignId)).size).toBe(1);
    const campaignId = answers[0]?.body.campaignId ?? '';
    await eventually(
      () => readCampaign(campaignId),
      ({ status }) => status === 'completed',
    );
    expect(await acceptedFor(phones)).toEqual([1, 1, 1]);
  });

  it('refuses the same key for another request', async () => {
    await addContacts('key-reuse', numbers(2, 1100));
    const idempotencyKey = crypto.randomUUID();
    const { body } = await sendBulk('key-reuse', {}, idempotencyKey);
    await eventually(
      () => readCampaign(body.campaignId),
      ({ status }) => status === 'completed',
    );
    const reused = await sendBulk('double-click', {}, idempotencyKey);
    expect([reused.status, reused.body.error?.code]).toEqual([409, 'idempotency_key_reused']);
  });

  it.each([
    ['nobody is chosen', { audience: { contactIds: [] } }, 422, 'bulk_message_no_contacts'],
    ['the schedule is in the past', { scheduledAt: '2020-01-01T00:00:00Z' }, 422, 'campaign_schedule_past'],
    [
      'the template is not there',
      { message: { templateId: '01900000-0000-7000-8000-000000000000' } },
      404,
      'template_not_found',
    ],
    [
      'nobody has an open window for free text',
      { message: { customMessage: 'Hi' } },
      422,
      'campaign_audience_empty',
    ],
  ])('says so and sends nothing when %s', async (_, extra, status, code) => {
    const before = await host.sandbox<Stats>('/_sandbox/whatsapp/stats');
    const answer = await sendBulk('double-click', extra);
    expect([answer.status, answer.body.error?.code]).toEqual([status, code]);
    expect((await host.sandbox<Stats>('/_sandbox/whatsapp/stats')).accepted).toBe(before.accepted);
  });

  it('scheduled for later waits, then goes out', async () => {
    const phones = numbers(2, 1200);
    await addContacts('later', phones);
    const scheduledAt = new Date(Date.now() + 1_500).toISOString();
    const { body } = await sendBulk('later', { scheduledAt });
    expect((await readCampaign(body.campaignId)).status).toBe('scheduled');
    expect(await acceptedFor(phones)).toEqual([0, 0]);
    await eventually(
      () => readCampaign(body.campaignId),
      ({ status }) => status === 'completed',
    );
    expect(await acceptedFor(phones)).toEqual([1, 1]);
  });
});

describe('a campaign on its way', () => {
  it('stops on Pause, goes on exactly where it stopped, and ends on Cancel', async () => {
    const phones = numbers(400, 2000);
    await addContacts('stop-and-go', phones);
    await host.database.query('UPDATE channels SET messages_per_second = 5');
    const { body } = await sendBulk('stop-and-go');
    const act = async (name: string) =>
      host.call<Campaign>('POST', `/api/campaigns/${body.campaignId}/${name}`);
    await eventually(
      () => readCampaign(body.campaignId),
      ({ counts }) => counts.sent >= 5,
    );
    expect((await act('pause')).body.status).toBe('paused');
    const paused = await eventually(
      () => readCampaign(body.campaignId),
      ({ counts }) => counts.sent + counts.pending === 400,
    );
    await new Promise((resolve) => setTimeout(resolve, 1_200));
    const stillPaused = await readCampaign(body.campaignId);
    // What was in flight when Pause was pressed may still be settled; nothing new leaves.
    expect(stillPaused.counts.sent - paused.counts.sent).toBeLessThanOrEqual(5);
    expect(stillPaused.counts.sent).toBeLessThan(400);
    expect((await act('resume')).body.status).toBe('running');
    await eventually(
      () => readCampaign(body.campaignId),
      ({ counts }) => counts.sent > stillPaused.counts.sent + 5,
    );
    expect((await act('cancel')).body.status).toBe('cancelled');
    const cancelled = await eventually(
      () => readCampaign(body.campaignId),
      ({ counts }) => counts.pending === 0,
    );
    expect(cancelled.counts.sent + cancelled.counts.cancelled).toBe(400);
    expect((await host.sandbox<Stats>('/_sandbox/whatsapp/stats')).byRecipientMax).toBe(1);
    expect((await act('resume')).status).toBe(409);
    await host.database.query('UPDATE channels SET messages_per_second = 80');
  });

  it('tells what happened to each person in plain words', async () => {
    await addContacts('outcomes', ['+447700900026', '+447700900500', '+447700910777']);
    const { body } = await sendBulk('outcomes');
    await eventually(
      () => readCampaign(body.campaignId),
      ({ status, counts }) => status === 'completed' && counts.failed === 1 && counts.delivered === 2,
      30_000,
    );
    const byPhone = new Map(
      (await readRecipients(body.campaignId)).map((recipient) => [recipient.phone, recipient]),
    );
    expect(byPhone.get('+447700900026')).toMatchObject({
      outcome: 'failed',
      errorCode: '131026',
      explanation: expect.stringContaining('cannot reach this number'),
    });
    expect(byPhone.get('+447700900500')?.outcome).toMatch(/sent|delivered|read/);
  });

  it('never repeats a message whose answer was lost; the status proves that it arrived', async () => {
    await addContacts('ambiguous', ['+447700900504']);
    const { body } = await sendBulk('ambiguous');
    await eventually(
      () => readCampaign(body.campaignId),
      ({ counts }) => counts.sent === 1 && counts.delivered === 1,
    );
    expect(await acceptedFor(['+447700900504'])).toEqual([1]);
  });

  it('pauses with the reason when the token is revoked, and goes on after it works again', async () => {
    await addContacts('revoked', ['+447700900190', ...numbers(20, 3000)]);
    const { body } = await sendBulk('revoked');
    const paused = await eventually(
      () => readCampaign(body.campaignId),
      ({ status }) => status === 'paused',
    );
    expect(paused.pauseReason).toContain('Enter a new token');
    const health = await host.call<{ messagingApi: { state: string } }>('GET', '/api/health');
    expect(health.body.messagingApi.state).toBe('down');
  });
});
