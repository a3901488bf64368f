-- The functions are as before. Where nothing waits they end before the large statement, which takes longer to plan than to execute.
CREATE OR REPLACE FUNCTION apply_rollups(p_lock bigint) RETURNS boolean LANGUAGE plpgsql SET lock_timeout = '500ms' AS $$
DECLARE
  moved bigint;
  more boolean := false;
BEGIN
  IF NOT pg_try_advisory_xact_lock(p_lock) THEN RETURN false; END IF;
  IF EXISTS (SELECT FROM message_rollup_deltas) THEN
    WITH taken AS (
      DELETE FROM message_rollup_deltas WHERE ctid = ANY (ARRAY(SELECT ctid FROM message_rollup_deltas LIMIT 5000)) RETURNING *
    ), delivered AS (
      INSERT INTO reply_checks (workspace_id, of_runs, run_no, since)
      SELECT t.workspace_id, true, t.run_no, min(t.delivered_from) FROM taken t JOIN delivery_runs r USING (run_no)
      WHERE t.delivered_from IS NOT NULL GROUP BY 1, 3
    ), added AS (
      INSERT INTO message_rollups AS r (workspace_id, quarter, channel_id, campaign_id, template_id, author, direction, sent, delivered, read,
        failed, received, replied, clicked, cost, refused)
      SELECT * FROM (
        SELECT t.workspace_id, t.quarter, t.channel_id, t.campaign_id, t.template_id, t.author, t.direction, sum(t.sent) AS sent,
          sum(t.delivered) AS delivered, sum(t.read) AS read, sum(t.failed) AS failed, sum(t.received) AS received, sum(t.replied) AS replied,
          sum(t.clicked) AS clicked, sum(t.cost) AS cost, sum(t.refused) AS refused
        FROM taken t JOIN workspaces w ON w.id = t.workspace_id GROUP BY 1, 2, 3, 4, 5, 6, 7) AS s
      WHERE (sent, delivered, read, failed, received, replied, clicked, cost, refused) <> (0, 0, 0, 0, 0, 0, 0, 0, 0)
      ON CONFLICT (workspace_id, quarter, channel_id, campaign_id, template_id, author, direction) DO UPDATE SET
        sent = r.sent + excluded.sent, delivered = r.delivered + excluded.delivered, read = r.read + excluded.read,
        failed = r.failed + excluded.failed, received = r.received + excluded.received, replied = r.replied + excluded.replied,
        clicked = r.clicked + excluded.clicked, cost = r.cost + excluded.cost, refused = r.refused + excluded.refused
    ), added_by_country AS (
      INSERT INTO country_rollups AS r
      SELECT * FROM (
        SELECT t.workspace_id, t.country, t.quarter, t.channel_id, t.campaign_id, t.template_id, sum(t.sent) AS sent,
          coalesce(sum(t.sent) FILTER (WHERE t.author <> 'app'), 0) AS reported, sum(t.delivered) AS delivered, sum(t.read) AS read,
          sum(t.failed) AS failed, sum(t.received) AS received, sum(t.replied) AS replied, sum(t.refused) AS refused
        FROM taken t JOIN workspaces w ON w.id = t.workspace_id WHERE t.country IS NOT NULL GROUP BY 1, 2, 3, 4, 5, 6) AS s
      WHERE (sent, reported, delivered, read, failed, received, replied, refused) <> (0, 0, 0, 0, 0, 0, 0, 0)
      ON CONFLICT (workspace_id, country, quarter, channel_id, campaign_id, template_id) DO UPDATE SET sent = r.sent + excluded.sent,
        reported = r.reported + excluded.reported, delivered = r.delivered + excluded.delivered, read = r.read + excluded.read,
        failed = r.failed + excluded.failed, received = r.received + excluded.received, replied = r.replied + excluded.replied, refused = r.refused + excluded.refused
    ) SELECT count(*) INTO moved FROM taken;
    more := moved = 5000;
  END IF;
  IF EXISTS (SELECT FROM inbox_rollup_deltas) THEN
    WITH taken AS (
      DELETE FROM inbox_rollup_deltas WHERE ctid = ANY (ARRAY(SELECT ctid FROM inbox_rollup_deltas LIMIT 5000)) RETURNING *
    ), added AS (
      INSERT INTO inbox_rollups AS r (workspace_id, quarter, channel_id, agent_id, team_id, first_responses, first_response_ms,
        first_responses_in_time, first_responses_late, resolutions, resolution_ms, resolutions_in_time, resolutions_late, asked, rated_good,
        rated_okay, rated_bad)
      SELECT t.workspace_id, t.quarter, t.channel_id, t.agent_id, t.team_id, sum(t.first_responses), sum(t.first_response_ms),
        sum(t.first_responses_in_time), sum(t.first_responses_late), sum(t.resolutions), sum(t.resolution_ms), sum(t.resolutions_in_time),
        sum(t.resolutions_late), sum(t.asked), sum(t.rated_good), sum(t.rated_okay), sum(t.rated_bad)
      FROM taken t JOIN workspaces w ON w.id = t.workspace_id GROUP BY 1, 2, 3, 4, 5
      ON CONFLICT (workspace_id, quarter, channel_id, agent_id, team_id) DO UPDATE SET
        first_responses = r.first_responses + excluded.first_responses, first_response_ms = r.first_response_ms + excluded.first_response_ms,
        first_responses_in_time = r.first_responses_in_time + excluded.first_responses_in_time,
        first_responses_late = r.first_responses_late + excluded.first_responses_late, resolutions = r.resolutions + excluded.resolutions,
        resolution_ms = r.resolution_ms + excluded.resolution_ms, resolutions_in_time = r.resolutions_in_time + excluded.resolutions_in_time,
        resolutions_late = r.resolutions_late + excluded.resolutions_late, asked = r.asked + excluded.asked,
        rated_good = r.rated_good + excluded.rated_good, rated_okay = r.rated_okay + excluded.rated_okay, rated_bad = r.rated_bad + excluded.rated_bad
    ) SELECT count(*) INTO moved FROM taken;
    more := more OR moved = 5000;
  END IF;
  IF EXISTS (SELECT FROM contact_rollup_deltas) THEN
    WITH taken AS (
      DELETE FROM contact_rollup_deltas WHERE ctid = ANY (ARRAY(SELECT ctid FROM contact_rollup_deltas LIMIT 5000)) RETURNING *
    ), added AS (
      INSERT INTO contact_rollups AS r (workspace_id, quarter, kind, source, contacts)
      SELECT t.workspace_id, t.quarter, t.kind, t.source, sum(t.contacts) FROM taken t JOIN workspaces w ON w.id = t.workspace_id
      GROUP BY 1, 2, 3, 4
      ON CONFLICT (workspace_id, quarter, kind, source) DO UPDATE SET contacts = r.contacts + excluded.contacts
    ) SELECT count(*) INTO moved FROM taken;
    more := more OR moved = 5000;
  END IF;
  RETURN more;
