-- What happens to recipients of campaigns is rolled up in the statement that stores it, and everything behind it in the background
-- (docs/decisions/108-rollups.md). The two functions are as before but for the rollups.
CREATE OR REPLACE FUNCTION apply_status_reports(p_run bigint, p_workspace uuid, p_seqs integer[], p_message_ids text[], p_sent double precision[], p_delivered double precision[], p_read double precision[], p_failed double precision[], p_codes text[], p_details text[], OUT missing integer[], OUT newly_failed integer[])
 RETURNS record
 LANGUAGE plpgsql
 SET enable_nestloop TO 'off'
 SET enable_mergejoin TO 'off'
 SET jit TO 'off'
AS $$
#variable_conflict use_column
DECLARE
  run delivery_runs;
  live integer;
  late timestamptz := now() - interval '5 minutes';
BEGIN
  SELECT * INTO run FROM delivery_runs WHERE run_no = p_run;
  live := run.rolled_up_below;
  -- While its past is being counted: behind the slice that is under way, and before the next one.
  IF live < 2147483647 THEN SELECT rolled_up_below INTO live FROM delivery_runs WHERE run_no = p_run FOR KEY SHARE; END IF;
  WITH input AS MATERIALIZED (
    SELECT seq, message_id, to_timestamp(sent / 1000) AS sent, to_timestamp(delivered / 1000) AS delivered,
      to_timestamp(read / 1000) AS read, to_timestamp(failed / 1000) AS failed, code, detail
    FROM unnest(p_seqs, p_message_ids, p_sent, p_delivered, p_read, p_failed, p_codes, p_details)
      AS i(seq, message_id, sent, delivered, read, failed, code, detail)
  ), found AS MATERIALIZED (
    SELECT seq, state, accepted_at, sent_at, delivered_at, read_at, failed_at FROM delivery_recipients
    WHERE run_no = p_run AND seq = ANY(p_seqs) AND workspace_id = p_workspace ORDER BY seq FOR UPDATE
  ), known AS MATERIALIZED (
    SELECT i.*, f.state, f.accepted_at AS was_accepted, f.sent_at AS was_sent, f.delivered_at AS was_delivered,
      f.read_at AS was_read, f.failed_at AS refused_at, CASE WHEN f.state = 2 THEN f.failed_at END AS was_failed
    FROM input i JOIN found f ON f.seq = i.seq
  ), new AS MATERIALIZED (
    SELECT *, CASE WHEN state = 2 THEN was_accepted ELSE least(sent, delivered, read, failed) END AS accepted_at,
      least(was_sent, sent) AS sent_at, least(was_delivered, delivered) AS delivered_at, least(was_read, read) AS read_at,
      least(was_failed, failed) AS failed_at
    FROM known
    WHERE state <> 2 OR sent < coalesce(was_sent, 'infinity') OR delivered < coalesce(was_delivered, 'infinity')
      OR read < coalesce(was_read, 'infinity') OR failed < coalesce(was_failed, 'infinity')
  ), written AS (
    UPDATE delivery_recipients r SET state = 2, accepted_at = n.accepted_at, sent_at = n.sent_at,
      delivered_at = n.delivered_at, read_at = n.read_at, failed_at = n.failed_at,
      provider_message_id = coalesce(r.provider_message_id, n.message_id),
      error_code = CASE WHEN n.failed < coalesce(n.was_failed, 'infinity') THEN n.code WHEN n.state = 2 THEN r.error_code END,
      error_detail = CASE WHEN n.failed < coalesce(n.was_failed, 'infinity') THEN n.detail WHEN n.state = 2 THEN r.error_detail END
    FROM new n WHERE r.run_no = p_run AND r.seq = ANY(p_seqs) AND r.seq = n.seq
  ), logged AS (
    INSERT INTO delivery_events (run_no, occurred_at, seq, status, error_code)
    SELECT p_run, sent, seq, 1, NULL FROM new WHERE sent < coalesce(was_sent, 'infinity')
    UNION ALL SELECT p_run, delivered, seq, 2, NULL FROM new WHERE delivered < coalesce(was_delivered, 'infinity')
    UNION ALL SELECT p_run, read, seq, 3, NULL FROM new WHERE read < coalesce(was_read, 'infinity')
    UNION ALL SELECT p_run, failed, seq, 4, code FROM new WHERE failed < coalesce(was_failed, 'infinity')
  ), unqueued AS (
    DELETE FROM delivery_retries q WHERE q.run_no = p_run AND q.seq = ANY(p_seqs) AND q.claimed_attempt IS NULL
      AND q.seq IN (SELECT seq FROM new WHERE state = 6)
  ), parts AS (
    SELECT date_trunc('hour', accepted_at, 'UTC') AS hour, (state <> 2)::integer AS accepted, 0 AS refused,
      -(state = 4)::integer AS cancelled, -(state = 5)::integer AS unknown,
      (coalesce(sent_at, delivered_at, read_at) IS NOT NULL)::integer
        - (state = 2 AND coalesce(was_sent, was_delivered, was_read) IS NOT NULL)::integer AS sent,
      (coalesce(delivered_at, read_at) IS NOT NULL)::integer
        - (state = 2 AND coalesce(was_delivered, was_read) IS NOT NULL)::integer AS delivered,
      (read_at IS NOT NULL)::integer - (state = 2 AND was_read IS NOT NULL)::integer AS read,
      (failed_at IS NOT NULL AND coalesce(delivered_at, read_at) IS NULL)::integer
        - (was_failed IS NOT NULL AND coalesce(was_delivered, was_read) IS NULL)::integer AS failed
    FROM new
    UNION ALL
    SELECT date_trunc('hour', refused_at, 'UTC'), 0, -1, 0, 0, 0, 0, 0, 0 FROM new WHERE state = 3
  ), counted AS (
    INSERT INTO delivery_deltas (run_no, workspace_id, channel_id, hour, accepted, refused, cancelled, unknown, sent, delivered, read, failed)
    SELECT p_run, run.workspace_id, run.channel_id, hour, sum(accepted), sum(refused), sum(cancelled), sum(unknown), sum(sent),
      sum(delivered), sum(read), sum(failed)
    FROM parts GROUP BY hour
  ), moves AS (
    -- Each time as recipient_times says it, where it is another one now.
    SELECT accepted_at AS at, 1 AS sent, 0 AS delivered, 0 AS read, 0 AS failed FROM new WHERE seq < live AND state <> 2
    UNION ALL
    SELECT least(delivered_at, read_at), 0, 1, 0, 0 FROM new
    WHERE seq < live AND (state <> 2 OR least(delivered_at, read_at) IS DISTINCT FROM least(was_delivered, was_read))
    UNION ALL
    SELECT least(was_delivered, was_read), 0, -1, 0, 0 FROM new
    WHERE seq < live AND state = 2 AND least(delivered_at, read_at) < least(was_delivered, was_read)
    UNION ALL
    SELECT read_at, 0, 0, 1, 0 FROM new WHERE seq < live AND read_at IS NOT NULL AND (state <> 2 OR read_at IS DISTINCT FROM was_read)
    UNION ALL
    SELECT was_read, 0, 0, -1, 0 FROM new WHERE seq < live AND state = 2 AND read_at < was_read
    UNION ALL
    SELECT e.at, 0, 0, 0, e.one FROM new CROSS JOIN LATERAL (
      SELECT CASE WHEN coalesce(delivered_at, read_at) IS NULL THEN failed_at END AS now_failed,
        CASE WHEN state = 3 THEN refused_at WHEN coalesce(was_delivered, was_read) IS NULL THEN was_failed END AS then_failed) AS f
      CROSS JOIN LATERAL (VALUES (f.now_failed, 1), (f.then_failed, -1)) AS e (at, one)
    WHERE seq < live AND (failed_at IS NOT NULL OR refused_at IS NOT NULL) AND f.now_failed IS DISTINCT FROM f.then_failed
  ), rolled_up AS (
    INSERT INTO message_rollup_deltas (run_no, workspace_id, channel_id, campaign_id, template_id, author, direction, quarter, sent, delivered,
      read, failed, delivered_from)
    SELECT p_run, run.workspace_id, run.channel_id, run.campaign_id, run.template_id, 'campaign', 'out', quarter_of(at), sum(sent),
      sum(delivered), sum(read), sum(failed), min(at) FILTER (WHERE delivered > 0 AND at >= late)
    FROM moves WHERE at IS NOT NULL GROUP BY quarter_of(at)
  ), came_late AS (
    -- Somebody may have replied long before this is known.
    INSERT INTO reply_checks (workspace_id, of_runs, run_no, seqs)
    SELECT p_workspace, true, p_run, l.seqs FROM (SELECT array_agg(seq) AS seqs FROM new WHERE seq < live
      AND least(delivered, read) < late AND (state <> 2 OR least(delivered, read) < coalesce(least(was_delivered, was_read), 'infinity'))) AS l
    WHERE l.seqs IS NOT NULL
  )
  SELECT (SELECT array_agg(i.seq) FROM input i WHERE i.seq NOT IN (SELECT seq FROM known)),
    (SELECT array_agg(n.seq) FROM new n WHERE n.failed IS NOT NULL AND n.was_failed IS NULL) INTO missing, newly_failed;
