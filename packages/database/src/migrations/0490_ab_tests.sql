-- A/B tests: the variants of a campaign in one run (docs/decisions/132-variants-in-one-run.md).
-- The rule and the variants from the second on; the first is the message of the campaign itself.
ALTER TABLE campaigns ADD COLUMN ab_test jsonb;
--> statement-breakpoint
-- The plan as it was when sending began, and how the test ended.
ALTER TABLE campaigns ADD COLUMN ab_result jsonb;
--> statement-breakpoint
CREATE INDEX campaigns_testing ON campaigns (id) WHERE ab_test IS NOT NULL AND run_no IS NOT NULL AND ab_result->'verdict' IS NULL;
--> statement-breakpoint
-- Which variant a recipient gets, from 0; null without a test, and for those who get the winner.
ALTER TABLE delivery_recipients ADD COLUMN variant smallint;
--> statement-breakpoint
-- split: how variants were assigned. claim_upto: who comes behind waits for the end of the test; null when nobody does. winner: what those get.
-- variant_templates: those of the variants from the second on, null for one that is no template.
ALTER TABLE delivery_runs ADD COLUMN split jsonb, ADD COLUMN claim_upto integer, ADD COLUMN winner smallint, ADD COLUMN variant_templates uuid[];
--> statement-breakpoint
-- The template that a recipient of a run got.
CREATE FUNCTION run_template(run delivery_runs, variant smallint) RETURNS uuid LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN run.variant_templates IS NULL OR coalesce(variant, run.winner, 0) = 0 THEN run.template_id
    ELSE run.variant_templates[coalesce(variant, run.winner)] END
