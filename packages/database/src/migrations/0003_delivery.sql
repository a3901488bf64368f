-- One row per started campaign. Its recipients [0, cursor) were handed to the sender named by owner and epoch;
-- [cursor, total) wait. Moving the cursor is therefore the one write that turns a slice into "sending".
CREATE TABLE delivery_runs (
  run_no bigint PRIMARY KEY,
  workspace_id uuid NOT NULL REFERENCES workspaces ON DELETE CASCADE,
  channel_id uuid NOT NULL REFERENCES channels ON DELETE CASCADE,
  campaign_id uuid NOT NULL UNIQUE,
  state text NOT NULL DEFAULT 'ready' CHECK (state IN ('ready', 'running', 'paused', 'completed', 'cancelled')),
  -- A word for the interface (operator, daily_limit, channel_stopped, template, ...), the platform's code and sentence with it.
  pause_reason text,
  pause_code text,
  pause_detail text,
  resume_at timestamptz,
  message jsonb NOT NULL,
  category text NOT NULL CHECK (category IN ('marketing', 'utility', 'service')),
  audience jsonb NOT NULL,
  -- Null while the rest of a large audience is still being frozen.
  frozen_at timestamptz,
  total integer NOT NULL DEFAULT 0,
  cursor integer NOT NULL DEFAULT 0,
  -- Every recipient below it has an outcome or a row in delivery_retries.
  low_water integer NOT NULL DEFAULT 0,
  owner text,
  epoch bigint NOT NULL DEFAULT 0,
  accepted integer NOT NULL DEFAULT 0,
  refused integer NOT NULL DEFAULT 0,
  cancelled integer NOT NULL DEFAULT 0,
  unknown integer NOT NULL DEFAULT 0,
  sent integer NOT NULL DEFAULT 0,
  delivered integer NOT NULL DEFAULT 0,
  read integer NOT NULL DEFAULT 0,
  failed integer NOT NULL DEFAULT 0,
  created_at timestamptz NOT NULL DEFAULT now(),
  started_at timestamptz,
  completed_at timestamptz
) WITH (fillfactor = 40);
--> statement-breakpoint
CREATE INDEX delivery_runs_unfinished ON delivery_runs (channel_id) WHERE completed_at IS NULL;
--> statement-breakpoint
SELECT guard_workspace('delivery_runs');
--> statement-breakpoint
-- Runs of fewer than 50,000 recipients share a partition per thousand runs; a large one has its own, to be dropped or moved whole.
CREATE SEQUENCE delivery_run_small MINVALUE 1;
--> statement-breakpoint
CREATE SEQUENCE delivery_run_large MINVALUE 1000000000000;
--> statement-breakpoint
-- The queue and the record of each recipient. No index on states or times, and room in each page, so that every
-- change of a row stays in its page (HOT). States: packages/domain/src/delivery/recipient-state.ts.
CREATE TABLE delivery_recipients (
  run_no bigint NOT NULL,
  seq integer NOT NULL,
  state smallint NOT NULL DEFAULT 0,
  -- How often this recipient was sent to; the first try is in flight while it is 0 and seq is below the run's cursor.
  attempt smallint NOT NULL DEFAULT 0,
  accepted_at timestamptz,
  -- As reported, each the earliest; read without delivered is normal.
  sent_at timestamptz,
  delivered_at timestamptz,
  read_at timestamptz,
  failed_at timestamptz,
  workspace_id uuid NOT NULL,
  contact_id uuid,
  address text NOT NULL,
  provider_message_id text,
  error_code text,
  error_detail text,
  PRIMARY KEY (run_no, seq)
) PARTITION BY RANGE (run_no, seq);
--> statement-breakpoint
CREATE INDEX delivery_recipients_contact ON delivery_recipients (contact_id);
--> statement-breakpoint
SELECT guard_workspace('delivery_recipients');
--> statement-breakpoint
-- Every status report that told something new, in order of arrival; the recipient's times and the counters derive from it.
-- Doubles are recognised under the recipient's row lock, so it needs no index.
CREATE TABLE delivery_events (
  run_no bigint NOT NULL,
  occurred_at timestamptz NOT NULL,
  seq integer NOT NULL,
  status smallint NOT NULL,
  error_code text
) PARTITION BY RANGE (run_no);
--> statement-breakpoint
ALTER TABLE delivery_events ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
ALTER TABLE delivery_events FORCE ROW LEVEL SECURITY;
--> statement-breakpoint
CREATE POLICY system_guard ON delivery_events USING ((SELECT current_setting('app.scope', true)) = 'system');
--> statement-breakpoint
-- Partitions are made apart and attached, because CREATE TABLE ... PARTITION OF would lock out every running campaign for a moment.
CREATE FUNCTION make_recipients_partition(name text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE format('CREATE TABLE %I (LIKE delivery_recipients INCLUDING DEFAULTS) WITH (fillfactor = 27)', name);
  PERFORM guard_workspace(name::regclass);
END $$;
--> statement-breakpoint
-- Indexes are built on what the table holds by now: for a million rows that takes a fraction of growing them row by row.
CREATE FUNCTION attach_recipients_partition(name text, bounds text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE format('ALTER TABLE %I ADD PRIMARY KEY (run_no, seq)', name);
  EXECUTE format('CREATE INDEX ON %I (contact_id)', name);
  EXECUTE format('ALTER TABLE delivery_recipients ATTACH PARTITION %I FOR VALUES %s', name, bounds);
END $$;
--> statement-breakpoint
-- head: how many recipients of a large run are frozen at its start; the rest gets a partition of its own when it is frozen.
CREATE FUNCTION ensure_delivery_partition(run bigint, head integer DEFAULT 2147483647) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  is_large boolean := run >= 1000000000000;
  first_run bigint := CASE WHEN is_large THEN run ELSE run / 1000 * 1000 END;
  next_run bigint := CASE WHEN is_large THEN run + 1 ELSE first_run + 1000 END;
  recipients text := 'delivery_recipients_' || first_run;
  events text := 'delivery_events_' || first_run;
BEGIN
  IF to_regclass(recipients) IS NOT NULL THEN RETURN; END IF;
  PERFORM pg_advisory_xact_lock(7302119, (first_run % 1000000007)::integer);
  IF to_regclass(recipients) IS NOT NULL THEN RETURN; END IF;
  PERFORM make_recipients_partition(recipients);
  PERFORM attach_recipients_partition(recipients, CASE WHEN is_large
    THEN format('FROM (%s, MINVALUE) TO (%s, %s)', run, run, head)
    ELSE format('FROM (%s, MINVALUE) TO (%s, MINVALUE)', first_run, next_run) END);
  EXECUTE format('CREATE TABLE %I (LIKE delivery_events)', events);
  EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', events);
  EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', events);
  EXECUTE format('CREATE POLICY system_guard ON %I USING ((SELECT current_setting(''app.scope'', true)) = ''system'')', events);
  EXECUTE format('ALTER TABLE delivery_events ATTACH PARTITION %I FOR VALUES FROM (%s) TO (%s)', events, first_run, next_run);
END $$;
--> statement-breakpoint
SELECT ensure_delivery_partition(1);
--> statement-breakpoint
-- The few recipients that wait for another try. claimed_attempt is set while that try is in flight.
CREATE TABLE delivery_retries (
  run_no bigint NOT NULL REFERENCES delivery_runs ON DELETE CASCADE,
  seq integer NOT NULL,
  workspace_id uuid NOT NULL,
  not_before timestamptz NOT NULL,
  claimed_attempt smallint,
  PRIMARY KEY (run_no, seq)
);
--> statement-breakpoint
CREATE INDEX delivery_retries_due ON delivery_retries (run_no, not_before) WHERE claimed_attempt IS NULL;
--> statement-breakpoint
SELECT guard_workspace('delivery_retries');
--> statement-breakpoint
-- What each batch of bookkeeping adds to the counters, written with it in one transaction and folded away in the background.
-- hour is that of the message's acceptance (of its refusal when it was never accepted). run_no is null for replies and bots.
CREATE TABLE delivery_deltas (
  run_no bigint,
  workspace_id uuid NOT NULL,
  channel_id uuid NOT NULL,
  hour timestamptz NOT NULL,
  accepted integer NOT NULL DEFAULT 0,
  refused integer NOT NULL DEFAULT 0,
  cancelled integer NOT NULL DEFAULT 0,
  unknown integer NOT NULL DEFAULT 0,
  sent integer NOT NULL DEFAULT 0,
  delivered integer NOT NULL DEFAULT 0,
  read integer NOT NULL DEFAULT 0,
  failed integer NOT NULL DEFAULT 0
) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000);
--> statement-breakpoint
SELECT guard_workspace('delivery_deltas');
--> statement-breakpoint
CREATE TABLE message_stats (
  workspace_id uuid NOT NULL REFERENCES workspaces ON DELETE CASCADE,
  channel_id uuid NOT NULL,
  hour timestamptz NOT NULL,
  accepted bigint NOT NULL DEFAULT 0,
  refused bigint NOT NULL DEFAULT 0,
  sent bigint NOT NULL DEFAULT 0,
  delivered bigint NOT NULL DEFAULT 0,
  read bigint NOT NULL DEFAULT 0,
  failed bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (workspace_id, hour, channel_id)
) WITH (fillfactor = 70);
--> statement-breakpoint
SELECT guard_workspace('message_stats');
--> statement-breakpoint
-- What screens read: never behind the rows, whether or not the newest deltas are folded.
CREATE VIEW message_stats_now WITH (security_invoker = true) AS
  SELECT workspace_id, channel_id, hour, sum(accepted)::bigint AS accepted, sum(refused)::bigint AS refused,
    sum(sent)::bigint AS sent, sum(delivered)::bigint AS delivered, sum(read)::bigint AS read, sum(failed)::bigint AS failed
  FROM (
    SELECT workspace_id, channel_id, hour, accepted, refused, sent, delivered, read, failed FROM message_stats
    UNION ALL
    SELECT workspace_id, channel_id, hour, accepted, refused, sent, delivered, read, failed FROM delivery_deltas
  ) AS every_count
  GROUP BY workspace_id, channel_id, hour;
--> statement-breakpoint
CREATE VIEW delivery_progress WITH (security_invoker = true) AS
  SELECT r.run_no, r.workspace_id, r.channel_id, r.campaign_id, r.state, r.pause_reason, r.pause_code, r.pause_detail,
    r.resume_at, r.category, r.total, r.frozen_at, r.created_at, r.started_at, r.completed_at,
    r.accepted + coalesce(d.accepted, 0) AS accepted, r.refused + coalesce(d.refused, 0) AS refused,
    r.cancelled + coalesce(d.cancelled, 0) AS cancelled, r.unknown + coalesce(d.unknown, 0) AS unknown,
    r.sent + coalesce(d.sent, 0) AS sent, r.delivered + coalesce(d.delivered, 0) AS delivered,
    r.read + coalesce(d.read, 0) AS read, r.failed + coalesce(d.failed, 0) AS failed
  FROM delivery_runs r
  LEFT JOIN (
    SELECT run_no, sum(accepted)::integer AS accepted, sum(refused)::integer AS refused,
      sum(cancelled)::integer AS cancelled, sum(unknown)::integer AS unknown, sum(sent)::integer AS sent,
      sum(delivered)::integer AS delivered, sum(read)::integer AS read, sum(failed)::integer AS failed
    FROM delivery_deltas WHERE run_no IS NOT NULL GROUP BY run_no
  ) d USING (run_no);
--> statement-breakpoint
-- One sender per number: who holds it, how fast it may send now, and the next free moment for a person's reply.
CREATE TABLE delivery_channels (
  channel_id uuid PRIMARY KEY REFERENCES channels ON DELETE CASCADE,
  workspace_id uuid NOT NULL,
  owner text,
  epoch bigint NOT NULL DEFAULT 0,
  lease_until timestamptz,
  -- Below messages_per_second after the platform asked to slow down; null = full speed.
  rate_per_second double precision,
  rate_changed_at timestamptz,
  hold_until timestamptz,
  next_reply_at timestamptz
) WITH (fillfactor = 40);
--> statement-breakpoint
SELECT guard_workspace('delivery_channels');
--> statement-breakpoint
-- Messages handed out per workspace and UTC day, for the daily limit of the workspace.
CREATE TABLE delivery_usage (
  workspace_id uuid NOT NULL REFERENCES workspaces ON DELETE CASCADE,
  day date NOT NULL,
  used integer NOT NULL DEFAULT 0,
  PRIMARY KEY (workspace_id, day)
) WITH (fillfactor = 50);
--> statement-breakpoint
SELECT guard_workspace('delivery_usage');
--> statement-breakpoint
-- People whom the platform asked to spare marketing for a while; outlives the campaign that found out.
CREATE TABLE marketing_holds (
  workspace_id uuid NOT NULL REFERENCES workspaces ON DELETE CASCADE,
  contact_id uuid NOT NULL REFERENCES contacts ON DELETE CASCADE,
  until timestamptz NOT NULL,
  PRIMARY KEY (contact_id)
);
--> statement-breakpoint
SELECT guard_workspace('marketing_holds');
--> statement-breakpoint
-- Recipients carry no foreign key (a check per row would slow every freeze), so the run takes them along.
CREATE FUNCTION delete_run_recipients() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM delivery_recipients WHERE run_no = OLD.run_no;
  DELETE FROM delivery_events WHERE run_no = OLD.run_no;
  DELETE FROM delivery_deltas WHERE run_no = OLD.run_no;
  RETURN OLD;
END $$;
--> statement-breakpoint
CREATE TRIGGER delete_run_recipients AFTER DELETE ON delivery_runs FOR EACH ROW EXECUTE FUNCTION delete_run_recipients();
--> statement-breakpoint
-- Writes what became of recipients that were in flight; see settle-recipients.ts. Rows are locked in the order of their numbers by
-- every writer, so that settling and status reports cannot block each other for good. Nested loops are off because the planner
-- knows nothing of a run that began a moment ago, and its guess would compare every row with every other.
CREATE FUNCTION settle_recipients(p_run bigint, p_owner text, p_epoch bigint, p_seqs integer[], p_attempts smallint[],
  p_states smallint[], p_released boolean[], p_at double precision[], p_message_ids text[], p_codes text[], p_details text[],
  p_not_before double precision[], p_retries integer[]) RETURNS void LANGUAGE plpgsql
  SET enable_nestloop = off SET enable_mergejoin = off SET jit = off AS $$
#variable_conflict use_column
DECLARE
  p_workspace uuid;
  p_channel uuid;
BEGIN
  -- Held until the commit: a new owner of the run waits for this write, or this write sees the new owner.
  SELECT workspace_id, channel_id INTO p_workspace, p_channel FROM delivery_runs
  WHERE run_no = p_run AND owner = p_owner AND epoch = p_epoch FOR KEY SHARE;
  IF NOT FOUND THEN RETURN; END IF;
  WITH known AS MATERIALIZED (
    SELECT seq, state, attempt FROM delivery_recipients
    WHERE run_no = p_run AND seq = ANY(p_seqs) ORDER BY seq FOR UPDATE
  ), won AS MATERIALIZED (
    SELECT i.seq, i.attempt, i.state, i.is_released, to_timestamp(i.at_ms / 1000) AS at, i.message_id, i.code, i.detail,
      to_timestamp(i.not_before_ms / 1000) AS not_before
    FROM unnest(p_seqs, p_attempts, p_states, p_released, p_at, p_message_ids, p_codes, p_details, p_not_before)
      AS i(seq, attempt, state, is_released, at_ms, message_id, code, detail, not_before_ms)
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
  )
  INSERT INTO delivery_deltas (run_no, workspace_id, channel_id, hour, accepted, refused, cancelled, unknown)
  SELECT p_run, p_workspace, p_channel, date_trunc('hour', w.at, 'UTC'), count(*) FILTER (WHERE w.state = 2),
    count(*) FILTER (WHERE w.state = 3), count(*) FILTER (WHERE w.state = 4), count(*) FILTER (WHERE w.state = 5)
  FROM won w WHERE w.state <> 6 GROUP BY 4;
END $$;
--> statement-breakpoint
-- Applies status reports of one run, one entry per recipient; see apply-statuses.ts. Works out under the row locks what is new, then
-- writes rows, events and one delta per hour. An outcome that a report disproves (unknown, refused, cancelled) leaves its
-- counter at the same time. Returns the recipients that do not exist.
-- Before PostgreSQL 18 a switched-off plan counts as so dear that it would be compiled first, at each call: no JIT.
CREATE FUNCTION apply_status_reports(p_run bigint, p_workspace uuid, p_seqs integer[], p_message_ids text[],
  p_sent double precision[], p_delivered double precision[], p_read double precision[], p_failed double precision[],
  p_codes text[], p_details text[]) RETURNS integer[] LANGUAGE plpgsql
  SET enable_nestloop = off SET enable_mergejoin = off SET jit = off AS $$
#variable_conflict use_column
DECLARE
  missing integer[];
BEGIN
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
    SELECT p_run, run.workspace_id, run.channel_id, p.*
    FROM (
      SELECT hour, sum(accepted), sum(refused), sum(cancelled), sum(unknown), sum(sent), sum(delivered), sum(read), sum(failed)
      FROM parts GROUP BY hour
    ) p CROSS JOIN delivery_runs run WHERE run.run_no = p_run
  )
  SELECT array_agg(i.seq) INTO missing FROM input i WHERE i.seq NOT IN (SELECT seq FROM known);
  RETURN missing;
