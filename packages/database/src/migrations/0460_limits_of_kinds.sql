-- Kinds of channels with limits of their own are counted beside the workspace, in the same row: one lock, and one statement for both.
-- Each kind that was counted has `used` and, once somebody was turned away, `fullAt` (see `full_at`).
ALTER TABLE delivery_usage ADD COLUMN kinds jsonb NOT NULL DEFAULT '{}';
--> statement-breakpoint
-- A kind that was never counted has nothing to give back.
CREATE FUNCTION count_of_kind(p_kinds jsonb, p_kind text, p_count integer) RETURNS jsonb LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN p_kind IS NULL OR (p_count < 0 AND NOT p_kinds ? p_kind) THEN p_kinds
    ELSE p_kinds || jsonb_build_object(p_kind, coalesce(p_kinds -> p_kind, '{}') || jsonb_build_object('used',
      greatest(0, coalesce((p_kinds #>> ARRAY[p_kind, 'used'])::integer, 0) + p_count))) END
$$;
--> statement-breakpoint
DROP TRIGGER announce_limit_change ON workspaces;
--> statement-breakpoint
CREATE TRIGGER announce_limit_change AFTER UPDATE ON workspaces FOR EACH ROW
  WHEN ((OLD.settings -> 'messageLimits', OLD.settings -> 'kindLimits', OLD.settings -> 'marketingPerWeek', OLD.settings -> 'budget', OLD.settings -> 'priceList')
    IS DISTINCT FROM (NEW.settings -> 'messageLimits', NEW.settings -> 'kindLimits', NEW.settings -> 'marketingPerWeek', NEW.settings -> 'budget', NEW.settings -> 'priceList'))
  EXECUTE FUNCTION announce_channel_change();
--> statement-breakpoint
-- What did not leave is given back to the kind, too.
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
    UPDATE delivery_usage u SET used = greatest(0, u.used - g.count),
      kinds = count_of_kind(u.kinds, (SELECT c.kind FROM channels c WHERE c.id = p_channel), -g.count)
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