END $$;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION settle_recipients(p_run bigint, p_owner text, p_epoch bigint, p_seqs integer[], p_attempts smallint[], p_states smallint[], p_released boolean[], p_at double precision[], p_message_ids text[], p_codes text[], p_details text[], p_not_before double precision[], p_retries integer[], p_give_back date[])
 RETURNS void
 LANGUAGE plpgsql
 SET enable_nestloop TO 'off'
 SET enable_mergejoin TO 'off'
 SET jit TO 'off'
AS $$
#variable_conflict use_column
DECLARE
  p_workspace uuid;
  p_channel uuid;
  p_campaign uuid;
  p_template uuid;
  live integer;
BEGIN
  -- Held until the commit: a new owner of the run waits for this write, or this write sees the new owner.
  SELECT workspace_id, channel_id, campaign_id, template_id, rolled_up_below INTO p_workspace, p_channel, p_campaign, p_template, live
  FROM delivery_runs
  WHERE run_no = p_run AND owner = p_owner AND epoch = p_epoch FOR KEY SHARE;
  IF NOT FOUND THEN RETURN; END IF;
  -- Before the recipients, as every claim does.
  IF p_give_back IS NOT NULL THEN
    PERFORM FROM delivery_usage WHERE workspace_id = p_workspace AND day = ANY(p_give_back) ORDER BY day FOR UPDATE;
  END IF;
  WITH known AS MATERIALIZED (
    SELECT seq, state, attempt FROM delivery_recipients
    WHERE run_no = p_run AND seq = ANY(p_seqs) ORDER BY seq FOR UPDATE
  ), won AS MATERIALIZED (
    SELECT i.seq, i.attempt, i.state, i.is_released, to_timestamp(i.at_ms / 1000) AS at, i.message_id, i.code, i.detail,
      to_timestamp(i.not_before_ms / 1000) AS not_before, i.give_back
    FROM unnest(p_seqs, p_attempts, p_states, p_released, p_at, p_message_ids, p_codes, p_details, p_not_before, p_give_back)
      AS i(seq, attempt, state, is_released, at_ms, message_id, code, detail, not_before_ms, give_back)
    JOIN known k ON k.seq = i.seq
    WHERE (k.state = 0 AND k.attempt = i.attempt - 1) OR (k.state = 1 AND k.attempt = i.attempt)
  ), written AS (
    UPDATE delivery_recipients r SET state = w.state, attempt = w.attempt - w.is_released::integer,
      accepted_at = CASE WHEN w.state = 2 THEN w.at END, failed_at = CASE WHEN w.state IN (3, 4) THEN w.at END,
      provider_message_id = w.message_id, error_code = w.code, error_detail = w.detail
    FROM won w WHERE r.run_no = p_run AND r.seq = ANY(p_seqs) AND r.seq = w.seq
  ), unqueued AS (
    -- Only the try that is settled here: a repeated statement must not drop the one that it queued itself before.
    DELETE FROM delivery_retries q USING unnest(p_seqs, p_attempts) AS i(seq, attempt)
    WHERE q.run_no = p_run AND q.seq = ANY(p_retries) AND i.seq = q.seq AND q.claimed_attempt = i.attempt
      AND NOT EXISTS (SELECT FROM won w WHERE w.seq = q.seq AND w.state = 6)
  ), queued AS (
    INSERT INTO delivery_retries (run_no, seq, workspace_id, not_before)
    SELECT p_run, w.seq, p_workspace, w.not_before FROM won w WHERE w.state = 6
    ON CONFLICT (run_no, seq) DO UPDATE SET not_before = excluded.not_before, claimed_attempt = NULL
  ), given_back AS (
    UPDATE delivery_usage u SET used = greatest(0, u.used - g.count)
    FROM (SELECT w.give_back AS day, count(*)::integer AS count FROM won w WHERE w.give_back IS NOT NULL GROUP BY 1) g
    WHERE u.workspace_id = p_workspace AND u.day = g.day
  ), rolled_up AS (
    INSERT INTO message_rollup_deltas (workspace_id, channel_id, campaign_id, template_id, author, direction, quarter, sent, failed)
    SELECT p_workspace, p_channel, p_campaign, p_template, 'campaign', 'out', quarter_of(w.at), count(*) FILTER (WHERE w.state = 2),
      count(*) FILTER (WHERE w.state = 3)
    FROM won w WHERE w.state IN (2, 3) AND w.seq < live GROUP BY 7
  )
  INSERT INTO delivery_deltas (run_no, workspace_id, channel_id, hour, accepted, refused, cancelled, unknown)
  SELECT p_run, p_workspace, p_channel, date_trunc('hour', w.at, 'UTC'), count(*) FILTER (WHERE w.state = 2),
    count(*) FILTER (WHERE w.state = 3), count(*) FILTER (WHERE w.state = 4), count(*) FILTER (WHERE w.state = 5)
  FROM won w WHERE w.state <> 6 GROUP BY 4;