END $$;
--> statement-breakpoint
-- A sender keeps its connection to the platform and its limits; this tells it to take the new ones.
CREATE FUNCTION announce_channel_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_TABLE_NAME = 'channels' THEN
    PERFORM pg_notify('delivery_channel', NEW.id::text);
  ELSE
    PERFORM pg_notify('delivery_channel', c.id::text) FROM channels c WHERE c.workspace_id = NEW.id;
  END IF;
  RETURN NEW;
END $$;
--> statement-breakpoint
CREATE TRIGGER announce_channel_change AFTER UPDATE ON channels FOR EACH ROW
  WHEN ((OLD.access_token_encrypted, OLD.graph_base_url, OLD.phone_number_id, OLD.is_connected, OLD.messages_per_second)
    IS DISTINCT FROM (NEW.access_token_encrypted, NEW.graph_base_url, NEW.phone_number_id, NEW.is_connected, NEW.messages_per_second))
  EXECUTE FUNCTION announce_channel_change();
--> statement-breakpoint
CREATE TRIGGER announce_limit_change AFTER UPDATE ON workspaces FOR EACH ROW
  WHEN (OLD.settings -> 'messageLimits' IS DISTINCT FROM NEW.settings -> 'messageLimits')
  EXECUTE FUNCTION announce_channel_change();
