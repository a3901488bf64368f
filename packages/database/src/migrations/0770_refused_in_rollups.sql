-- Messages that the platform refused: they failed and were never sent. Of what was tried, sent and refused, a delivery rate and a share of failures is made
-- (docs/decisions/172-rates-of-what-was-tried.md).
ALTER TABLE message_rollups ADD COLUMN refused bigint NOT NULL DEFAULT 0;
--> statement-breakpoint
ALTER TABLE message_rollup_deltas ADD COLUMN refused bigint NOT NULL DEFAULT 0;
--> statement-breakpoint
ALTER TABLE message_rollup_sums ADD COLUMN refused bigint NOT NULL DEFAULT 0;
--> statement-breakpoint
ALTER TABLE country_rollups ADD COLUMN refused bigint NOT NULL DEFAULT 0;
--> statement-breakpoint
ALTER TABLE country_rollup_sums ADD COLUMN refused bigint NOT NULL DEFAULT 0;
--> statement-breakpoint
CREATE OR REPLACE VIEW message_rollups_now WITH (security_invoker = true) AS
  SELECT workspace_id, quarter, channel_id, campaign_id, template_id, author, direction, sent, delivered, read, failed, received, replied, clicked,
    cost, refused FROM message_rollups
  UNION ALL SELECT workspace_id, quarter, channel_id, campaign_id, template_id, author, direction, sent, delivered, read, failed, received,
    replied, clicked, cost, refused FROM message_rollup_deltas;
--> statement-breakpoint
DROP FUNCTION message_times(messages);
--> statement-breakpoint
CREATE FUNCTION message_times(m messages) RETURNS TABLE (sent timestamptz, delivered timestamptz, read timestamptz, failed timestamptz,
  received timestamptz, replied timestamptz, refused timestamptz) LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN m.direction = 'out' AND m.state IS NULL THEN m.occurred_at WHEN m.state = 'accepted' THEN m.accepted_at END,
    CASE WHEN m.state = 'accepted' THEN least(m.delivered_at, m.read_at) END,
    CASE WHEN m.state = 'accepted' THEN m.read_at END,
    CASE WHEN m.state = 'refused' OR m.state = 'accepted' AND m.delivered_at IS NULL AND m.read_at IS NULL THEN m.failed_at END,
    CASE WHEN m.direction = 'in' THEN m.occurred_at END,
    CASE WHEN m.state = 'accepted' THEN m.replied_at END, CASE WHEN m.state = 'refused' THEN m.failed_at END
  WHERE is_said(m) AND m.purpose IS DISTINCT FROM 'test'
$$;
--> statement-breakpoint
DROP FUNCTION recipient_times(delivery_recipients);
--> statement-breakpoint
CREATE FUNCTION recipient_times(r delivery_recipients) RETURNS TABLE (sent timestamptz, delivered timestamptz, read timestamptz,
  failed timestamptz, replied timestamptz, refused timestamptz) LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN r.state = 2 THEN r.accepted_at END,
    CASE WHEN r.state = 2 THEN least(r.delivered_at, r.read_at) END,
    CASE WHEN r.state = 2 THEN r.read_at END,
    CASE WHEN r.state = 3 OR r.state = 2 AND r.delivered_at IS NULL AND r.read_at IS NULL THEN r.failed_at END,
    CASE WHEN r.state = 2 THEN r.replied_at END, CASE WHEN r.state = 3 THEN r.failed_at END