END $$;
--> statement-breakpoint
-- Moves what transactions left to the rollups; one process at a time, the others find nothing to do. Answers whether there may be more.
CREATE FUNCTION apply_rollups(p_lock bigint) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  moved bigint;
  more boolean := false;
BEGIN
  IF NOT pg_try_advisory_xact_lock(p_lock) THEN RETURN false; END IF;
  WITH taken AS (
    DELETE FROM message_rollup_deltas WHERE ctid = ANY (ARRAY(SELECT ctid FROM message_rollup_deltas LIMIT 5000)) RETURNING *
  ), delivered AS (
    INSERT INTO reply_checks (workspace_id, of_runs, run_no, since)
    SELECT t.workspace_id, true, t.run_no, min(t.delivered_from) FROM taken t JOIN delivery_runs r USING (run_no)
    WHERE t.delivered_from IS NOT NULL GROUP BY 1, 3
  ), added AS (
    INSERT INTO message_rollups AS r (workspace_id, quarter, channel_id, campaign_id, template_id, author, direction, sent, delivered, read,
      failed, received, replied, clicked, cost)
    SELECT * FROM (
      SELECT t.workspace_id, t.quarter, t.channel_id, t.campaign_id, t.template_id, t.author, t.direction, sum(t.sent) AS sent,
        sum(t.delivered) AS delivered, sum(t.read) AS read, sum(t.failed) AS failed, sum(t.received) AS received, sum(t.replied) AS replied,
        sum(t.clicked) AS clicked, sum(t.cost) AS cost
      FROM taken t JOIN workspaces w ON w.id = t.workspace_id GROUP BY 1, 2, 3, 4, 5, 6, 7) AS s
    WHERE (sent, delivered, read, failed, received, replied, clicked, cost) <> (0, 0, 0, 0, 0, 0, 0, 0)
    ON CONFLICT (workspace_id, quarter, channel_id, campaign_id, template_id, author, direction) DO UPDATE SET
      sent = r.sent + excluded.sent, delivered = r.delivered + excluded.delivered, read = r.read + excluded.read,
      failed = r.failed + excluded.failed, received = r.received + excluded.received, replied = r.replied + excluded.replied,
      clicked = r.clicked + excluded.clicked, cost = r.cost + excluded.cost
  ) SELECT count(*) INTO moved FROM taken;
  more := moved = 5000;
  WITH taken AS (
    DELETE FROM inbox_rollup_deltas WHERE ctid = ANY (ARRAY(SELECT ctid FROM inbox_rollup_deltas LIMIT 5000)) RETURNING *
  ), added AS (
    INSERT INTO inbox_rollups AS r (workspace_id, quarter, channel_id, agent_id, team_id, first_responses, first_response_ms,
      first_responses_in_time, first_responses_late, resolutions, resolution_ms, resolutions_in_time, resolutions_late)
    SELECT t.workspace_id, t.quarter, t.channel_id, t.agent_id, t.team_id, sum(t.first_responses), sum(t.first_response_ms),
      sum(t.first_responses_in_time), sum(t.first_responses_late), sum(t.resolutions), sum(t.resolution_ms), sum(t.resolutions_in_time),
      sum(t.resolutions_late)
    FROM taken t JOIN workspaces w ON w.id = t.workspace_id GROUP BY 1, 2, 3, 4, 5
    ON CONFLICT (workspace_id, quarter, channel_id, agent_id, team_id) DO UPDATE SET
      first_responses = r.first_responses + excluded.first_responses, first_response_ms = r.first_response_ms + excluded.first_response_ms,
      first_responses_in_time = r.first_responses_in_time + excluded.first_responses_in_time,
      first_responses_late = r.first_responses_late + excluded.first_responses_late, resolutions = r.resolutions + excluded.resolutions,
      resolution_ms = r.resolution_ms + excluded.resolution_ms, resolutions_in_time = r.resolutions_in_time + excluded.resolutions_in_time,
      resolutions_late = r.resolutions_late + excluded.resolutions_late
  ) SELECT count(*) INTO moved FROM taken;
  more := more OR moved = 5000;
  WITH taken AS (
    DELETE FROM contact_rollup_deltas WHERE ctid = ANY (ARRAY(SELECT ctid FROM contact_rollup_deltas LIMIT 5000)) RETURNING *
  ), added AS (
    INSERT INTO contact_rollups AS r (workspace_id, quarter, kind, source, contacts)
    SELECT t.workspace_id, t.quarter, t.kind, t.source, sum(t.contacts) FROM taken t JOIN workspaces w ON w.id = t.workspace_id
    GROUP BY 1, 2, 3, 4
    ON CONFLICT (workspace_id, quarter, kind, source) DO UPDATE SET contacts = r.contacts + excluded.contacts
  ) SELECT count(*) INTO moved FROM taken;
  RETURN more OR moved = 5000;
