import { advisoryLocks } from '@app/database/advisory-locks';
import { applyRollups } from '@app/database/analytics/apply-rollups';
import type pg from 'pg';
import type { SqlQueries } from '@app/database/sql-queries';
import { backfillRollups } from '@app/database/analytics/backfill-rollups';
import { addTheRest } from './fill-history-rest.ts';

export type HistorySize = {
  /** Of campaigns and single ones together. */
  messages: number;
  campaigns: number;
  templates: number;
  days: number;
};

/** Numbers of five countries, one of them inside the numbers of another (Kazakhstan). */
const NUMBERS = ['+49157', '+1415', '+9198', '+55119', '+7701'];
const SENDERS = [
  { kind: 'whatsapp', address: 'history-1' },
  { kind: 'whatsapp', address: 'history-2' },
  { kind: 'rcs', address: 'history-3' },
];
const CODES = `(ARRAY['131026', '131047', '131049', '130472', NULL])`;

/**
 * Years of a business, as the product would have left them: campaigns, single messages, replies, opt-outs, ratings, bot answers and ended runs of
 * workflows, ending at `until`. Rows are made in PostgreSQL, the same ones each time; all rollups are written by the functions of the product
 * (system scope). The workspace must be new to it.
 */
export async function fillHistory(
  pool: pg.Pool,
  { workspaceId, until, size }: { workspaceId: string; until: Date; size: HistorySize },
  say: (what: string) => void = () => {},
): Promise<void> {
  const people = Math.max(60, Math.ceil(size.messages / 50));
  const recipients = Math.ceil(size.messages * 0.85);
  const singles = size.messages - recipients;
  const end = until.toISOString();
  // One connection that does not wait for the disk: after a power loss the bench fills again.
  const client = await pool.connect();
  await client.query('SET synchronous_commit = off; SET statement_timeout = 0');
  try {
    await addPlaces(client, workspaceId, size.templates);
    await addContacts(client, { workspaceId, people, end, days: size.days });
    say(`${people.toLocaleString('en')} contacts`);
    await addCampaigns(client, { workspaceId, recipients, people, end, ...size });
    await client.query('ANALYZE delivery_recipients');
    say(`${size.campaigns} campaigns`);
    await addMessages(client, { workspaceId, singles, people, end, ...size });
    await client.query('ANALYZE messages');
    say(`${singles.toLocaleString('en')} single messages, and replies`);
    await addTheRest(client, { workspaceId, people, rows: Math.ceil(singles / 5), end, days: size.days });
    say('opt-outs, ratings, bot, workflows, conversions');
    await countAll(client, say);
  } finally {
    await client.query('RESET synchronous_commit; RESET statement_timeout');
    client.release();
  }
}

/** The product counts all messages and recipients that are stored; once, right after they are. */
async function countAll(pool: SqlQueries, say: (what: string) => void = () => {}): Promise<void> {
  await pool.query(
    `UPDATE rollup_backfill SET finished_at = NULL, begun_at = clock_timestamp(), 
            place = CASE WHEN source LIKE 'message%' THEN 'ffffffff-ffff-ffff-ffff-ffffffffffff' ELSE place END
      WHERE source IN ('runs', 'messages', 'message_countries')`,
  );
  // As many as the product does at once: what it takes grows with their square.
  await backfillRollups(pool);
  say('counted');
  await settleRollups(pool);
  say('rollups applied');
}

/** Until nothing that happened waits for being counted. */
export async function settleRollups(pool: SqlQueries): Promise<void> {
  for (let left = 1; left > 0;) {
    await applyRollups(pool);
    await pool.query(`SELECT check_opt_outs_of_runs($1, '0')`, [advisoryLocks.rollups]);
    const { rows } = await pool.query<{ left: number }>(
      `SELECT ((SELECT count(*) FROM message_rollup_deltas) + (SELECT count(*) FROM inbox_rollup_deltas) + (SELECT count(*) FROM contact_rollup_deltas)
         + (SELECT count(*) FROM reply_checks) + (SELECT count(*) FROM outcome_run_checks)
         + (SELECT count(*) FROM outcome_checks))::float8 AS left`,
    );
    left = rows[0]?.left ?? 0;
  }
}