$$;
--> statement-breakpoint
-- The functions below are as before, with what was refused.
CREATE OR REPLACE FUNCTION sum_up_rollups() RETURNS trigger LANGUAGE plpgsql SET jit = off AS $$
BEGIN
  EXECUTE format($sums$
    INSERT INTO message_rollup_sums AS s
    SELECT * FROM (
      SELECT r.workspace_id, l.level, l.channel_id, l.at, l.id, sum(r.one * r.sent) AS sent,
        coalesce(sum(r.one * r.sent) FILTER (WHERE r.author <> 'app'), 0) AS reported, sum(r.one * r.delivered) AS delivered,
        sum(r.one * r.read) AS read, sum(r.one * r.failed) AS failed, sum(r.one * r.received) AS received, sum(r.one * r.replied) AS replied,
        sum(r.one * r.clicked) AS clicked, sum(r.one * r.cost) AS cost,
        sum(r.one * r.refused) AS refused
      FROM (%s) AS r CROSS JOIN LATERAL rollup_levels(r.quarter, r.channel_id, r.campaign_id, r.template_id) AS l
      GROUP BY 1, 2, 3, 4, 5) AS n
    WHERE (sent, reported, delivered, read, failed, received, replied, clicked, cost, refused) <> (0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
    -- In one order, so that no two writers wait for each other.
    ORDER BY 1, 2, 3, 4, 5
    ON CONFLICT (workspace_id, level, channel_id, at, id) DO UPDATE SET sent = s.sent + excluded.sent, reported = s.reported + excluded.reported,
      delivered = s.delivered + excluded.delivered, read = s.read + excluded.read, failed = s.failed + excluded.failed,
      received = s.received + excluded.received, replied = s.replied + excluded.replied, clicked = s.clicked + excluded.clicked,
      cost = s.cost + excluded.cost, refused = s.refused + excluded.refused $sums$,
    'SELECT 1 AS one, n.* FROM new_rows n' || CASE TG_OP WHEN 'UPDATE' THEN ' UNION ALL SELECT -1, o.* FROM old_rows o' ELSE '' END);
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION sum_up_country_rollups() RETURNS trigger LANGUAGE plpgsql SET jit = off AS $$
BEGIN
  EXECUTE format($sums$
    INSERT INTO country_rollup_sums AS s
    SELECT * FROM (
      SELECT r.workspace_id, r.country, c.channel_id, day_of(r.quarter) AS at, sum(r.one * r.sent) AS sent, sum(r.one * r.reported) AS reported,
        sum(r.one * r.delivered) AS delivered, sum(r.one * r.read) AS read, sum(r.one * r.failed) AS failed, sum(r.one * r.received) AS received,
        sum(r.one * r.replied) AS replied, sum(r.one * r.refused) AS refused
      FROM (%s) AS r CROSS JOIN LATERAL (VALUES (NULL::uuid), (r.channel_id)) AS c (channel_id) GROUP BY 1, 2, 3, 4) AS n
    WHERE (sent, reported, delivered, read, failed, received, replied, refused) <> (0, 0, 0, 0, 0, 0, 0, 0)
    -- In one order, so that no two writers wait for each other.
    ORDER BY 1, 2, 3, 4
    ON CONFLICT (workspace_id, country, channel_id, at) DO UPDATE SET sent = s.sent + excluded.sent, reported = s.reported + excluded.reported,
      delivered = s.delivered + excluded.delivered, read = s.read + excluded.read, failed = s.failed + excluded.failed,
      received = s.received + excluded.received, replied = s.replied + excluded.replied, refused = s.refused + excluded.refused $sums$,
    'SELECT 1 AS one, n.* FROM new_rows n' || CASE TG_OP WHEN 'UPDATE' THEN ' UNION ALL SELECT -1, o.* FROM old_rows o' ELSE '' END);
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION roll_up_new_messages() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT counts_rollups() THEN RETURN NULL; END IF;
  IF NOT EXISTS (SELECT FROM new_rows WHERE direction = 'in' OR state IS NULL OR state IN ('accepted', 'refused')) THEN RETURN NULL; END IF;
  INSERT INTO message_rollup_deltas (workspace_id, channel_id, template_id, author, direction, country, quarter, sent, delivered, read,
    failed, received, replied, refused)
  SELECT m.workspace_id, m.channel_id, message_template(m), message_author(m), m.direction, m.country, quarter_of(e.at),
    sum(e.sent), sum(e.delivered), sum(e.read), sum(e.failed), sum(e.received), sum(e.replied), sum(e.refused)
  FROM new_rows AS m CROSS JOIN LATERAL message_times(m) AS t CROSS JOIN LATERAL (VALUES (t.sent, 1, 0, 0, 0, 0, 0, 0),
    (t.delivered, 0, 1, 0, 0, 0, 0, 0), (t.read, 0, 0, 1, 0, 0, 0, 0), (t.failed, 0, 0, 0, 1, 0, 0, 0), (t.received, 0, 0, 0, 0, 1, 0, 0),
    (t.replied, 0, 0, 0, 0, 0, 1, 0), (t.refused, 0, 0, 0, 0, 0, 0, 1)) AS e (at, sent, delivered, read, failed, received, replied, refused)
  WHERE e.at IS NOT NULL AND is_rolled_up(m.id, m.received_at)
  GROUP BY 1, 2, 3, 4, 5, 6, 7;
  INSERT INTO reply_checks (workspace_id, of_runs, message_id)
  SELECT m.workspace_id, k.of_runs, m.id FROM new_rows AS m CROSS JOIN (VALUES (true), (false)) AS k (of_runs)
  WHERE is_said(m) AND (m.direction = 'in' OR NOT k.of_runs AND m.state = 'accepted' AND coalesce(m.delivered_at, m.read_at) IS NOT NULL);
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION backfill_messages(p_lock bigint, p_rows integer) RETURNS boolean LANGUAGE plpgsql SET jit = off AS $$
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
    received, replied, refused)
  SELECT m.workspace_id, m.channel_id, message_template(m), message_author(m), m.direction, quarter_of(e.at),
    sum(e.sent), sum(e.delivered), sum(e.read), sum(e.failed), sum(e.received), sum(e.replied), sum(e.refused)
  FROM messages AS m CROSS JOIN LATERAL message_times(m) AS t CROSS JOIN LATERAL (VALUES (t.sent, 1, 0, 0, 0, 0, 0, 0),
    (t.delivered, 0, 1, 0, 0, 0, 0, 0), (t.read, 0, 0, 1, 0, 0, 0, 0), (t.failed, 0, 0, 0, 1, 0, 0, 0), (t.received, 0, 0, 0, 0, 1, 0, 0),
    (t.replied, 0, 0, 0, 0, 0, 1, 0), (t.refused, 0, 0, 0, 0, 0, 0, 1)) AS e (at, sent, delivered, read, failed, received, replied, refused)
  WHERE m.id = ANY (old_ids) AND e.at IS NOT NULL
  GROUP BY 1, 2, 3, 4, 5, 6;
  UPDATE rollup_backfill SET place = ids[1]::text, rows_done = rows_done + cardinality(ids) WHERE source = 'messages';
  RETURN true;