END $$;
--> statement-breakpoint
-- When a reply to what was delivered then is one: the first message of the contact on the same channel within 24 hours. p_known is what was
-- found before; it stays while it is within them, also when the message that it was is gone.
CREATE FUNCTION first_reply(p_contact uuid, p_channel uuid, p_delivered timestamptz, p_known timestamptz) RETURNS timestamptz
  LANGUAGE sql STABLE AS $$
  SELECT least(CASE WHEN p_known > p_delivered AND p_known <= p_delivered + interval '24 hours' THEN p_known END,
    (SELECT m.occurred_at FROM messages m WHERE m.contact_id = p_contact AND m.channel_id = p_channel AND m.direction = 'in'
        AND m.target_id IS NULL AND m.group_id IS NULL AND m.type <> 'reaction' AND m.occurred_at > p_delivered
        AND m.occurred_at <= p_delivered + interval '24 hours' ORDER BY m.occurred_at LIMIT 1))
$$;
--> statement-breakpoint
-- Compares what was delivered with what contacts wrote, some checks at a time; with the lock of apply_rollups, so that nothing is counted from the
-- past meanwhile. Few rows are looked for each time, by their indexes. Answers whether there may be more.
CREATE FUNCTION check_replies_to_runs(p_lock bigint) RETURNS boolean LANGUAGE plpgsql
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
    SELECT run_no, unnest(seqs) FROM checks
    UNION
    SELECT r.run_no, r.seq FROM (SELECT run_no, workspace_id, min(since) AS since FROM checks WHERE since IS NOT NULL GROUP BY 1, 2) AS k
      JOIN delivery_runs d ON d.run_no = k.run_no
      JOIN conversations v ON v.workspace_id = k.workspace_id AND v.is_archived = ANY ('{true,false}'::boolean[])
       AND v.last_activity_at > k.since AND v.channel_id = d.channel_id
      JOIN delivery_recipients r ON r.contact_id = v.contact_id AND r.run_no = k.run_no AND r.state = 2
       AND least(r.delivered_at, r.read_at) >= k.since
  ), known AS MATERIALIZED (
    SELECT r.run_no, r.seq, r.contact_id, least(r.delivered_at, r.read_at) AS delivered, r.replied_at
    FROM places p JOIN delivery_recipients r ON r.run_no = p.run_no AND r.seq = p.seq AND r.state = 2 ORDER BY r.run_no, r.seq FOR NO KEY UPDATE OF r
  ), found AS MATERIALIZED (
    SELECT k.run_no, k.seq, k.replied_at AS was, first_reply(k.contact_id, d.channel_id, k.delivered, k.replied_at) AS is,
      d.workspace_id, d.channel_id, d.campaign_id, d.template_id
    FROM known k JOIN delivery_runs d ON d.run_no = k.run_no WHERE k.seq < d.rolled_up_below AND k.contact_id IS NOT NULL
  ), written AS (
    UPDATE delivery_recipients r SET replied_at = f.is FROM found f
    WHERE r.run_no = f.run_no AND r.seq = f.seq AND f.is IS DISTINCT FROM f.was
  )
  INSERT INTO message_rollup_deltas (workspace_id, channel_id, campaign_id, template_id, author, direction, quarter, replied)
  SELECT f.workspace_id, f.channel_id, f.campaign_id, f.template_id, 'campaign', 'out', quarter_of(e.at), sum(e.one)
  FROM found f CROSS JOIN LATERAL (VALUES (f.is, 1), (f.was, -1)) AS e (at, one)
  WHERE f.is IS DISTINCT FROM f.was AND e.at IS NOT NULL GROUP BY 1, 2, 3, 4, 7;
  RETURN cardinality(taken) = 50;