async function addPlaces(pool: pg.ClientBase, workspaceId: string, templates: number): Promise<void> {
  for (const { kind, address } of SENDERS)
    await pool.query(
      `INSERT INTO channels (id, workspace_id, kind, address, credentials, messages_per_second)
       VALUES (gen_random_uuid(), $1, $2, $3, '{"version": 1, "values": {}, "secrets": {}}', 80)`,
      [workspaceId, kind, address],
    );
  await pool.query(
    `INSERT INTO templates (id, workspace_id, name, components, content, platform_name, language, status)
     SELECT gen_random_uuid(), $1, 'History ' || n, '[]', 'Hello', 'history_' || n, 'en', 'approved' FROM generate_series(1, $2::integer) n`,
    [workspaceId, templates],
  );
  for (const name of ['Sales of history', 'Support of history'])
    await pool.query(
      `INSERT INTO teams (id, workspace_id, name, created_at, updated_at) VALUES (gen_random_uuid(), $1, $2, now(), now())`,
      [workspaceId, name],
    );
  await pool.query(
    `INSERT INTO team_members (workspace_id, team_id, user_id, role, joined_at)
     SELECT $1, t.id, m.user_id, 'owner', now() FROM memberships m, teams t WHERE m.workspace_id = $1 AND t.workspace_id = $1 AND t.name LIKE '%of history'
        AND (hashtext(m.user_id::text || t.name) % 2 = 0
          -- Ids differ from run to run: one member is in each team, so that none is without anybody.
          OR m.user_id = (SELECT user_id FROM memberships WHERE workspace_id = $1 ORDER BY user_id LIMIT 1))`,
    [workspaceId],
  );
  for (const n of [1, 2, 3])
    await pool.query(
      `INSERT INTO flows (id, workspace_id, kind, name, status, draft, published, created_at, updated_at)
       VALUES (gen_random_uuid(), $1, 'workflow', 'History ' || $2::text, 'paused', '{}', 1, now(), now())`,
      [workspaceId, String(n)],
    );
}

async function addContacts(
  pool: pg.ClientBase,
  { workspaceId, people, end, days }: { workspaceId: string; people: number; end: string; days: number },
): Promise<void> {
  // Built at the end, the indexes of words take a fraction of the time.
  const { rows: indexes } = await pool.query<{ name: string; definition: string }>(
    `SELECT indexname AS name, indexdef AS definition FROM pg_indexes WHERE tablename = 'contacts' AND indexdef LIKE '%USING gin%' AND $1 >= 50000`,
    [people],
  );
  for (const { name } of indexes) await pool.query(`DROP INDEX ${name}`);
  for (let first = 1; first <= people; first += 100_000)
    await pool.query(
      `INSERT INTO contacts (id, workspace_id, name, phone, tags, created_at)
       SELECT gen_random_uuid(), $1, (ARRAY['Ümit Gül', 'Zoë', 'محمد', 'Ada', 'Jürgen'])[1 + n % 5] || ' ' || n, ($4::text[])[1 + n % 5] || (1000000 + n),
              CASE WHEN n % 20 = 0 THEN '{vip,customer}'::text[] WHEN n % 3 = 0 THEN '{customer}' ELSE '{}' END,
              $5::timestamptz - make_interval(days => $6) + n * (make_interval(days => $6) / ($7 + 1))
         FROM generate_series($2::integer, $3::integer) n`,
      [workspaceId, first, Math.min(people, first + 99_999), NUMBERS, end, days, people],
    );
  for (const { definition } of indexes) await pool.query(definition);
  await pool.query(
    'CREATE TABLE IF NOT EXISTS history_people (seq integer PRIMARY KEY, id uuid NOT NULL, phone text NOT NULL)',
  );
  await pool.query('TRUNCATE history_people');
  await pool.query(
    `INSERT INTO history_people SELECT substr(c.name, strpos(c.name, ' ') + 1)::integer - 1, c.id, c.phone
       FROM (SELECT id, phone, regexp_replace(name, '^.* ', 'x ') AS name FROM contacts WHERE workspace_id = $1 AND phone ~ $2) AS c`,
    [workspaceId, `^(${NUMBERS.map((one) => `\\${one}`).join('|')})[0-9]{7}$`],
  );
  await pool.query('ANALYZE history_people');
}

