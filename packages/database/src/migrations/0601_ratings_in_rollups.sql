-- How contacts rated conversations, counted like first responses and resolutions, at the time when they were asked.
ALTER TABLE inbox_rollups ADD COLUMN asked bigint NOT NULL DEFAULT 0, ADD COLUMN rated_good bigint NOT NULL DEFAULT 0,
  ADD COLUMN rated_okay bigint NOT NULL DEFAULT 0, ADD COLUMN rated_bad bigint NOT NULL DEFAULT 0;
--> statement-breakpoint
ALTER TABLE inbox_rollup_deltas ADD COLUMN asked bigint NOT NULL DEFAULT 0, ADD COLUMN rated_good bigint NOT NULL DEFAULT 0,
  ADD COLUMN rated_okay bigint NOT NULL DEFAULT 0, ADD COLUMN rated_bad bigint NOT NULL DEFAULT 0;
--> statement-breakpoint
CREATE OR REPLACE VIEW inbox_rollups_now WITH (security_invoker = true) AS SELECT * FROM inbox_rollups UNION ALL SELECT * FROM inbox_rollup_deltas;
--> statement-breakpoint
-- What a round counts for, in the columns of inbox_rollups.
CREATE FUNCTION round_counts(r conversation_rounds) RETURNS TABLE (quarter timestamptz, agent_id uuid, first_responses integer,
  first_response_ms bigint, first_responses_in_time integer, first_responses_late integer, resolutions integer, resolution_ms bigint,
  resolutions_in_time integer, resolutions_late integer, asked integer, rated_good integer, rated_okay integer, rated_bad integer)
  LANGUAGE sql IMMUTABLE AS $$
  SELECT quarter_of(r.first_answered_at), r.first_answer_by, 1, (extract(epoch FROM r.first_answered_at - r.opened_at) * 1000)::bigint,
    (r.is_answered_in_time IS TRUE)::integer, (r.is_answered_in_time IS FALSE)::integer, 0, 0::bigint, 0, 0, 0, 0, 0, 0
    WHERE r.first_answered_at IS NOT NULL
  UNION ALL
  SELECT quarter_of(r.resolved_at), r.resolved_by, 0, 0, 0, 0, 1, (extract(epoch FROM r.resolved_at - r.opened_at) * 1000)::bigint,
    (r.is_resolved_in_time IS TRUE)::integer, (r.is_resolved_in_time IS FALSE)::integer, 0, 0, 0, 0
    WHERE r.resolved_at IS NOT NULL
  UNION ALL
  SELECT quarter_of(r.asked_at), r.resolved_by, 0, 0, 0, 0, 0, 0, 0, 0, 1, (r.rating IS NOT DISTINCT FROM 3)::integer,
    (r.rating IS NOT DISTINCT FROM 2)::integer, (r.rating IS NOT DISTINCT FROM 1)::integer
    WHERE r.asked_at IS NOT NULL
$$;
--> statement-breakpoint
-- As in 0230, with what was asked.
CREATE OR REPLACE FUNCTION roll_up_round() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT counts_rollups() THEN RETURN NULL; END IF;
  INSERT INTO inbox_rollup_deltas (workspace_id, quarter, channel_id, agent_id, team_id, first_responses, first_response_ms,
    first_responses_in_time, first_responses_late, resolutions, resolution_ms, resolutions_in_time, resolutions_late, asked, rated_good,
    rated_okay, rated_bad)
  SELECT workspace_id, quarter, channel_id, agent_id, team_id, sum(one * first_responses), sum(one * first_response_ms),
    sum(one * first_responses_in_time), sum(one * first_responses_late), sum(one * resolutions), sum(one * resolution_ms),
    sum(one * resolutions_in_time), sum(one * resolutions_late), sum(one * asked), sum(one * rated_good), sum(one * rated_okay),
    sum(one * rated_bad)
  FROM (SELECT 1 AS one, NEW.workspace_id, NEW.channel_id, NEW.team_id, n.* FROM round_counts(NEW) AS n
        UNION ALL SELECT -1, OLD.workspace_id, OLD.channel_id, OLD.team_id, o.* FROM round_counts(OLD) AS o WHERE TG_OP = 'UPDATE') AS changes
  GROUP BY 1, 2, 3, 4, 5;
  RETURN NULL;
END $$;
--> statement-breakpoint
DROP FUNCTION round_results(conversation_rounds);
--> statement-breakpoint
-- As in 0231, with what was asked.
CREATE OR REPLACE FUNCTION apply_rollups(p_lock bigint) RETURNS boolean LANGUAGE plpgsql AS $$
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
INSERT INTO inbox_rollups AS r (workspace_id, quarter, channel_id, agent_id, team_id, asked, rated_good, rated_okay, rated_bad)
  SELECT c.workspace_id, e.quarter, c.channel_id, e.agent_id, c.team_id, sum(e.asked), sum(e.rated_good), sum(e.rated_okay), sum(e.rated_bad)
  FROM conversation_rounds c CROSS JOIN LATERAL round_counts(c) AS e WHERE e.asked > 0 GROUP BY 1, 2, 3, 4, 5
  ON CONFLICT (workspace_id, quarter, channel_id, agent_id, team_id) DO UPDATE SET asked = r.asked + excluded.asked,
    rated_good = r.rated_good + excluded.rated_good, rated_okay = r.rated_okay + excluded.rated_okay, rated_bad = r.rated_bad + excluded.rated_bad;
