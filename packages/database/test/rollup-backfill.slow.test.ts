import { randomUUID } from 'node:crypto';
import { afterEach, expect, test } from 'vitest';
import { advisoryLocks } from '../src/advisory-locks.ts';
import { backfillRollups, readRollupBackfill } from '../src/analytics/backfill-rollups.ts';
import { applyRollups } from '../src/analytics/apply-rollups.ts';
import { migrateDatabase, openDatabase, type Database } from '../src/database.ts';
import { createOlderDatabase, type TestDatabase } from '../src/testing/test-database.ts';

const STEPS = [
  'backfill_runs',
  'backfill_messages',
  'backfill_charges',
  'backfill_run_countries',
  'backfill_message_countries',
];
/** The first step that knows rollups. */
const FIRST = 230;
let older: TestDatabase;
let db: Database;
afterEach(async () => {
  await db.close();
  await older.drop();
});

const query = async <Row extends object>(text: string, values: unknown[] = []) =>
  (await db.systemPool.query<Row>(text, values)).rows;

/** Two months of a workspace as the version before stored them: 900 recipients of three campaigns, 600 messages, charges, rounds and consent. */
async function fillOlder(workspaceId: string, channelId: string): Promise<void> {
  await query(`INSERT INTO workspaces (id, slug, name) VALUES ($1, 'shop', 'Shop')`, [workspaceId]);
  await query(
    `INSERT INTO channels (id, workspace_id, kind, address, credentials, messages_per_second)
     VALUES ($1, $2, 'fake', 'a', '{"version": 1, "values": {}, "secrets": {}}', 80)`,
    [channelId, workspaceId],
  );
  await query(
    `INSERT INTO contacts (id, workspace_id, name, phone, created_at)
     SELECT gen_random_uuid(), $1, 'Person ' || n, CASE WHEN n % 3 = 0 THEN '+49151555' ELSE '+1415555' END || (1000 + n), now() - n * interval '5 hours' FROM generate_series(1, 300) n`,
    [workspaceId],
  );
  await query(
    `INSERT INTO contact_consents (workspace_id, contact_id, kind, source, text, occurred_at)
     SELECT workspace_id, id, 'opt_out', 'person', 'STOP', created_at FROM contacts ORDER BY phone LIMIT 7`,
  );
  await query(
    `INSERT INTO templates (id, workspace_id, name, components, content) VALUES (gen_random_uuid(), $1, 'Spring', '[]', '')`,
    [workspaceId],
  );
  for (let run = 1; run <= 3; run += 1) {
    await query('SELECT ensure_delivery_partition($1)', [run]);
    await query(
      `INSERT INTO campaigns (id, workspace_id, name, run_no, template_id) SELECT gen_random_uuid(), $1, 'C' || $2::bigint, $2::bigint, id FROM templates`,
      [workspaceId, run],
    );
    await query(
      `INSERT INTO delivery_runs (run_no, workspace_id, channel_id, campaign_id, state, message, category, audience, frozen_at, total, owner, epoch)
       SELECT $2::bigint, $1, $3, id, 'running', '{}', 'utility', '{}', now(), 300, 'test', 1 FROM campaigns WHERE run_no = $2`,
      [workspaceId, run, channelId],
    );
    await query(
      `INSERT INTO delivery_recipients (run_no, seq, state, attempt, accepted_at, delivered_at, read_at, failed_at, workspace_id, contact_id, address)
       SELECT $2::bigint, n - 1, CASE WHEN n % 11 = 0 THEN 3 WHEN n % 13 = 0 THEN 0 ELSE 2 END, 1,
              CASE WHEN n % 11 <> 0 AND n % 13 <> 0 THEN at END, CASE WHEN n % 3 > 0 AND n % 11 <> 0 AND n % 13 <> 0 THEN at + n * interval '1 minute' END,
              CASE WHEN n % 4 = 0 AND n % 11 <> 0 AND n % 13 <> 0 THEN at + n * interval '2 minutes' END,
              CASE WHEN n % 11 = 0 OR n % 3 = 0 AND n % 13 <> 0 THEN at END, $1, id, phone
         FROM (SELECT row_number() OVER (ORDER BY phone) AS n, now() - $2::bigint * interval '9 days' AS at, id, phone FROM contacts) AS c`,
      [workspaceId, run],
    );
  }
  await query(
    `INSERT INTO messages (id, workspace_id, channel_id, contact_id, direction, provider_message_id, type, text, payload, occurred_at, received_at)
     SELECT gen_random_uuid(), $1, $2, id, 'in', 'in.' || phone || run, 'text', 'Hi', '{}', at, at
       FROM (SELECT id, phone, run, now() - run * interval '9 days' + (abs(hashtext(phone || run)) % 4000) * interval '1 minute' AS at
               FROM contacts CROSS JOIN generate_series(1, 3) run ORDER BY md5(phone || run) LIMIT 300) AS c`,
    [workspaceId, channelId],
  );
  await query(
    `INSERT INTO messages (id, workspace_id, channel_id, contact_id, direction, type, text, content, occurred_at, received_at, author, purpose, send_no,
       state, accepted_at, delivered_at, read_at, failed_at)
     SELECT gen_random_uuid(), $1, $2, contact_id, 'out', 'text', 'Hello', '{}', at, at, CASE WHEN n % 5 = 0 THEN 'api-key' ELSE 'person' END, 'reply',
            n, CASE WHEN n % 7 = 0 THEN 'refused' ELSE 'accepted' END, at, CASE WHEN n % 3 > 0 THEN at END, NULL, CASE WHEN n % 7 = 0 THEN at END
       FROM (SELECT row_number() OVER (ORDER BY id) AS n, contact_id, occurred_at - interval '7 hours' AS at FROM messages) AS m`,
    [workspaceId, channelId],
  );
  await query(
    `INSERT INTO conversations (id, workspace_id, contact_id, channel_id, last_activity_at)
     SELECT gen_random_uuid(), $1, contact_id, $2, max(occurred_at) FROM messages GROUP BY contact_id`,
    [workspaceId, channelId],
  );
  await query(
    `INSERT INTO conversation_rounds (workspace_id, conversation_id, opened_at, first_answered_at, resolved_at, channel_id, priority, is_answered_in_time)
     SELECT workspace_id, id, last_activity_at, last_activity_at + interval '3 minutes', last_activity_at + interval '2 hours', channel_id, 'normal', true
       FROM conversations LIMIT 50`,
  );
  await query(
    `INSERT INTO budget_charges (ref, workspace_id, month, amount, given_back_for)
     SELECT 'r' || run_no || '.' || seq || '.1', workspace_id, date_trunc('month', now()), 70000, CASE WHEN state = 3 THEN 'failure' END
       FROM delivery_recipients WHERE state IN (2, 3)`,
  );
}