END $$;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION count_message_countries(p_ids uuid[]) RETURNS void LANGUAGE plpgsql SET jit = off AS $$
BEGIN
  WITH locked AS MATERIALIZED (
    SELECT m AS itself, m.id, m.contact_id FROM messages m WHERE m.id = ANY (p_ids) AND m.country IS NULL AND m.contact_id IS NOT NULL
     ORDER BY m.id FOR NO KEY UPDATE
  ), known AS MATERIALIZED (
    SELECT l.itself, l.id, country_of_number(c.phone) AS country FROM locked l JOIN contacts c ON c.id = l.contact_id
  ), written AS (
    UPDATE messages m SET country = k.country FROM known k WHERE m.id = ANY (p_ids) AND m.id = k.id AND k.country IS NOT NULL
  )
  INSERT INTO country_rollups AS c
  SELECT (k.itself).workspace_id, k.country, quarter_of(e.at), (k.itself).channel_id, NULL, message_template(k.itself), sum(e.sent),
    coalesce(sum(e.sent) FILTER (WHERE message_author(k.itself) <> 'app'), 0), sum(e.delivered), sum(e.read), sum(e.failed), sum(e.received),
    sum(e.replied), sum(e.refused)
  FROM known k CROSS JOIN LATERAL message_times(k.itself) AS t CROSS JOIN LATERAL (VALUES (t.sent, 1, 0, 0, 0, 0, 0, 0),
    (t.delivered, 0, 1, 0, 0, 0, 0, 0), (t.read, 0, 0, 1, 0, 0, 0, 0), (t.failed, 0, 0, 0, 1, 0, 0, 0), (t.received, 0, 0, 0, 0, 1, 0, 0),
    (t.replied, 0, 0, 0, 0, 0, 1, 0), (t.refused, 0, 0, 0, 0, 0, 0, 1)) AS e (at, sent, delivered, read, failed, received, replied, refused)
  WHERE e.at IS NOT NULL AND k.country IS NOT NULL GROUP BY 1, 2, 3, 4, 6
  ON CONFLICT (workspace_id, country, quarter, channel_id, campaign_id, template_id) DO UPDATE SET sent = c.sent + excluded.sent,
    reported = c.reported + excluded.reported, delivered = c.delivered + excluded.delivered, read = c.read + excluded.read,
    failed = c.failed + excluded.failed, received = c.received + excluded.received, replied = c.replied + excluded.replied, refused = c.refused + excluded.refused;
