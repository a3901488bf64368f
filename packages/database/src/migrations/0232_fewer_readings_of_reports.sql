-- As in 0231, with fewer readings of each batch: most reports say one thing that nobody knew.
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
    -- Each time as recipient_times says it, where it is another one now. Most reports say one thing that nobody knew.
    SELECT least(delivered_at, read_at) AS at, 0 AS sent, 1 AS delivered, 0 AS read, 0 AS failed FROM new
    WHERE seq < live AND (state <> 2 OR least(delivered_at, read_at) IS DISTINCT FROM least(was_delivered, was_read))
    UNION ALL
    SELECT read_at, 0, 0, 1, 0 FROM new WHERE seq < live AND read_at IS NOT NULL AND (state <> 2 OR read_at IS DISTINCT FROM was_read)
    UNION ALL
    SELECT e.at, e.sent, e.delivered, e.read, e.failed FROM new CROSS JOIN LATERAL (VALUES
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