/** Plain SQL over the rows themselves: what the rollups should say. */
const RECOUNT = `
  WITH replies AS (SELECT contact_id, occurred_at AS at FROM messages WHERE direction = 'in'),
  ours AS (
    SELECT d.campaign_id, d.template_id, 'campaign' AS author, r.contact_id, CASE WHEN r.state = 2 THEN r.accepted_at END AS sent,
           CASE WHEN r.state = 2 THEN least(r.delivered_at, r.read_at) END AS delivered, CASE WHEN r.state = 2 THEN r.read_at END AS read,
           CASE WHEN r.state = 3 OR r.state = 2 AND coalesce(r.delivered_at, r.read_at) IS NULL THEN r.failed_at END AS failed,
           CASE WHEN r.state = 3 THEN r.failed_at END AS refused
      FROM delivery_recipients r JOIN delivery_runs d USING (run_no)
    UNION ALL
    SELECT NULL, NULL, CASE author WHEN 'api-key' THEN 'api' ELSE 'agent' END, contact_id, CASE WHEN state = 'accepted' THEN accepted_at END,
           CASE WHEN state = 'accepted' THEN least(delivered_at, read_at) END, CASE WHEN state = 'accepted' THEN read_at END,
           CASE WHEN state = 'refused' OR state = 'accepted' AND coalesce(delivered_at, read_at) IS NULL THEN failed_at END,
           CASE WHEN state = 'refused' THEN failed_at END
      FROM messages WHERE direction = 'out'
  ), events AS (
    SELECT campaign_id, template_id, author, 'sent' AS metric, sent AS at, 1 AS value FROM ours
    UNION ALL SELECT campaign_id, template_id, author, 'delivered', delivered, 1 FROM ours
    UNION ALL SELECT campaign_id, template_id, author, 'read', read, 1 FROM ours
    UNION ALL SELECT campaign_id, template_id, author, 'failed', failed, 1 FROM ours
    UNION ALL SELECT campaign_id, template_id, author, 'refused', refused, 1 FROM ours
    UNION ALL SELECT campaign_id, template_id, author, 'replied', (SELECT min(r.at) FROM replies r WHERE r.contact_id = o.contact_id
      AND r.at > o.delivered AND r.at <= o.delivered + interval '24 hours'), 1 FROM ours o
    UNION ALL SELECT NULL, NULL, 'contact', 'received', at, 1 FROM replies
    UNION ALL SELECT d.campaign_id, d.template_id, 'campaign', 'cost', r.accepted_at, c.amount FROM budget_charges c
      JOIN delivery_recipients r ON c.ref = 'r' || r.run_no || '.' || r.seq || '.1' JOIN delivery_runs d USING (run_no) WHERE c.given_back_for IS NULL
  )
  SELECT to_char(date_bin('15 minutes', at, '2000-01-01T00:00Z') AT TIME ZONE 'UTC', 'MM-DD HH24:MI') AS quarter, campaign_id, template_id, author, metric,
         sum(value)::integer AS value FROM events WHERE at IS NOT NULL GROUP BY 1, 2, 3, 4, 5 ORDER BY 1, 2, 3, 4, 5`;