END $$;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION roll_up_changed_message() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT counts_rollups() OR NOT is_rolled_up(NEW.id, NEW.received_at) THEN RETURN NULL; END IF;
  INSERT INTO message_rollup_deltas (workspace_id, channel_id, template_id, author, direction, country, quarter, sent, delivered, read,
    failed, received, replied, refused)
  SELECT NEW.workspace_id, NEW.channel_id, message_template(NEW), message_author(NEW), NEW.direction, NEW.country, c.*
  FROM (
    SELECT quarter_of(e.at), sum(one * e.sent), sum(one * e.delivered), sum(one * e.read), sum(one * e.failed), sum(one * e.received),
      sum(one * e.replied), sum(one * e.refused)
    FROM (SELECT -1 AS one, o.* FROM message_times(OLD) AS o UNION ALL SELECT 1, n.* FROM message_times(NEW) AS n) AS t
    CROSS JOIN LATERAL (VALUES (t.sent, 1, 0, 0, 0, 0, 0, 0), (t.delivered, 0, 1, 0, 0, 0, 0, 0), (t.read, 0, 0, 1, 0, 0, 0, 0),
      (t.failed, 0, 0, 0, 1, 0, 0, 0), (t.received, 0, 0, 0, 0, 1, 0, 0), (t.replied, 0, 0, 0, 0, 0, 1, 0), (t.refused, 0, 0, 0, 0, 0, 0, 1))
      AS e (at, sent, delivered, read, failed, received, replied, refused)
    WHERE e.at IS NOT NULL GROUP BY 1
  ) AS c (quarter, sent, delivered, read, failed, received, replied, refused)
  WHERE (c.sent, c.delivered, c.read, c.failed, c.received, c.replied, c.refused) <> (0, 0, 0, 0, 0, 0, 0);
  IF least(NEW.delivered_at, NEW.read_at) IS DISTINCT FROM least(OLD.delivered_at, OLD.read_at) AND NEW.state = 'accepted' THEN
    INSERT INTO reply_checks (workspace_id, of_runs, message_id) VALUES (NEW.workspace_id, false, NEW.id);
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
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
  counted_below integer;
  late timestamptz := now() - interval '5 minutes';