END $$;
--> statement-breakpoint
-- The same for single messages; what they count for follows from their row.
CREATE FUNCTION check_replies_to_messages(p_lock bigint) RETURNS boolean LANGUAGE plpgsql
  SET enable_hashjoin = off SET enable_mergejoin = off SET jit = off AS $$
DECLARE
  taken bigint[];
BEGIN
  IF NOT pg_try_advisory_xact_lock(p_lock) THEN RETURN false; END IF;
  SELECT array_agg(id) INTO taken FROM (SELECT id FROM reply_checks WHERE NOT of_runs ORDER BY id LIMIT 500) AS k;
  IF taken IS NULL THEN RETURN false; END IF;
  WITH checks AS MATERIALIZED (
    DELETE FROM reply_checks WHERE id = ANY (taken) RETURNING *
  ), places AS MATERIALIZED (
    SELECT o.id FROM checks k JOIN messages m ON m.id = k.message_id AND m.direction = 'in' AND is_said(m)
      JOIN messages o ON o.contact_id = m.contact_id AND o.channel_id = m.channel_id AND o.target_id IS NULL AND o.group_id IS NULL
       AND o.type <> 'reaction' AND o.direction = 'out' AND o.state = 'accepted'
       -- A telephone that was off gets its messages for a month.
       AND o.occurred_at > m.occurred_at - interval '32 days' AND o.occurred_at < m.occurred_at + interval '1 day'
       AND least(o.delivered_at, o.read_at) >= m.occurred_at - interval '24 hours' AND least(o.delivered_at, o.read_at) < m.occurred_at
    UNION
    SELECT m.id FROM checks k JOIN messages m ON m.id = k.message_id AND m.direction = 'out'
  ), known AS MATERIALIZED (
    SELECT m.id, m.contact_id, m.channel_id, least(m.delivered_at, m.read_at) AS delivered, m.replied_at, m.received_at
    FROM places p JOIN messages m ON m.id = p.id WHERE m.contact_id IS NOT NULL ORDER BY m.id FOR NO KEY UPDATE OF m
  ), found AS MATERIALIZED (
    SELECT id, replied_at AS was, first_reply(contact_id, channel_id, delivered, replied_at) AS is FROM known
    WHERE delivered IS NOT NULL AND is_rolled_up(id, received_at)
  )
  UPDATE messages m SET replied_at = f.is FROM found f WHERE m.id = f.id AND f.is IS DISTINCT FROM f.was;
  RETURN cardinality(taken) = 500;
