import type pg from 'pg';
import { advisoryLocks } from '@app/database/advisory-locks';
import { recipientState } from '@app/domain/delivery/recipient-state';
import type { RunMessage } from '@app/domain/delivery/run-message';
import { templateContent } from '@app/domain/templates/template-content';
import { sampleContacts, sampleTemplates } from './sample-content.ts';

type SampleHistory = {
  workspaceId: string;
  channelId: string;
  campaignId: string;
  contactIds: readonly string[];
  now: Date;
};

const HISTORY_DAYS = 60;
const DAY_MS = 86_400_000;
/** The shares of the specification: 90 of 100 delivered, 70 of those read. */
const DELIVERED = 0.9;
const READ = 0.7;

/**
 * A finished campaign to both sample contacts and two months of message figures, so that charts have something to
 * show. It belongs to the sample workspace and goes with it.
 */
export async function seedHistory(client: pg.PoolClient, history: SampleHistory): Promise<void> {
  await seedFinishedRun(client, history);
  await seedMessageStats(client, history);
  await seedRollups(client, history);
}

async function seedFinishedRun(
  client: pg.PoolClient,
  { workspaceId, channelId, campaignId, contactIds, now }: SampleHistory,
): Promise<void> {
  const sentAt = new Date(now.getTime() - 7 * DAY_MS);
  const total = contactIds.length;
  const { rows } = await client.query(`SELECT nextval('delivery_run_small') AS run_no`);
  const runNo = rows[0].run_no;
  await client.query('SELECT ensure_delivery_partition($1)', [runNo]);
  await client.query(
    `INSERT INTO delivery_runs (run_no, workspace_id, channel_id, campaign_id, state, message, category, audience, frozen_at,
       total, cursor, low_water, accepted, sent, delivered, read, created_at, started_at, completed_at, rolled_up_below)
     VALUES ($1, $2, $3, $4, 'completed', $7, 'marketing', '{}', $5, $6, $6, $6, $6, $6, $6, 1, $5, $5, $5, 0)`,
    [runNo, workspaceId, channelId, campaignId, sentAt, total, welcomeMessage()],
  );
  for (const [seq, contactId] of contactIds.entries()) {
    await client.query(
      `INSERT INTO delivery_recipients (run_no, seq, state, attempt, accepted_at, sent_at, delivered_at, read_at, workspace_id,
         contact_id, address) VALUES ($1, $2, $3, 1, $4, $4, $4, $5, $6, $7, $8)`,
      [
        runNo,
        seq,
        recipientState.accepted,
        sentAt,
        seq === 0 ? sentAt : null,
        workspaceId,
        contactId,
        sampleContacts[seq]?.phone,
      ],
    );
  }
  await client.query('UPDATE campaigns SET run_no = $1 WHERE id = $2', [runNo, campaignId]);
}

/** What the campaign said to everybody, as the engine would have stored it. */
function welcomeMessage(): RunMessage {
  const welcome = sampleTemplates[0];
  return {
    content: templateContent({ ...welcome, id: '', platformName: null, language: 'en' }, {}),
    variables: { name: { field: 'name' }, business: { field: 'business' } },
    businessName: 'Sample Business',
  };
}

async function seedMessageStats(
  client: pg.PoolClient,
  { workspaceId, channelId, now }: SampleHistory,
): Promise<void> {
  const days = countDays(now);
  await client.query(
    `INSERT INTO message_stats (workspace_id, channel_id, hour, accepted, sent, delivered, read)
     SELECT $1, $2, * FROM unnest($3::timestamptz[], $4::bigint[], $4::bigint[], $5::bigint[], $6::bigint[])
     ON CONFLICT DO NOTHING`,
    [
      workspaceId,
      channelId,
      days.map(({ hour }) => hour),
      days.map(({ sent }) => sent),
      days.map(({ delivered }) => delivered),
      days.map(({ read }) => read),
    ],
  );
}

/** How many messages the sample sent on each of its days, today first; `hour` is a full hour of it. */
function countDays(now: Date) {
  return Array.from({ length: HISTORY_DAYS }, (_, index) => {
    const hour = new Date(now.getTime() - index * DAY_MS);
    hour.setUTCMinutes(0, 0, 0);
    const isWeekend = hour.getUTCDay() % 6 === 0;
    // A gentle rise with quieter weekends; no randomness, so that every start shows the same.
    const sent = Math.round((isWeekend ? 18 : 42) + (HISTORY_DAYS - index) * 0.3 + ((index * 7) % 11));
    const delivered = Math.floor(sent * DELIVERED);
    return { hour, sent, delivered, read: Math.floor(delivered * READ) };
  });
}

/** Of a day's messages, by hour (UTC): most are sent and read from noon to six in the evening, and far fewer just before and after. */
const HOURS = [1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 12, 13, 14, 13, 12, 11, 2, 2, 2, 2, 1, 1];
/** A third of those who got a message reply. */
const REPLIED = 0.34;

/** The same messages over the hours of their days, by the templates of the sample, and what the finished campaign sent. */
async function seedRollups(
  client: pg.PoolClient,
  { workspaceId, channelId, now }: SampleHistory,
): Promise<void> {
  const { rows: templates } = await client.query<{ id: string }>(
    'SELECT id FROM templates WHERE workspace_id = $1 ORDER BY created_at, name',
    [workspaceId],
  );
  const rows = countDays(now).flatMap(({ hour, sent, delivered, read }, day) =>
    HOURS.map((_, at) => {
      const quarter = new Date(hour);
      quarter.setUTCHours(at);
      return {
        quarter: quarter.toISOString(),
        template_id: templates[(day + at) % templates.length]?.id ?? null,
        ...{ sent: shareOf(sent, at), delivered: shareOf(delivered, at), read: shareOf(read, at) },
        replied: shareOf(Math.floor(delivered * REPLIED), at),
      };
    }),
  );
  // What is yet to come today was not sent.
  const past = rows.filter(({ quarter, sent }) => sent > 0 && Date.parse(quarter) <= now.getTime());
  await client.query(
    `INSERT INTO message_rollups (workspace_id, quarter, channel_id, template_id, author, direction, sent, delivered, read, replied)
     SELECT $1, quarter, $2, template_id, 'api', 'out', sent, delivered, read, replied
       FROM jsonb_to_recordset($3::jsonb) AS r (quarter timestamptz, template_id uuid, sent bigint, delivered bigint, read bigint, replied bigint)
     ON CONFLICT DO NOTHING`,
    [workspaceId, channelId, JSON.stringify(past)],
  );
  await client.query('SELECT backfill_runs($1, 1000)', [advisoryLocks.rollups]);
}

/** The part of a day's count that falls into one hour: parts of all hours make up the whole. */
function shareOf(count: number, hour: number): number {
  const all = HOURS.reduce((sum, weight) => sum + weight, 0);
  const until = (end: number) => HOURS.slice(0, end).reduce((sum, weight) => sum + weight, 0);
  return Math.round((count * until(hour + 1)) / all) - Math.round((count * until(hour)) / all);
}