EXCEPTION WHEN lock_not_available THEN
  RETURN false;
END $$;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION count_outcomes(p_lock bigint) RETURNS boolean LANGUAGE plpgsql SET lock_timeout = '500ms' AS $$
BEGIN
  IF NOT pg_try_advisory_xact_lock(p_lock) THEN RETURN false; END IF;
  IF NOT EXISTS (SELECT FROM outcome_checks) THEN RETURN false; END IF;
  RETURN recount_outcomes(2000);
EXCEPTION WHEN lock_not_available THEN
  RETURN false;
END $$;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION check_opt_outs_of_runs(p_lock bigint, p_rest interval DEFAULT '30 seconds') RETURNS boolean LANGUAGE plpgsql SET lock_timeout = '500ms' AS $$
BEGIN
  IF NOT pg_try_advisory_xact_lock(p_lock) THEN RETURN false; END IF;
  IF NOT EXISTS (SELECT FROM outcome_run_checks WHERE asked_at <= clock_timestamp() - p_rest) THEN RETURN false; END IF;
  WITH taken AS (
    DELETE FROM outcome_run_checks WHERE asked_at <= clock_timestamp() - p_rest RETURNING *
  )
  INSERT INTO outcome_checks SELECT k.workspace_id, 'opt_out', k.contact_id, min(k.occurred_at)
    FROM taken t JOIN delivery_runs n ON n.run_no = t.run_no
      JOIN contact_consents k ON k.workspace_id = n.workspace_id AND k.kind = 'opt_out' AND k.occurred_at >= n.created_at
    WHERE EXISTS (SELECT FROM delivery_recipients r WHERE r.run_no = t.run_no AND r.contact_id = k.contact_id
      AND greatest(r.accepted_at, r.delivered_at, r.read_at) >= t.since) GROUP BY 1, 3;
  RETURN false;