END $$;
--> statement-breakpoint
-- Nothing is written to these tables between this moment and the end of the migration: the triggers above hold them.
INSERT INTO rollup_backfill (source, begun_at, place, finished_at) VALUES
  ('runs', clock_timestamp(), NULL, CASE WHEN NOT EXISTS (SELECT FROM delivery_runs) THEN now() END),
  ('messages', clock_timestamp(), 'ffffffff-ffff-ffff-ffff-ffffffffffff', CASE WHEN NOT EXISTS (SELECT FROM messages) THEN now() END),
  ('charges', clock_timestamp(), '', CASE WHEN NOT EXISTS (SELECT FROM budget_charges) THEN now() END);
--> statement-breakpoint
-- Counts a slice of the recipients that were there before, those of the newest run first. Whoever changes one of the run waits for the slice.
CREATE FUNCTION backfill_runs(p_lock bigint, p_rows integer) RETURNS boolean LANGUAGE plpgsql
  SET enable_nestloop = off SET enable_mergejoin = off SET jit = off AS $$
DECLARE
  run delivery_runs;
  until integer;
  done bigint;
BEGIN
  PERFORM pg_advisory_xact_lock(p_lock);
  SELECT * INTO run FROM delivery_runs WHERE rolled_up_below < 2147483647 ORDER BY run_no DESC LIMIT 1 FOR UPDATE;
  IF NOT FOUND THEN
    UPDATE rollup_backfill SET finished_at = now() WHERE source = 'runs' AND finished_at IS NULL;
    RETURN false;
  END IF;
  until := CASE WHEN run.total - run.rolled_up_below > p_rows THEN run.rolled_up_below + p_rows ELSE 2147483647 END;
  WITH slice AS MATERIALIZED (
    SELECT r.seq, t.*, r.replied_at, CASE WHEN t.delivered IS NOT NULL AND r.contact_id IS NOT NULL
      THEN first_reply(r.contact_id, run.channel_id, t.delivered, r.replied_at) ELSE r.replied_at END AS is_replied
    FROM delivery_recipients r CROSS JOIN LATERAL recipient_times(r) AS t
    WHERE r.run_no = run.run_no AND r.seq >= run.rolled_up_below AND r.seq < until
  ), locked AS MATERIALIZED (
    SELECT r.seq FROM delivery_recipients r WHERE r.run_no = run.run_no
      AND r.seq = ANY (ARRAY(SELECT seq FROM slice WHERE is_replied IS DISTINCT FROM replied_at)) ORDER BY r.seq FOR NO KEY UPDATE
  ), written AS (
    UPDATE delivery_recipients r SET replied_at = s.is_replied FROM locked l JOIN slice s ON s.seq = l.seq
    WHERE r.run_no = run.run_no AND r.seq = ANY (ARRAY(SELECT seq FROM locked)) AND r.seq = l.seq
  ), added AS (
    INSERT INTO message_rollup_deltas (workspace_id, channel_id, campaign_id, template_id, author, direction, quarter, sent, delivered, read,
      failed, replied)
    SELECT run.workspace_id, run.channel_id, run.campaign_id, run.template_id, 'campaign', 'out', quarter_of(e.at), sum(e.sent),
      sum(e.delivered), sum(e.read), sum(e.failed), sum(e.replied)
    FROM slice s CROSS JOIN LATERAL (VALUES (s.sent, 1, 0, 0, 0, 0), (s.delivered, 0, 1, 0, 0, 0), (s.read, 0, 0, 1, 0, 0),
      (s.failed, 0, 0, 0, 1, 0), (s.is_replied, 0, 0, 0, 0, 1)) AS e (at, sent, delivered, read, failed, replied)
    WHERE e.at IS NOT NULL GROUP BY 7
  ) SELECT count(*) INTO done FROM slice;
  UPDATE delivery_runs SET rolled_up_below = until WHERE run_no = run.run_no;
  UPDATE rollup_backfill SET rows_done = rows_done + done WHERE source = 'runs';
  RETURN true;