const COUNTED = `
  SELECT to_char(quarter AT TIME ZONE 'UTC', 'MM-DD HH24:MI') AS quarter, campaign_id, template_id, author, metric, sum(value)::integer AS value
    FROM message_rollups_now CROSS JOIN LATERAL (VALUES ('sent', sent), ('delivered', delivered), ('read', read), ('failed', failed),
      ('received', received), ('replied', replied), ('cost', cost), ('refused', refused)) AS m (metric, value)
   GROUP BY 1, 2, 3, 4, 5 HAVING sum(value) <> 0 ORDER BY 1, 2, 3, 4, 5`;

/** The same of each country: German numbers and American ones. */
const RECOUNT_BY_COUNTRY = `
  WITH replies AS (SELECT contact_id, occurred_at AS at FROM messages WHERE direction = 'in'),
  ours AS (
    SELECT d.campaign_id, r.contact_id, CASE WHEN r.state = 2 THEN r.accepted_at END AS sent,
           CASE WHEN r.state = 2 THEN least(r.delivered_at, r.read_at) END AS delivered, CASE WHEN r.state = 2 THEN r.read_at END AS read
      FROM delivery_recipients r JOIN delivery_runs d USING (run_no)
    UNION ALL
    SELECT NULL, contact_id, CASE WHEN state = 'accepted' THEN accepted_at END, CASE WHEN state = 'accepted' THEN least(delivered_at, read_at) END,
           CASE WHEN state = 'accepted' THEN read_at END FROM messages WHERE direction = 'out'
  ), events AS (
    SELECT contact_id, campaign_id, 'sent' AS metric, sent AS at FROM ours
    UNION ALL SELECT contact_id, campaign_id, 'delivered', delivered FROM ours
    UNION ALL SELECT contact_id, campaign_id, 'read', read FROM ours
    UNION ALL SELECT contact_id, campaign_id, 'replied', (SELECT min(r.at) FROM replies r WHERE r.contact_id = o.contact_id
      AND r.at > o.delivered AND r.at <= o.delivered + interval '24 hours') FROM ours o
    UNION ALL SELECT contact_id, NULL, 'received', at FROM replies
  )
  SELECT CASE WHEN c.phone LIKE '+49%' THEN 'DE' ELSE 'US' END AS country, to_char(date_bin('15 minutes', at, '2000-01-01T00:00Z') AT TIME ZONE 'UTC',
         'MM-DD HH24:MI') AS quarter, campaign_id, metric, count(*)::integer AS value
    FROM events JOIN contacts c ON c.id = contact_id WHERE at IS NOT NULL GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4`;