BEGIN
  SELECT * INTO run FROM delivery_runs WHERE run_no = p_run;
  live := run.rolled_up_below;
  counted_below := run.countries_below;
  -- While its past is being counted: behind the slice that is under way, and before the next one.
  IF live < 2147483647 THEN SELECT rolled_up_below INTO live FROM delivery_runs WHERE run_no = p_run FOR KEY SHARE; END IF;
  IF counted_below < 2147483647 THEN SELECT countries_below INTO counted_below FROM delivery_runs WHERE run_no = p_run FOR KEY SHARE; END IF;
  WITH input AS MATERIALIZED (
    SELECT seq, message_id, to_timestamp(sent / 1000) AS sent, to_timestamp(delivered / 1000) AS delivered,
      to_timestamp(read / 1000) AS read, to_timestamp(failed / 1000) AS failed, code, detail
    FROM unnest(p_seqs, p_message_ids, p_sent, p_delivered, p_read, p_failed, p_codes, p_details)
      AS i(seq, message_id, sent, delivered, read, failed, code, detail)
  ), found AS MATERIALIZED (
    SELECT seq, state, accepted_at, sent_at, delivered_at, read_at, failed_at, variant, address FROM delivery_recipients
    WHERE run_no = p_run AND seq = ANY(p_seqs) AND workspace_id = p_workspace ORDER BY seq FOR UPDATE
  ), known AS MATERIALIZED (
    SELECT i.*, f.state, f.accepted_at AS was_accepted, f.sent_at AS was_sent, f.delivered_at AS was_delivered,
      f.read_at AS was_read, f.failed_at AS refused_at, CASE WHEN f.state = 2 THEN f.failed_at END AS was_failed,
      run_template(run, f.variant) AS template_id, CASE WHEN i.seq < counted_below THEN country_of_number(f.address) END AS country
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
    SELECT least(delivered_at, read_at) AS at, 0 AS sent, 1 AS delivered, 0 AS read, 0 AS failed, 0 AS refused, template_id, country FROM new
    WHERE seq < live AND (state <> 2 OR least(delivered_at, read_at) IS DISTINCT FROM least(was_delivered, was_read))
    UNION ALL
    SELECT read_at, 0, 0, 1, 0, 0, template_id, country FROM new WHERE seq < live AND read_at IS NOT NULL AND (state <> 2 OR read_at IS DISTINCT FROM was_read)
    UNION ALL
    SELECT e.at, e.sent, e.delivered, e.read, e.failed, e.refused, template_id, country FROM new CROSS JOIN LATERAL (VALUES
      (CASE WHEN state <> 2 THEN accepted_at END, 1, 0, 0, 0, 0),
      (CASE WHEN state = 2 AND least(delivered_at, read_at) < least(was_delivered, was_read) THEN least(was_delivered, was_read) END, 0, -1, 0, 0, 0),
      (CASE WHEN state = 2 AND read_at < was_read THEN was_read END, 0, 0, -1, 0, 0),
      (CASE WHEN coalesce(delivered_at, read_at) IS NULL THEN failed_at END, 0, 0, 0, 1, 0),
      (CASE WHEN state = 3 THEN refused_at WHEN coalesce(was_delivered, was_read) IS NULL THEN was_failed END, 0, 0, 0, -1, -(state = 3)::integer))
      AS e (at, sent, delivered, read, failed, refused)
    WHERE e.at IS NOT NULL AND seq < live AND (state <> 2 OR failed_at IS NOT NULL
      OR least(delivered_at, read_at) < least(was_delivered, was_read) OR read_at < was_read)
  ), rolled_up AS (
    INSERT INTO message_rollup_deltas (run_no, workspace_id, channel_id, campaign_id, template_id, author, direction, country, quarter, sent,
      delivered, read, failed, refused, delivered_from)
    SELECT p_run, run.workspace_id, run.channel_id, run.campaign_id, template_id, 'campaign', 'out', country, quarter_of(at), sum(sent),
      sum(delivered), sum(read), sum(failed), sum(refused), min(at) FILTER (WHERE delivered > 0 AND at >= late)
    FROM moves WHERE at IS NOT NULL GROUP BY quarter_of(at), template_id, country
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
  counted_below integer;
BEGIN
  -- Held until the commit: a new owner of the run waits for this write, or this write sees the new owner.
  SELECT * INTO run FROM delivery_runs WHERE run_no = p_run AND owner = p_owner AND epoch = p_epoch FOR KEY SHARE;
  IF NOT FOUND THEN RETURN; END IF;
  p_workspace := run.workspace_id;
  p_channel := run.channel_id;
  p_campaign := run.campaign_id;
  live := run.rolled_up_below;
  counted_below := run.countries_below;
  -- Before the recipients, as every claim does.
  IF p_give_back IS NOT NULL THEN
    PERFORM FROM delivery_usage WHERE workspace_id = p_workspace AND day = ANY(p_give_back) ORDER BY day FOR UPDATE;
  END IF;
  WITH known AS MATERIALIZED (
    SELECT seq, state, attempt, variant, address FROM delivery_recipients
    WHERE run_no = p_run AND seq = ANY(p_seqs) ORDER BY seq FOR UPDATE
  ), won AS MATERIALIZED (
    SELECT i.seq, i.attempt, i.state, i.is_released, to_timestamp(i.at_ms / 1000) AS at, i.message_id, i.code, i.detail,
      to_timestamp(i.not_before_ms / 1000) AS not_before, i.give_back, run_template(run, k.variant) AS template_id,
      CASE WHEN k.seq < counted_below THEN country_of_number(k.address) END AS country
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
    INSERT INTO message_rollup_deltas (workspace_id, channel_id, campaign_id, template_id, author, direction, country, quarter, sent, failed, refused)
    SELECT p_workspace, p_channel, p_campaign, w.template_id, 'campaign', 'out', w.country, quarter_of(w.at), count(*) FILTER (WHERE w.state = 2),
      count(*) FILTER (WHERE w.state = 3), count(*) FILTER (WHERE w.state = 3)
    FROM won w WHERE w.state IN (2, 3) AND w.seq < live GROUP BY 4, 7, 8
  )
  INSERT INTO delivery_deltas (run_no, workspace_id, channel_id, hour, accepted, refused, cancelled, unknown)
  SELECT p_run, p_workspace, p_channel, date_trunc('hour', w.at, 'UTC'), count(*) FILTER (WHERE w.state = 2),
    count(*) FILTER (WHERE w.state = 3), count(*) FILTER (WHERE w.state = 4), count(*) FILTER (WHERE w.state = 5)
  FROM won w WHERE w.state <> 6 GROUP BY 4;
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
    SELECT r.seq, run_template(run, r.variant) AS template_id, t.*,
      CASE WHEN r.seq < run.countries_below THEN country_of_number(r.address) END AS country, r.replied_at, CASE WHEN t.delivered IS NOT NULL AND r.contact_id IS NOT NULL
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
    INSERT INTO message_rollup_deltas (workspace_id, channel_id, campaign_id, template_id, author, direction, country, quarter, sent, delivered,
      read, failed, replied, refused)
    SELECT run.workspace_id, run.channel_id, run.campaign_id, s.template_id, 'campaign', 'out', s.country, quarter_of(e.at), sum(e.sent),
      sum(e.delivered), sum(e.read), sum(e.failed), sum(e.replied), sum(e.refused)
    FROM slice s CROSS JOIN LATERAL (VALUES (s.sent, 1, 0, 0, 0, 0, 0), (s.delivered, 0, 1, 0, 0, 0, 0), (s.read, 0, 0, 1, 0, 0, 0),
      (s.failed, 0, 0, 0, 1, 0, 0), (s.is_replied, 0, 0, 0, 0, 1, 0), (s.refused, 0, 0, 0, 0, 0, 1)) AS e (at, sent, delivered, read, failed, replied, refused)
    WHERE e.at IS NOT NULL GROUP BY 4, 7, 8
  ) SELECT count(*) INTO done FROM slice;
  UPDATE delivery_runs SET rolled_up_below = until WHERE run_no = run.run_no;
  UPDATE rollup_backfill SET rows_done = rows_done + done WHERE source = 'runs';
  RETURN true;