END $$;
--> statement-breakpoint
-- The same for messages, the newest first.
CREATE FUNCTION backfill_messages(p_lock bigint, p_rows integer) RETURNS boolean LANGUAGE plpgsql SET jit = off AS $$
DECLARE
  state rollup_backfill;
  ids uuid[];
  old_ids uuid[];
BEGIN
  PERFORM pg_advisory_xact_lock(p_lock);
  -- Nobody changes a message that is not counted yet from here on; what they did is committed (is_rolled_up).
  PERFORM pg_advisory_xact_lock(7302161);
  SELECT * INTO state FROM rollup_backfill WHERE source = 'messages' AND finished_at IS NULL FOR UPDATE;
  IF NOT FOUND THEN RETURN false; END IF;
  SELECT array_agg(id ORDER BY id), array_agg(id) FILTER (WHERE received_at < state.begun_at) INTO ids, old_ids FROM (
    SELECT id, received_at FROM messages WHERE id < state.place::uuid ORDER BY id DESC LIMIT p_rows) AS s;
  IF ids IS NULL THEN
    UPDATE rollup_backfill SET finished_at = now() WHERE source = 'messages';
    RETURN false;
  END IF;
  -- Replies are written where they are always written; no lock on a message is taken here.
  INSERT INTO reply_checks (workspace_id, of_runs, message_id)
  SELECT m.workspace_id, false, m.id FROM messages m CROSS JOIN LATERAL message_times(m) AS t
  WHERE m.id = ANY (old_ids) AND t.delivered IS NOT NULL AND first_reply(m.contact_id, m.channel_id, t.delivered, NULL) IS NOT NULL;
  INSERT INTO message_rollup_deltas (workspace_id, channel_id, template_id, author, direction, quarter, sent, delivered, read, failed,
    received, replied)
  SELECT m.workspace_id, m.channel_id, message_template(m), message_author(m), m.direction, quarter_of(e.at),
    sum(e.sent), sum(e.delivered), sum(e.read), sum(e.failed), sum(e.received), sum(e.replied)
  FROM messages AS m CROSS JOIN LATERAL message_times(m) AS t CROSS JOIN LATERAL (VALUES (t.sent, 1, 0, 0, 0, 0, 0),
    (t.delivered, 0, 1, 0, 0, 0, 0), (t.read, 0, 0, 1, 0, 0, 0), (t.failed, 0, 0, 0, 1, 0, 0), (t.received, 0, 0, 0, 0, 1, 0),
    (t.replied, 0, 0, 0, 0, 0, 1)) AS e (at, sent, delivered, read, failed, received, replied)
  WHERE m.id = ANY (old_ids) AND e.at IS NOT NULL
  GROUP BY 1, 2, 3, 4, 5, 6;
  UPDATE rollup_backfill SET place = ids[1]::text, rows_done = rows_done + cardinality(ids) WHERE source = 'messages';
  RETURN true;