$$;
--> statement-breakpoint
-- The five functions that count what happens to recipients are as before, by the template of each recipient.
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
    SELECT seq, state, accepted_at, sent_at, delivered_at, read_at, failed_at, variant FROM delivery_recipients
    WHERE run_no = p_run AND seq = ANY(p_seqs) AND workspace_id = p_workspace ORDER BY seq FOR UPDATE
  ), known AS MATERIALIZED (
    SELECT i.*, f.state, f.accepted_at AS was_accepted, f.sent_at AS was_sent, f.delivered_at AS was_delivered,
      f.read_at AS was_read, f.failed_at AS refused_at, CASE WHEN f.state = 2 THEN f.failed_at END AS was_failed,
      run_template(run, f.variant) AS template_id
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
    -- Each time as recipient_times says it, where it is another one now. Most reports say one thing that nobody knew.
    SELECT least(delivered_at, read_at) AS at, 0 AS sent, 1 AS delivered, 0 AS read, 0 AS failed, template_id FROM new
    WHERE seq < live AND (state <> 2 OR least(delivered_at, read_at) IS DISTINCT FROM least(was_delivered, was_read))
    UNION ALL
    SELECT read_at, 0, 0, 1, 0, template_id FROM new WHERE seq < live AND read_at IS NOT NULL AND (state <> 2 OR read_at IS DISTINCT FROM was_read)
    UNION ALL
    SELECT e.at, e.sent, e.delivered, e.read, e.failed, template_id FROM new CROSS JOIN LATERAL (VALUES
      (CASE WHEN state <> 2 THEN accepted_at END, 1, 0, 0, 0),
      (CASE WHEN state = 2 AND least(delivered_at, read_at) < least(was_delivered, was_read) THEN least(was_delivered, was_read) END, 0, -1, 0, 0),
      (CASE WHEN state = 2 AND read_at < was_read THEN was_read END, 0, 0, -1, 0),
      (CASE WHEN coalesce(delivered_at, read_at) IS NULL THEN failed_at END, 0, 0, 0, 1),
      (CASE WHEN state = 3 THEN refused_at WHEN coalesce(was_delivered, was_read) IS NULL THEN was_failed END, 0, 0, 0, -1))
      AS e (at, sent, delivered, read, failed)
    WHERE e.at IS NOT NULL AND seq < live AND (state <> 2 OR failed_at IS NOT NULL
      OR least(delivered_at, read_at) < least(was_delivered, was_read) OR read_at < was_read)
  ), rolled_up AS (
    INSERT INTO message_rollup_deltas (run_no, workspace_id, channel_id, campaign_id, template_id, author, direction, quarter, sent, delivered,
      read, failed, delivered_from)
    SELECT p_run, run.workspace_id, run.channel_id, run.campaign_id, template_id, 'campaign', 'out', quarter_of(at), sum(sent),
      sum(delivered), sum(read), sum(failed), min(at) FILTER (WHERE delivered > 0 AND at >= late)
    FROM moves WHERE at IS NOT NULL GROUP BY quarter_of(at), template_id
  ), came_late AS (
    -- The contact may have replied long before this is known.
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
  run delivery_runs;
  p_workspace uuid;
  p_channel uuid;
  p_campaign uuid;
  live integer;
BEGIN
  -- Held until the commit: a new owner of the run waits for this write, or this write sees the new owner.
  SELECT * INTO run FROM delivery_runs WHERE run_no = p_run AND owner = p_owner AND epoch = p_epoch FOR KEY SHARE;
  IF NOT FOUND THEN RETURN; END IF;
  p_workspace := run.workspace_id;
  p_channel := run.channel_id;
  p_campaign := run.campaign_id;
  live := run.rolled_up_below;
  -- Before the recipients, as every claim does.
  IF p_give_back IS NOT NULL THEN
    PERFORM FROM delivery_usage WHERE workspace_id = p_workspace AND day = ANY(p_give_back) ORDER BY day FOR UPDATE;
  END IF;
  WITH known AS MATERIALIZED (
    SELECT seq, state, attempt, variant FROM delivery_recipients
    WHERE run_no = p_run AND seq = ANY(p_seqs) ORDER BY seq FOR UPDATE
  ), won AS MATERIALIZED (
    SELECT i.seq, i.attempt, i.state, i.is_released, to_timestamp(i.at_ms / 1000) AS at, i.message_id, i.code, i.detail,
      to_timestamp(i.not_before_ms / 1000) AS not_before, i.give_back, run_template(run, k.variant) AS template_id
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
    UPDATE delivery_usage u SET used = greatest(0, u.used - g.count),
      kinds = count_of_kind(u.kinds, (SELECT c.kind FROM channels c WHERE c.id = p_channel), -g.count)
    FROM (SELECT w.give_back AS day, count(*)::integer AS count FROM won w WHERE w.give_back IS NOT NULL GROUP BY 1) g
    WHERE u.workspace_id = p_workspace AND u.day = g.day
  ), rolled_up AS (
    INSERT INTO message_rollup_deltas (workspace_id, channel_id, campaign_id, template_id, author, direction, quarter, sent, failed)
    SELECT p_workspace, p_channel, p_campaign, w.template_id, 'campaign', 'out', quarter_of(w.at), count(*) FILTER (WHERE w.state = 2),
      count(*) FILTER (WHERE w.state = 3)
    FROM won w WHERE w.state IN (2, 3) AND w.seq < live GROUP BY 4, 7
  )
  INSERT INTO delivery_deltas (run_no, workspace_id, channel_id, hour, accepted, refused, cancelled, unknown)
  SELECT p_run, p_workspace, p_channel, date_trunc('hour', w.at, 'UTC'), count(*) FILTER (WHERE w.state = 2),
    count(*) FILTER (WHERE w.state = 3), count(*) FILTER (WHERE w.state = 4), count(*) FILTER (WHERE w.state = 5)
  FROM won w WHERE w.state <> 6 GROUP BY 4;
END $$;
--> statement-breakpoint
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
    SELECT run_no, unnest(seqs) FROM checks
    UNION
    SELECT r.run_no, r.seq FROM (SELECT run_no, workspace_id, min(since) AS since FROM checks WHERE since IS NOT NULL GROUP BY 1, 2) AS k
      JOIN delivery_runs d ON d.run_no = k.run_no
      JOIN conversations v ON v.workspace_id = k.workspace_id AND v.is_archived = ANY ('{true,false}'::boolean[])
       AND v.last_activity_at > k.since AND v.channel_id = d.channel_id
      JOIN delivery_recipients r ON r.contact_id = v.contact_id AND r.run_no = k.run_no AND r.state = 2
       AND least(r.delivered_at, r.read_at) >= k.since
  ), known AS MATERIALIZED (
    SELECT r.run_no, r.seq, r.contact_id, least(r.delivered_at, r.read_at) AS delivered, r.replied_at, r.variant
    FROM places p JOIN delivery_recipients r ON r.run_no = p.run_no AND r.seq = p.seq AND r.state = 2 ORDER BY r.run_no, r.seq FOR NO KEY UPDATE OF r
  ), found AS MATERIALIZED (
    SELECT k.run_no, k.seq, k.replied_at AS was, first_reply(k.contact_id, d.channel_id, k.delivered, k.replied_at) AS is,
      d.workspace_id, d.channel_id, d.campaign_id, run_template(d, k.variant) AS template_id
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
CREATE OR REPLACE FUNCTION backfill_runs(p_lock bigint, p_rows integer) RETURNS boolean LANGUAGE plpgsql
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
    SELECT r.seq, run_template(run, r.variant) AS template_id, t.*, r.replied_at, CASE WHEN t.delivered IS NOT NULL AND r.contact_id IS NOT NULL
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
    SELECT run.workspace_id, run.channel_id, run.campaign_id, s.template_id, 'campaign', 'out', quarter_of(e.at), sum(e.sent),
      sum(e.delivered), sum(e.read), sum(e.failed), sum(e.replied)
    FROM slice s CROSS JOIN LATERAL (VALUES (s.sent, 1, 0, 0, 0, 0), (s.delivered, 0, 1, 0, 0, 0), (s.read, 0, 0, 1, 0, 0),
      (s.failed, 0, 0, 0, 1, 0), (s.is_replied, 0, 0, 0, 0, 1)) AS e (at, sent, delivered, read, failed, replied)
    WHERE e.at IS NOT NULL GROUP BY 4, 7
  ) SELECT count(*) INTO done FROM slice;
  UPDATE delivery_runs SET rolled_up_below = until WHERE run_no = run.run_no;
  UPDATE rollup_backfill SET rows_done = rows_done + done WHERE source = 'runs';
  RETURN true;