EXCEPTION WHEN lock_not_available THEN
  RETURN false;
END $$;
--> statement-breakpoint
-- Of recipients of whom was heard late, only those are locked and compared who wrote since, or were counted as having replied.
CREATE OR REPLACE FUNCTION check_replies_to_runs(p_lock bigint) RETURNS boolean LANGUAGE plpgsql
  SET enable_hashjoin = off SET enable_mergejoin = off SET jit = off AS $$
DECLARE
  taken bigint[];
BEGIN
  IF NOT pg_try_advisory_xact_lock(p_lock) THEN RETURN false; END IF;
  SELECT array_agg(id) INTO taken FROM (SELECT id FROM reply_checks WHERE of_runs ORDER BY id LIMIT 50) AS k;
  IF taken IS NULL THEN RETURN false; END IF;
  WITH checks AS MATERIALIZED (
    DELETE FROM reply_checks WHERE id = ANY (taken) RETURNING *
  ), places AS MATERIALIZED (
    SELECT r.run_no, r.seq FROM checks k JOIN messages m ON m.id = k.message_id AND m.direction = 'in' AND is_said(m)
      JOIN delivery_recipients r ON r.contact_id = m.contact_id AND r.workspace_id = m.workspace_id AND r.state = 2
       AND least(r.delivered_at, r.read_at) >= m.occurred_at - interval '24 hours' AND least(r.delivered_at, r.read_at) < m.occurred_at
    UNION
    SELECT r.run_no, r.seq FROM (SELECT run_no, unnest(seqs) AS seq FROM checks) AS k
      JOIN delivery_recipients r ON r.run_no = k.run_no AND r.seq = k.seq AND r.state = 2
    WHERE r.replied_at IS NOT NULL OR EXISTS (SELECT FROM messages m
      WHERE m.contact_id = r.contact_id AND m.direction = 'in' AND m.occurred_at > least(r.delivered_at, r.read_at))
    UNION
    SELECT r.run_no, r.seq FROM (SELECT run_no, workspace_id, min(since) AS since FROM checks WHERE since IS NOT NULL GROUP BY 1, 2) AS k
      JOIN delivery_runs d ON d.run_no = k.run_no
      JOIN conversations v ON v.workspace_id = k.workspace_id AND v.is_archived = ANY ('{true,false}'::boolean[])
       AND v.last_activity_at > k.since AND v.channel_id = d.channel_id
      JOIN delivery_recipients r ON r.contact_id = v.contact_id AND r.run_no = k.run_no AND r.state = 2
       AND least(r.delivered_at, r.read_at) >= k.since
  ), known AS MATERIALIZED (
    SELECT r.run_no, r.seq, r.contact_id, least(r.delivered_at, r.read_at) AS delivered, r.replied_at, r.variant, r.address
    FROM places p JOIN delivery_recipients r ON r.run_no = p.run_no AND r.seq = p.seq AND r.state = 2 ORDER BY r.run_no, r.seq FOR NO KEY UPDATE OF r
  ), found AS MATERIALIZED (
    SELECT k.run_no, k.seq, k.replied_at AS was, first_reply(k.contact_id, d.channel_id, k.delivered, k.replied_at) AS is,
      d.workspace_id, d.channel_id, d.campaign_id, run_template(d, k.variant) AS template_id,
      CASE WHEN k.seq < d.countries_below THEN country_of_number(k.address) END AS country
    FROM known k JOIN delivery_runs d ON d.run_no = k.run_no WHERE k.seq < d.rolled_up_below AND k.contact_id IS NOT NULL
  ), written AS (
    UPDATE delivery_recipients r SET replied_at = f.is FROM found f
    WHERE r.run_no = f.run_no AND r.seq = f.seq AND f.is IS DISTINCT FROM f.was
  )
  INSERT INTO message_rollup_deltas (workspace_id, channel_id, campaign_id, template_id, author, direction, country, quarter, replied)
  SELECT f.workspace_id, f.channel_id, f.campaign_id, f.template_id, 'campaign', 'out', f.country, quarter_of(e.at), sum(e.one)
  FROM found f CROSS JOIN LATERAL (VALUES (f.is, 1), (f.was, -1)) AS e (at, one)
  WHERE f.is IS DISTINCT FROM f.was AND e.at IS NOT NULL GROUP BY 1, 2, 3, 4, 7, 8;
  RETURN cardinality(taken) = 50;
END $$;