END $$;
--> statement-breakpoint
-- When a charge was made is when its try was: then it counts by itself. Charges that somebody else is changing are found on the next way through.
CREATE FUNCTION backfill_charges(p_lock bigint, p_rows integer) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  state rollup_backfill;
  last_ref text;
BEGIN
  PERFORM pg_advisory_xact_lock(p_lock);
  SELECT * INTO state FROM rollup_backfill WHERE source = 'charges' AND finished_at IS NULL FOR UPDATE;
  IF NOT FOUND THEN RETURN false; END IF;
  SELECT max(ref) INTO last_ref FROM (SELECT ref FROM budget_charges WHERE ref > state.place ORDER BY ref LIMIT p_rows) AS s;
  IF last_ref IS NULL THEN
    IF EXISTS (SELECT FROM budget_charges WHERE charged_at IS NULL) THEN
      UPDATE rollup_backfill SET place = '' WHERE source = 'charges';
      RETURN true;
    END IF;
    UPDATE rollup_backfill SET finished_at = now() WHERE source = 'charges';
    RETURN false;
  END IF;
  WITH slice AS MATERIALIZED (
    SELECT ref, month FROM budget_charges WHERE ref > state.place AND ref <= last_ref AND charged_at IS NULL ORDER BY ref FOR UPDATE SKIP LOCKED
  )
  UPDATE budget_charges c SET charged_at = coalesce(
      CASE WHEN s.ref LIKE 'r%' THEN (SELECT coalesce(r.accepted_at, r.failed_at) FROM delivery_recipients r
        WHERE r.run_no = split_part(substr(s.ref, 2), '.', 1)::bigint AND r.seq = split_part(s.ref, '.', 2)::integer)
      ELSE (SELECT coalesce(m.accepted_at, m.failed_at, m.occurred_at) FROM messages m WHERE m.id = split_part(substr(s.ref, 2), '.', 1)::uuid) END,
      s.month::timestamp AT TIME ZONE 'UTC')
    FROM slice s WHERE c.ref = s.ref;
  UPDATE rollup_backfill SET place = last_ref, rows_done = rows_done + p_rows WHERE source = 'charges';
  RETURN true;
END $$;
--> statement-breakpoint
-- What is read: never behind the rows, whether or not the newest deltas are applied. Replies follow within a second or two.
CREATE VIEW message_rollups_now WITH (security_invoker = true) AS
  SELECT workspace_id, quarter, channel_id, campaign_id, template_id, author, direction, sent, delivered, read, failed, received, replied, clicked,
    cost FROM message_rollups
  UNION ALL SELECT workspace_id, quarter, channel_id, campaign_id, template_id, author, direction, sent, delivered, read, failed, received,
    replied, clicked, cost FROM message_rollup_deltas;
--> statement-breakpoint
CREATE VIEW inbox_rollups_now WITH (security_invoker = true) AS SELECT * FROM inbox_rollups UNION ALL SELECT * FROM inbox_rollup_deltas;
--> statement-breakpoint
CREATE VIEW contact_rollups_now WITH (security_invoker = true) AS SELECT * FROM contact_rollups UNION ALL SELECT * FROM contact_rollup_deltas;
