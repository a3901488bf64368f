import type pg from 'pg';
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
       total, cursor, low_water, accepted, sent, delivered, read, created_at, started_at, completed_at)
     VALUES ($1, $2, $3, $4, 'completed', $7, 'marketing', '{}', $5, $6, $6, $6, $6, $6, $6, 1, $5, $5, $5)`,
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
  const days = Array.from({ length: HISTORY_DAYS }, (_, index) => {
    const hour = new Date(now.getTime() - index * DAY_MS);
    hour.setUTCMinutes(0, 0, 0);
    const isWeekend = hour.getUTCDay() % 6 === 0;
    // A gentle rise with quieter weekends; no randomness, so that every start shows the same.
    const sent = Math.round((isWeekend ? 18 : 42) + (HISTORY_DAYS - index) * 0.3 + ((index * 7) % 11));
    const delivered = Math.floor(sent * DELIVERED);
    return { hour, sent, delivered, read: Math.floor(delivered * READ) };
  });
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