/** A tenth of the campaigns goes to half of all recipients. Reports are as uneven as real ones: late, missing, read without delivered, failed after delivered. */
async function addCampaigns(
  pool: pg.ClientBase,
  asked: { workspaceId: string; recipients: number; people: number; end: string } & HistorySize,
): Promise<void> {
  const { workspaceId, recipients, people, end, campaigns, days } = asked;
  const large = Math.max(1, Math.floor(campaigns / 10));
  for (let place = 0; place < campaigns; place += 1) {
    const share = place % 10 === 3 ? recipients / 2 / large : recipients / 2 / (campaigns - large);
    const count = Math.max(1, Math.min(people, Math.round(share)));
    const { rows } = await pool.query<{ run: string }>(`SELECT nextval('delivery_run_small') AS run`);
    const run = rows[0]?.run;
    await pool.query('SELECT ensure_delivery_partition($1)', [run]);
    // At different hours, the last one a few hours before the end.
    const age = ((campaigns - place) * days * 1_440) / campaigns - 1_080 + ((place * 97) % 600);
    await pool.query(
      `WITH chosen AS (
         SELECT (SELECT id FROM channels WHERE workspace_id = $2 AND address = 'history-' || (1 + $4::integer % 3)) AS channel_id,
           CASE WHEN $4 % 7 < 6 THEN (SELECT id FROM templates WHERE workspace_id = $2 AND platform_name = 'history_' || (1 + $4 % $6::integer)) END AS template_id,
           $5::timestamptz - make_interval(mins => $7::integer) AS at
       ), campaign AS (
         INSERT INTO campaigns (id, workspace_id, name, custom_message, audience_size, run_no, channel_id, template_id, created_at)
         SELECT gen_random_uuid(), $2, 'Angebot für treue Kundinnen und Kunden ' || $4, 'Hello', $3, $1, channel_id, template_id, at FROM chosen RETURNING id)
       INSERT INTO delivery_runs (run_no, workspace_id, channel_id, campaign_id, template_id, message, category, audience, state, frozen_at, total,
         cursor, low_water, accepted, created_at, started_at, completed_at, reported_at, rolled_up_below)
       SELECT $1, $2, channel_id, campaign.id, template_id, '{}', 'marketing', '{}', 'completed', at, $3, $3, $3, $3, at, at,
         at + $3 * interval '12.5 milliseconds', least($5, at + interval '40 days'), 0 FROM campaign, chosen`,
      [run, workspaceId, count, place, end, asked.templates, Math.round(age)],
    );
    await pool.query(
      `INSERT INTO delivery_recipients (run_no, seq, workspace_id, contact_id, address, state, attempt, accepted_at, sent_at, delivered_at, read_at, failed_at,
         error_code)
       SELECT $1, n, $2, CASE WHEN c.a % 211 > 0 THEN p.id END, p.phone, CASE WHEN c.a < 15 THEN 3 ELSE 2 END, 1, CASE WHEN c.a >= 15 THEN t.at END,
         CASE WHEN c.a >= 15 THEN t.at END,
         CASE WHEN c.a >= 45 AND c.a % 100 > 0 THEN least($7, t.at + CASE WHEN c.b % 50 = 0 THEN c.b * interval '90 seconds' ELSE c.b * interval '15 milliseconds' END) END,
         CASE WHEN c.a >= 450 THEN least($7, t.at + interval '20 seconds' + power(c.b / 1000.0::float8, 3) * interval '36 hours') END,
         CASE WHEN c.a < 50 THEN t.at + interval '2 seconds' END, CASE WHEN c.a < 50 THEN ${CODES}[1 + c.a % 5] END
       FROM generate_series(0, $3::integer - 1) n CROSS JOIN LATERAL (SELECT abs(hashint8(n + $4::bigint * 1000003)) % 1000 AS a,
           abs(hashint8(n + 7 + $4::bigint * 999983)) % 1000 AS b) AS c
         CROSS JOIN LATERAL (SELECT $7::timestamptz - make_interval(mins => $5::integer) + n * interval '12.5 milliseconds' AS at) AS t
         JOIN history_people p ON p.seq = (n + $4 * 7919) % $6::integer`,
      [run, workspaceId, count, place, Math.round(age), people, end],
    );
  }
}