END $$;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION backfill_run_countries(p_lock bigint, p_rows integer) RETURNS boolean LANGUAGE plpgsql
  SET enable_nestloop = off SET enable_mergejoin = off SET jit = off SET lock_timeout = '500ms' AS $$
DECLARE
  run delivery_runs;
  until integer;
  done bigint;
BEGIN
  PERFORM pg_advisory_xact_lock(p_lock);
  SELECT * INTO run FROM delivery_runs WHERE countries_below < 2147483647 AND rolled_up_below = 2147483647 ORDER BY run_no DESC LIMIT 1 FOR UPDATE;
  IF NOT FOUND THEN
    UPDATE rollup_backfill SET finished_at = now() WHERE source = 'run_countries' AND finished_at IS NULL
      AND NOT EXISTS (SELECT FROM delivery_runs WHERE countries_below < 2147483647);
    RETURN false;
  END IF;
  until := CASE WHEN run.total - run.countries_below > p_rows THEN run.countries_below + p_rows ELSE 2147483647 END;
  WITH slice AS MATERIALIZED (
    SELECT country_of_number(r.address) AS country, run_template(run, r.variant) AS template_id, t.*
    FROM delivery_recipients r CROSS JOIN LATERAL recipient_times(r) AS t
    WHERE r.run_no = run.run_no AND r.seq >= run.countries_below AND r.seq < until
  ), added AS (
    INSERT INTO country_rollups AS c
    SELECT run.workspace_id, s.country, quarter_of(e.at), run.channel_id, run.campaign_id, s.template_id, sum(e.sent), sum(e.sent), sum(e.delivered),
      sum(e.read), sum(e.failed), 0, sum(e.replied), sum(e.refused)
    FROM slice s CROSS JOIN LATERAL (VALUES (s.sent, 1, 0, 0, 0, 0, 0), (s.delivered, 0, 1, 0, 0, 0, 0), (s.read, 0, 0, 1, 0, 0, 0),
      (s.failed, 0, 0, 0, 1, 0, 0), (s.replied, 0, 0, 0, 0, 1, 0), (s.refused, 0, 0, 0, 0, 0, 1)) AS e (at, sent, delivered, read, failed, replied, refused)
    WHERE e.at IS NOT NULL AND s.country IS NOT NULL GROUP BY 2, 3, 6
    ON CONFLICT (workspace_id, country, quarter, channel_id, campaign_id, template_id) DO UPDATE SET sent = c.sent + excluded.sent,
      reported = c.reported + excluded.reported, delivered = c.delivered + excluded.delivered, read = c.read + excluded.read,
      failed = c.failed + excluded.failed, received = c.received + excluded.received, replied = c.replied + excluded.replied, refused = c.refused + excluded.refused
  ) SELECT count(*) INTO done FROM slice;
  UPDATE delivery_runs SET countries_below = until WHERE run_no = run.run_no;
  UPDATE rollup_backfill SET rows_done = rows_done + done WHERE source = 'run_countries';
  RETURN true;