const COUNTED_BY_COUNTRY = `
  SELECT country, to_char(quarter AT TIME ZONE 'UTC', 'MM-DD HH24:MI') AS quarter, campaign_id, metric, sum(value)::integer AS value
    FROM country_rollups CROSS JOIN LATERAL (VALUES ('sent', sent), ('delivered', delivered), ('read', read), ('received', received),
      ('replied', replied)) AS m (metric, value)
   GROUP BY 1, 2, 3, 4 HAVING sum(value) <> 0 ORDER BY 1, 2, 3, 4`;

test('what was stored before is counted behind the start, slice by slice, while it changes and grows', async () => {
  older = await createOlderDatabase(FIRST);
  db = await openDatabase({ url: older.url, poolSize: 6 });
  const [workspaceId, channelId] = [randomUUID(), randomUUID()];
  await fillOlder(workspaceId, channelId);
  await migrateDatabase(older.url);
  expect((await readRollupBackfill(db.systemPool)).map(({ finishedAt }) => finishedAt)).toEqual([
    null,
    null,
    null,
    null,
    null,
  ]);

  const counting = (async () => {
    const isOver = async () =>
      (await readRollupBackfill(db.systemPool)).every(({ finishedAt }) => finishedAt !== null);
    // Stopped and begun anew, as processes are.
    for (let slices = 0; slices < 400 && !(await isOver()); slices += 1)
      for (const step of STEPS) await db.systemPool.query(`SELECT ${step}($1, 17)`, [advisoryLocks.rollups]);
  })();
  const changing = (async () => {
    for (let turn = 0; turn < 60; turn += 1) {
      const run = (turn % 3) + 1;
      const seqs = [turn, turn + 100, turn + 201];
      const at = Date.now() - 3_600_000 * (turn + 1);
      const nothing = [null, null, null];
      await query(`SELECT apply_status_reports($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`, [
        run,
        workspaceId,
        seqs,
        ['a', 'b', 'c'],
        nothing,
        [at, at, at],
        turn % 2 ? [at, at, at] : nothing,
        nothing,
        nothing,
        nothing,
      ]);
      await query(
        `UPDATE messages SET read_at = now() - interval '1 hour' WHERE id IN (SELECT id FROM messages WHERE state = 'accepted' ORDER BY md5(id::text || $1::integer) LIMIT 3)`,
        [turn],
      );
      await query(
        `INSERT INTO messages (id, workspace_id, channel_id, contact_id, direction, provider_message_id, type, text, payload, occurred_at)
         SELECT gen_random_uuid(), $1, $2, id, 'in', 'new.' || $3::integer, 'text', 'Hi', '{}', now() - $3::integer * interval '1 hour' FROM contacts ORDER BY md5(phone || $3::integer) LIMIT 1`,
        [workspaceId, channelId, turn],
      );
      await query(
        `UPDATE conversations c SET last_activity_at = m.at FROM (SELECT contact_id, max(occurred_at) AS at FROM messages GROUP BY 1) AS m
          WHERE m.contact_id = c.contact_id`,
      );
      await applyRollups(db.systemPool);
    }
  })();
  await Promise.all([counting, changing]);
  await backfillRollups(db.systemPool, { rowsAtOnce: 50 });
  await applyRollups(db.systemPool);
  const counted = await query(COUNTED);
  expect(counted).toEqual(await query(RECOUNT));
  expect(counted.length).toBeGreaterThan(500);
  expect(await query(COUNTED_BY_COUNTRY)).toEqual(await query(RECOUNT_BY_COUNTRY));
  expect((await readRollupBackfill(db.systemPool)).every(({ finishedAt }) => finishedAt !== null)).toBe(true);
  expect(
    await query(
      'SELECT kind, source, sum(contacts)::integer AS contacts FROM contact_rollups GROUP BY 1, 2 ORDER BY 1',
    ),
  ).toEqual([
    { kind: 'new', source: 'form', contacts: 300 },
    { kind: 'opt_out', source: 'keyword', contacts: 7 },
  ]);
  expect(
    await query(
      `SELECT sum(first_responses)::integer AS answered, sum(first_response_ms)::integer AS ms, sum(first_responses_in_time)::integer AS "inTime",
              sum(resolutions)::integer AS resolved FROM inbox_rollups`,
    ),
  ).toEqual([{ answered: 50, ms: 50 * 180_000, inTime: 50, resolved: 50 }]);
  // Done once and for all: nothing is counted a second time.
  await backfillRollups(db.systemPool);
  expect(await query(COUNTED)).toEqual(counted);
});