/** What members, the bot, workflows and the API wrote, what contacts wrote by themselves, and their replies to campaigns. */
async function addMessages(
  client: pg.ClientBase,
  asked: { workspaceId: string; singles: number; people: number; end: string } & HistorySize,
): Promise<void> {
  const { workspaceId, singles, people, end, days } = asked;
  try {
    await client.query('BEGIN');
    // Without the triggers: the backfill of the product counts them.
    await client.query(`SELECT set_config('app.rollups', 'off', true)`);
    await client.query(
      `INSERT INTO messages (id, workspace_id, contact_id, channel_id, direction, type, text, content, author, author_id, purpose, state, send_no, attempt,
         occurred_at, received_at, provider_message_id, payload, accepted_at, delivered_at, read_at, failed_at, error_code)
       SELECT gen_random_uuid(), $1, CASE WHEN c.a % 199 > 0 THEN p.id END, k.ids[1 + c.b % 3], CASE WHEN c.is_in THEN 'in' ELSE 'out' END,
         CASE WHEN c.has_template THEN 'template' ELSE 'text' END, 'Hello', CASE WHEN c.has_template THEN
           jsonb_build_object('type', 'template', 'name', 'history_' || (1 + c.b % $6::integer), 'language', 'en') ELSE '{"type": "text", "body": "Hello"}' END,
         CASE WHEN c.is_in THEN 'contact' ELSE (ARRAY['person', 'person', 'bot', 'automation', 'api-key'])[1 + c.a % 5] END,
         CASE WHEN NOT c.is_in AND c.a % 5 < 2 THEN u.ids[1 + c.b % cardinality(u.ids)] END,
         CASE WHEN c.is_in THEN NULL WHEN c.a % 997 = 0 THEN 'test' WHEN c.a % 5 = 2 THEN 'bot' ELSE 'reply' END,
         CASE WHEN c.is_in THEN NULL WHEN c.a < 12 THEN 'refused' ELSE 'accepted' END, CASE WHEN NOT c.is_in THEN nextval('message_numbers') END, 1,
         t.at, t.at, 'history.' || $1::text || n, CASE WHEN c.is_in THEN '{}'::jsonb END,
         CASE WHEN NOT c.is_in AND c.a >= 12 THEN t.at + interval '300 milliseconds' END,
         CASE WHEN NOT c.is_in AND c.a >= 40 THEN t.at + c.b * interval '20 milliseconds' END,
         CASE WHEN NOT c.is_in AND c.a >= 300 THEN least($5, t.at + interval '25 seconds' + power(c.b / 1000.0::float8, 3) * interval '9 hours') END,
         CASE WHEN NOT c.is_in AND c.a < 45 THEN t.at + interval '4 seconds' END, CASE WHEN NOT c.is_in AND c.a < 45 THEN ${CODES}[1 + c.a % 5] END
       FROM generate_series(1, $2::integer) n
         CROSS JOIN (SELECT array_agg(id ORDER BY address) AS ids FROM channels WHERE workspace_id = $1 AND address LIKE 'history-%') AS k
         CROSS JOIN (SELECT array_agg(user_id::text ORDER BY user_id) AS ids FROM memberships WHERE workspace_id = $1) AS u
         CROSS JOIN LATERAL (SELECT abs(hashint8(n)) % 1000 AS a, abs(hashint8(n + 7919)) % 1000 AS b, n % 3 = 0 AS is_in, n % 3 = 1 AS has_template) AS c
         CROSS JOIN LATERAL (SELECT $5::timestamptz - interval '1 hour' - make_interval(days => $4::integer) + n * ((make_interval(days => $4) - interval '1 hour') / ($2 + 1)) AS at) AS t
         JOIN history_people p ON p.seq = abs(hashint4(n)) % $3::integer`,
      [workspaceId, singles, people, days, end, asked.templates],
    );
    await client.query(
      `INSERT INTO messages (id, workspace_id, contact_id, channel_id, direction, type, text, author, occurred_at, received_at, provider_message_id, payload)
       SELECT gen_random_uuid(), $1, r.contact_id, n.channel_id, 'in', CASE WHEN c.a % 20 = 0 THEN 'reaction' ELSE 'text' END, 'Yes', 'contact', t.at, t.at,
         'history.reply.' || r.run_no || '.' || r.seq, '{}'
       FROM delivery_recipients r JOIN delivery_runs n USING (run_no) CROSS JOIN LATERAL (SELECT abs(hashint8(r.seq + r.run_no * 31)) % 1000 AS a) AS c
         CROSS JOIN LATERAL (SELECT r.delivered_at + c.a * interval '1 hour' AS at) AS t
       WHERE r.workspace_id = $1 AND r.contact_id IS NOT NULL AND r.delivered_at IS NOT NULL AND c.a < 30 AND t.at <= $2`,
      [workspaceId, end],
    );
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK');
    throw error;
  }
}