EXCEPTION WHEN lock_not_available THEN
  RETURN true;
END $$;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION apply_rollups(p_lock bigint) RETURNS boolean LANGUAGE plpgsql SET lock_timeout = '500ms' AS $$
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
EXCEPTION WHEN lock_not_available THEN
  RETURN false;
END $$;
--> statement-breakpoint
-- Counts what the platform refused before there was this count, as far as it is stored: of one workspace, or of all. Deltas of no country add to no rollups by
-- country, which get their own.
CREATE FUNCTION count_refused(p_workspace uuid) RETURNS void LANGUAGE plpgsql SET jit = off AS $$
BEGIN
  INSERT INTO message_rollup_deltas (workspace_id, channel_id, campaign_id, template_id, author, direction, quarter, refused)
  SELECT d.workspace_id, d.channel_id, d.campaign_id, run_template(d, r.variant), 'campaign', 'out', quarter_of(r.failed_at), count(*)
  FROM delivery_recipients r JOIN delivery_runs d ON d.run_no = r.run_no
  WHERE r.failed_at IS NOT NULL AND r.state = 3 AND r.seq < d.rolled_up_below AND (p_workspace IS NULL OR r.workspace_id = p_workspace)
  GROUP BY 1, 2, 3, 4, 7;
  INSERT INTO message_rollup_deltas (workspace_id, channel_id, template_id, author, direction, quarter, refused)
  SELECT m.workspace_id, m.channel_id, message_template(m), message_author(m), m.direction, quarter_of(t.refused), count(*)
  FROM messages m CROSS JOIN LATERAL message_times(m) AS t
  WHERE m.failed_at IS NOT NULL AND t.refused IS NOT NULL AND is_rolled_up(m.id, m.received_at) AND (p_workspace IS NULL OR m.workspace_id = p_workspace)
  GROUP BY 1, 2, 3, 4, 5, 6;
  INSERT INTO country_rollups AS c (workspace_id, country, quarter, channel_id, campaign_id, template_id, sent, reported, delivered, read, failed, received,
    replied, refused)
  SELECT workspace_id, country, quarter_of(at), channel_id, campaign_id, template_id, 0, 0, 0, 0, 0, 0, 0, count(*) FROM (
    SELECT d.workspace_id, country_of_number(r.address) AS country, r.failed_at AS at, d.channel_id, d.campaign_id, run_template(d, r.variant) AS template_id
    FROM delivery_recipients r JOIN delivery_runs d ON d.run_no = r.run_no
    WHERE r.failed_at IS NOT NULL AND r.state = 3 AND r.seq < d.countries_below AND (p_workspace IS NULL OR r.workspace_id = p_workspace)
    UNION ALL
    SELECT m.workspace_id, m.country, t.refused, m.channel_id, NULL, message_template(m) FROM messages m CROSS JOIN LATERAL message_times(m) AS t
    WHERE m.failed_at IS NOT NULL AND t.refused IS NOT NULL AND (p_workspace IS NULL OR m.workspace_id = p_workspace)) AS p
  WHERE country IS NOT NULL GROUP BY 1, 2, 3, 4, 5, 6
  ON CONFLICT (workspace_id, country, quarter, channel_id, campaign_id, template_id) DO UPDATE SET refused = c.refused + excluded.refused;
END $$;
--> statement-breakpoint
SELECT count_refused(NULL);