END $$;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION add_charges(p_refs text[], p_amounts bigint[], p_at timestamptz[], p_workspaces uuid[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF p_refs IS NULL THEN RETURN; END IF;
  INSERT INTO message_rollup_deltas (workspace_id, channel_id, campaign_id, template_id, author, direction, quarter, cost)
  SELECT c.workspace_id, c.channel_id, c.campaign_id, c.template_id, 'campaign', 'out', c.quarter, c.cost FROM (
    SELECT r.workspace_id, r.channel_id, r.campaign_id, run_template(r, v.variant) AS template_id, u.quarter, sum(u.amount) AS cost
    FROM (SELECT split_part(substr(ref, 2), '.', 1)::bigint AS run_no, split_part(ref, '.', 2)::integer AS seq, workspace_id,
            quarter_of(at) AS quarter, amount FROM unnest(p_refs, p_amounts, p_at, p_workspaces) AS u (ref, amount, at, workspace_id)
          WHERE ref LIKE 'r%') AS u
    JOIN delivery_runs r ON r.run_no = u.run_no AND r.workspace_id = u.workspace_id
    LEFT JOIN LATERAL (SELECT x.variant FROM delivery_recipients x
      WHERE r.variant_templates IS NOT NULL AND x.run_no = r.run_no AND x.seq = u.seq OFFSET 0) AS v ON true
    GROUP BY 1, 2, 3, 4, 5) AS c WHERE c.cost <> 0
  UNION ALL
  SELECT m.workspace_id, m.channel_id, NULL, message_template(m), message_author(m), 'out', c.quarter, c.cost
  FROM (SELECT split_part(substr(ref, 2), '.', 1)::uuid AS id, workspace_id, quarter_of(at) AS quarter, sum(amount) AS cost
        FROM unnest(p_refs, p_amounts, p_at, p_workspaces) AS u (ref, amount, at, workspace_id) WHERE ref LIKE 'm%' GROUP BY 1, 2, 3) AS c
  JOIN messages m ON m.id = c.id AND m.workspace_id = c.workspace_id WHERE c.cost <> 0 AND m.purpose IS DISTINCT FROM 'test';
END $$;
--> statement-breakpoint
CREATE OR REPLACE VIEW campaigns_now WITH (security_invoker = true) AS
  SELECT c.id, c.workspace_id, c.name, c.kind, c.template_id, c.template_name, c.custom_message, c.variables, c.audience,
    c.audience_size, c.scheduled_at, c.quiet_hours, c.price_per_message, c.created_by, c.created_at, c.updated_at, c.version, c.run_no,
    CASE WHEN p.run_no IS NULL THEN c.status
      WHEN p.state IN ('ready', 'running') THEN CASE WHEN p.cancelled_at IS NULL THEN 'running' ELSE 'cancelled' END
      ELSE p.state END AS status,
    coalesce(p.pause_reason, c.pause_reason) AS pause_reason, p.pause_code, coalesce(p.pause_detail, c.pause_detail) AS pause_detail,
    p.started_at, p.completed_at,
    coalesce(p.total, 0) AS total,
    coalesce(p.total - p.accepted - p.refused - p.cancelled - p.unknown, 0) AS pending,
    coalesce(p.accepted - p.failed, 0) AS sent, coalesce(p.delivered, 0) AS delivered, coalesce(p.read, 0) AS read,
    coalesce(p.refused + p.failed, 0) AS failed, coalesce(p.cancelled, 0) AS cancelled, coalesce(p.unknown, 0) AS unknown,
    c.segments, c.price_currency, c.channel_id, p.held_until, c.in_contact_language,
    CASE WHEN p.held_until IS NOT NULL THEN
      greatest(0, ceil(1000 * extract(epoch FROM p.held_until - clock_timestamp())))::integer END AS held_for_ms,
    c.allow_missing_values, coalesce(p.excluded, 0) AS excluded, c.content_id, c.content_name, c.fallback, c.fallback_done_at, c.ab_test, c.ab_result
  FROM campaigns c LEFT JOIN delivery_progress p ON p.run_no = c.run_no;
