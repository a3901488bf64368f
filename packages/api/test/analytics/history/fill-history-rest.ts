import type pg from 'pg';

type Asked = { workspaceId: string; people: number; rows: number; end: string; days: number };

/** Opt-outs, conversations with their rounds and ratings, answers of the bot, ended runs of workflows, conversions and charges: `rows` of most. */
export async function addTheRest(client: pg.ClientBase, asked: Asked): Promise<void> {
  const { workspaceId, people, rows, end, days } = asked;
  const before = (n: string) =>
    `$3::timestamptz - interval '2 hours' - make_interval(days => $4::integer) + ${n} * ((make_interval(days => $4) - interval '2 hours') / ($2::integer + 1))`;
  const senders = `(SELECT array_agg(id ORDER BY address) AS ids FROM channels WHERE workspace_id = $1 AND address LIKE 'history-%') AS k`;
  const values = [workspaceId, rows, end, days];
  // Up to ten days behind a campaign message, and one of five at any time.
  await client.query(
    `INSERT INTO contact_consents (workspace_id, contact_id, kind, source, text, occurred_at)
     SELECT $1, r.contact_id, 'opt_out', 'person', 'STOP', at FROM delivery_recipients r
       CROSS JOIN LATERAL (SELECT least($2::timestamptz, r.delivered_at + (abs(hashint8(r.seq + r.run_no)) % 240) * interval '1 hour') AS at) AS t
      WHERE r.workspace_id = $1 AND r.contact_id IS NOT NULL AND r.delivered_at IS NOT NULL AND abs(hashint8(r.seq + r.run_no * 17)) % 200 = 0`,
    [workspaceId, end],
  );
  await client.query(
    `INSERT INTO contact_consents (workspace_id, contact_id, kind, source, text, occurred_at)
     SELECT $1, p.id, CASE WHEN n % 3 = 0 THEN 'opt_in' ELSE 'opt_out' END, 'person', 'STOP', ${before('n')} FROM generate_series(1, $2::integer) n
       JOIN history_people p ON p.seq = n % $5::integer WHERE n % 5 = 0`,
    [...values, people],
  );
  try {
    await client.query('BEGIN');
    await client.query(`SELECT set_config('app.rollups', 'off', true)`);
    await client.query(
      `INSERT INTO conversations (id, workspace_id, contact_id, channel_id, status, created_at, opened_at, last_activity_at, waiting_since)
       SELECT gen_random_uuid(), $1, p.id, k.ids[1 + p.seq % 3], CASE WHEN p.seq % 9 = 0 THEN 'open' ELSE 'resolved' END, $2, $2, $2, CASE WHEN p.seq % 27 = 0 THEN $2::timestamptz END
         FROM history_people p CROSS JOIN ${senders} ON CONFLICT DO NOTHING`,
      [workspaceId, end],
    );
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK');
    throw error;
  }
  await client.query(
    `INSERT INTO conversation_rounds (workspace_id, conversation_id, channel_id, opened_at, priority, first_answered_at, first_answer_by, resolved_at, resolved_by,
       team_id, is_answered_in_time, is_resolved_in_time, asked_at, rating, rated_at)
     SELECT $1, c.id, c.channel_id, o.at, 'normal', o.at + n % 50 * interval '1 minute', u.ids[1 + n % cardinality(u.ids)],
       CASE WHEN n % 11 > 0 THEN o.at + n % 77 * interval '3 minutes' END, CASE WHEN n % 11 > 0 THEN u.ids[1 + n % cardinality(u.ids)] END,
       g.ids[1 + n / 7 % cardinality(g.ids)], n % 4 > 0, n % 3 > 0, CASE WHEN n % 11 > 0 AND n % 2 = 0 THEN o.at + n % 77 * interval '3 minutes' END,
       CASE WHEN n % 11 > 0 AND n % 4 = 0 THEN 1 + n % 3 END, CASE WHEN n % 11 > 0 AND n % 4 = 0 THEN o.at + n % 77 * interval '4 minutes' END
     FROM generate_series(1, $2::integer) n JOIN history_people p ON p.seq = n % $5::integer JOIN conversations c ON c.contact_id = p.id
       CROSS JOIN LATERAL (SELECT ${before('n')} AS at) AS o
       CROSS JOIN (SELECT array_agg(user_id ORDER BY user_id) AS ids FROM memberships WHERE workspace_id = $1) AS u
       CROSS JOIN (SELECT array_agg(id ORDER BY name) AS ids FROM teams WHERE workspace_id = $1 AND name LIKE '%of history') AS g
     ON CONFLICT DO NOTHING`,
    [...values, people],
  );
  await client.query(
    `INSERT INTO bot_answers (message_id, workspace_id, contact_id, channel_id, rule, handoff, decided_at)
     SELECT gen_random_uuid(), $1, p.id, k.ids[1 + n % 3], 'keyword', CASE WHEN n % 4 = 0 THEN 'keyword' WHEN n % 9 = 0 THEN 'low_confidence' END, ${before('n')}
       FROM generate_series(1, $2::integer) n JOIN history_people p ON p.seq = n / 3 % $5::integer CROSS JOIN ${senders}`,
    [...values, people],
  );
  await client.query(
    `INSERT INTO flow_runs (id, workspace_id, flow_id, version, contact_id, channel_id, status, class, seed, state, started_at, ended_at, is_test)
     SELECT gen_random_uuid(), $1, f.ids[1 + n % 3], 1, p.id, k.ids[1 + n % 3], (ARRAY['completed', 'completed', 'failed', 'cancelled'])[1 + n % 4], 0, n, '{}',
       ${before('n')}, ${before('n')} + interval '3 minutes', n % 97 = 0
     FROM generate_series(1, $2::integer) n JOIN history_people p ON p.seq = n * 7 % $5::integer CROSS JOIN ${senders}
       CROSS JOIN (SELECT array_agg(id ORDER BY name) AS ids FROM flows WHERE workspace_id = $1 AND kind = 'workflow' AND name LIKE 'History %') AS f`,
    [...values, people],
  );
  await client.query(
    `INSERT INTO conversions (id, workspace_id, contact_id, source, external_id, name, value, currency, occurred_at, received_at, clicked_at, campaign_id, channel_id, template_id)
     SELECT gen_random_uuid(), $1, p.id, 'api', 'history.' || n, 'Order', 10 + n % 90, CASE WHEN n % 8 = 0 THEN 'EUR' ELSE 'USD' END, ${before('n')}, ${before('n')},
       ${before('n')} - n % 12 * interval '1 day', r.campaign_id, r.channel_id, r.template_id
     FROM generate_series(1, $2::integer) n JOIN history_people p ON p.seq = n % $5::integer
       JOIN (SELECT *, row_number() OVER (ORDER BY run_no) - 1 AS place, count(*) OVER () AS many FROM delivery_runs WHERE workspace_id = $1) AS r ON r.place = n % r.many
      WHERE n % 4 = 0`,
    [...values, people],
  );
  await client.query(
    `INSERT INTO budget_charges (workspace_id, ref, month, amount, charged_at)
     SELECT $1, 'r' || r.run_no || '.' || r.seq || '.1', date_trunc('month', r.accepted_at)::date, 40000 + r.seq % 5 * 1000, r.accepted_at FROM delivery_recipients r
      WHERE r.workspace_id = $1 AND r.state = 2 AND r.seq % 60 = 0`,
    [workspaceId],
  );
}
