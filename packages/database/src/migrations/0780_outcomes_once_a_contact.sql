-- Figures that count a contact once in a period, whatever the period is: talks with the bot, runs of workflows, conversions, opt-outs after campaigns
-- (docs/decisions/155-contacts-counted-once.md). Each event knows the next one of the same contact: it is the last of a period when the next one is behind it.
CREATE TABLE outcome_events (
  workspace_id uuid NOT NULL REFERENCES workspaces ON DELETE CASCADE,
  source text NOT NULL CHECK (source IN ('bot', 'run', 'conversion', 'opt_out')),
  -- bot: an answer, by channel. handoff: one that handed over, by channel. run: an ended run, by workflow; channel_run: the same by workflow and channel.
  -- conversion: one within the window of the workspace; campaign_conversion: the same by campaign. opt_out: of the last campaign before it.
  kind text NOT NULL CHECK (kind IN ('bot', 'handoff', 'run', 'channel_run', 'conversion', 'campaign_conversion', 'opt_out')),
  -- The row that says it.
  ref uuid NOT NULL,
  -- The contact; where none is known, the row.
  who uuid NOT NULL,
  -- The campaign or the workflow.
  id uuid,
  channel_id uuid,
  -- Why the bot handed over, how a run ended, the currency of a conversion.
  label text NOT NULL,
  -- Of opt-outs: in windows of so many days this is the next one.
  from_days smallint NOT NULL,
  to_days smallint NOT NULL,
  value numeric NOT NULL,
  at timestamptz NOT NULL,
  -- Infinity: there is none. The same as at: it counts, but for no contact.
  next_at timestamptz NOT NULL
);
--> statement-breakpoint
CREATE INDEX outcome_events_who ON outcome_events (workspace_id, who);
--> statement-breakpoint
CREATE INDEX outcome_events_at ON outcome_events (workspace_id, kind, at);
--> statement-breakpoint
CREATE INDEX outcome_events_next ON outcome_events (workspace_id, kind, next_at) WHERE next_at < 'infinity';
--> statement-breakpoint
SELECT guard_workspace('outcome_events');
--> statement-breakpoint
-- The same by 30 days (thirty_days_of). A trigger keeps them equal; they hold nothing that is not there.
CREATE TABLE outcome_sums (
  workspace_id uuid NOT NULL REFERENCES workspaces ON DELETE CASCADE,
  kind text NOT NULL,
  month timestamptz NOT NULL,
  -- Of the next one; infinity where there is none.
  next_month timestamptz NOT NULL,
  id uuid,
  channel_id uuid,
  label text NOT NULL,
  from_days smallint NOT NULL,
  to_days smallint NOT NULL,
  events bigint NOT NULL,
  value numeric NOT NULL,
  -- Events that count for no contact.
  unknown bigint NOT NULL,
  UNIQUE NULLS NOT DISTINCT (workspace_id, kind, month, next_month, id, channel_id, label, from_days, to_days)
) WITH (fillfactor = 70);
--> statement-breakpoint
SELECT guard_workspace('outcome_sums');
--> statement-breakpoint
-- Contacts of whom something was added, changed or deleted, at the earliest at this time. The engine counts them anew within seconds.
CREATE TABLE outcome_checks (
  workspace_id uuid NOT NULL,
  source text NOT NULL,
  who uuid NOT NULL,
  at timestamptz NOT NULL
);
--> statement-breakpoint
SELECT guard_workspace('outcome_checks');
--> statement-breakpoint
CREATE FUNCTION sum_up_outcomes() RETURNS trigger LANGUAGE plpgsql SET jit = off AS $$
BEGIN
  EXECUTE format($sums$
    INSERT INTO outcome_sums AS s
    SELECT * FROM (
      SELECT e.workspace_id, e.kind, thirty_days_of(e.at) AS month, CASE WHEN e.next_at < 'infinity' THEN thirty_days_of(e.next_at) ELSE 'infinity' END AS next_month,
        e.id, e.channel_id, e.label, e.from_days, e.to_days, sum(e.one) AS events, sum(e.one * e.value) AS value,
        coalesce(sum(e.one) FILTER (WHERE e.next_at = e.at), 0) AS unknown
      FROM (%s) AS e GROUP BY 1, 2, 3, 4, 5, 6, 7, 8, 9) AS n
    WHERE (events, value, unknown) <> (0, 0, 0)
    -- In one order, so that no two writers wait for each other.
    ORDER BY 1, 2, 3, 4, 5, 6, 7, 8, 9
    ON CONFLICT (workspace_id, kind, month, next_month, id, channel_id, label, from_days, to_days) DO UPDATE SET
      events = s.events + excluded.events, value = s.value + excluded.value, unknown = s.unknown + excluded.unknown $sums$,
    CASE TG_OP WHEN 'INSERT' THEN 'SELECT 1 AS one, n.* FROM new_rows n' WHEN 'DELETE' THEN 'SELECT -1 AS one, o.* FROM old_rows o'
      ELSE 'SELECT 1 AS one, n.* FROM new_rows n UNION ALL SELECT -1, o.* FROM old_rows o' END);
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER sum_up_new_outcomes AFTER INSERT ON outcome_events REFERENCING NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION sum_up_outcomes();
--> statement-breakpoint
CREATE TRIGGER sum_up_changed_outcomes AFTER UPDATE ON outcome_events REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION sum_up_outcomes();
--> statement-breakpoint
CREATE TRIGGER sum_up_gone_outcomes AFTER DELETE ON outcome_events REFERENCING OLD TABLE AS old_rows
  FOR EACH STATEMENT EXECUTE FUNCTION sum_up_outcomes();
--> statement-breakpoint
-- What was added, changed or deleted, by source, contact (or row) and time. No figure is read from it: the contact is counted anew.
CREATE FUNCTION check_outcome() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  ask text := format('INSERT INTO outcome_checks SELECT ($1).workspace_id, %L, %s, ($1).%I', TG_ARGV[0], TG_ARGV[1], TG_ARGV[2]);
BEGIN
  IF TG_OP <> 'INSERT' THEN EXECUTE ask USING OLD; END IF;
  IF TG_OP <> 'DELETE' THEN EXECUTE ask USING NEW; END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER check_bot_answer AFTER INSERT OR DELETE OR UPDATE OF contact_id, handoff, decided_at ON bot_answers
  FOR EACH ROW EXECUTE FUNCTION check_outcome('bot', '($1).contact_id', 'decided_at');
--> statement-breakpoint
-- Ended runs are deleted after some weeks, and stay counted.
CREATE TRIGGER check_new_flow_run AFTER INSERT ON flow_runs
  FOR EACH ROW WHEN (NEW.ended_at IS NOT NULL) EXECUTE FUNCTION check_outcome('run', 'coalesce(($1).contact_id, ($1).id)', 'ended_at');
--> statement-breakpoint
CREATE FUNCTION check_ended_run() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO outcome_checks SELECT r.workspace_id, 'run', r.who, r.at
    FROM (VALUES (OLD.workspace_id, coalesce(OLD.contact_id, OLD.id), OLD.ended_at), (NEW.workspace_id, coalesce(NEW.contact_id, NEW.id), NEW.ended_at))
      AS r (workspace_id, who, at) WHERE r.at IS NOT NULL;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER check_flow_run AFTER UPDATE ON flow_runs FOR EACH ROW
  WHEN ((OLD.ended_at, OLD.contact_id, OLD.channel_id, OLD.status, OLD.is_test) IS DISTINCT FROM (NEW.ended_at, NEW.contact_id, NEW.channel_id, NEW.status, NEW.is_test))
  EXECUTE FUNCTION check_ended_run();
--> statement-breakpoint
CREATE TRIGGER check_conversion AFTER INSERT OR DELETE OR UPDATE ON conversions
  FOR EACH ROW EXECUTE FUNCTION check_outcome('conversion', 'coalesce(($1).contact_id, ($1).id)', 'occurred_at');
--> statement-breakpoint
CREATE FUNCTION check_conversions_of_window() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO outcome_checks SELECT v.workspace_id, 'conversion', coalesce(v.contact_id, v.id), min(v.occurred_at) FROM conversions v
    WHERE v.workspace_id = NEW.workspace_id AND v.campaign_id IS NOT NULL GROUP BY 1, 3;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER check_conversion_window AFTER INSERT OR UPDATE OF window_days ON conversion_settings
  FOR EACH ROW EXECUTE FUNCTION check_conversions_of_window();
--> statement-breakpoint
CREATE TRIGGER check_new_opt_out AFTER INSERT ON contact_consents
  FOR EACH ROW WHEN (NEW.kind = 'opt_out') EXECUTE FUNCTION check_outcome('opt_out', '($1).contact_id', 'occurred_at');
--> statement-breakpoint
CREATE TRIGGER check_opt_out AFTER DELETE OR UPDATE ON contact_consents
  FOR EACH ROW WHEN (OLD.kind = 'opt_out') EXECUTE FUNCTION check_outcome('opt_out', '($1).contact_id', 'occurred_at');
--> statement-breakpoint
-- Counts waiting contacts anew, from the rows; true while more wait. Nothing is added up from what was counted before, so it does not matter how often a row was
-- reported, in which order, or to whom it was moved. Of each contact the events from the first one on whose next one may be another now.
CREATE FUNCTION recount_outcomes(p_most integer) RETURNS boolean LANGUAGE plpgsql SET jit = off AS $$
DECLARE
  done bigint;
BEGIN
  WITH taken AS (
    DELETE FROM outcome_checks WHERE ctid = ANY (ARRAY(SELECT ctid FROM outcome_checks LIMIT p_most)) RETURNING *
  ), asked AS MATERIALIZED (
    SELECT t.workspace_id, t.source, t.who, min(t.at) AS at FROM taken t JOIN workspaces w ON w.id = t.workspace_id GROUP BY 1, 2, 3
  ), scoped AS MATERIALIZED (
    SELECT a.workspace_id, a.source, a.who, coalesce((SELECT min(o.at) FROM outcome_events o
        WHERE o.workspace_id = a.workspace_id AND o.who = a.who AND o.source = a.source AND o.at < a.at AND o.next_at >= a.at), a.at) AS since
    FROM asked a
  ), bot AS (
    SELECT s.workspace_id, s.source, k.kind, b.message_id AS ref, s.who, NULL::uuid AS id, b.channel_id, k.label, 0::numeric AS value, b.decided_at AS at, true AS is_known
    FROM scoped s JOIN bot_answers b ON b.workspace_id = s.workspace_id AND b.contact_id = s.who AND b.decided_at >= s.since
      CROSS JOIN LATERAL (VALUES ('bot', ''), ('handoff', b.handoff)) AS k (kind, label)
    WHERE s.source = 'bot' AND k.label IS NOT NULL
  ), ended AS (
    SELECT s.workspace_id, s.source, s.who, r.*
    FROM scoped s CROSS JOIN LATERAL (
      SELECT r.id AS ref, r.flow_id, r.channel_id, r.status, r.ended_at AS at, true AS is_known FROM flow_runs r
        WHERE r.workspace_id = s.workspace_id AND r.contact_id = s.who AND NOT r.is_test AND r.ended_at >= s.since
      UNION ALL
      SELECT r.id, r.flow_id, r.channel_id, r.status, r.ended_at, false FROM flow_runs r
        WHERE r.workspace_id = s.workspace_id AND r.id = s.who AND r.contact_id IS NULL AND NOT r.is_test AND r.ended_at >= s.since) AS r
    WHERE s.source = 'run'
    UNION ALL
    -- What is deleted by now; with an erased contact who it was goes.
    SELECT s.workspace_id, s.source, CASE WHEN c.is_there THEN s.who ELSE o.ref END, o.ref, o.id, o.channel_id, o.label, o.at, c.is_there AND o.next_at > o.at
    FROM scoped s JOIN outcome_events o ON o.workspace_id = s.workspace_id AND o.who = s.who AND o.kind = 'channel_run' AND o.at >= s.since
      CROSS JOIN LATERAL (SELECT EXISTS (SELECT FROM contacts c WHERE c.id = s.who) OR EXISTS (SELECT FROM deleted_contacts d WHERE d.contact_id = s.who) AS is_there) AS c
    WHERE s.source = 'run' AND NOT EXISTS (SELECT FROM flow_runs r WHERE r.id = o.ref)
  ), runs AS (
    SELECT e.workspace_id, e.source, k.kind, e.ref, e.who, e.flow_id, k.channel_id, e.status, 0::numeric, e.at, e.is_known
    FROM ended e CROSS JOIN LATERAL (VALUES ('run', NULL::uuid), ('channel_run', e.channel_id)) AS k (kind, channel_id)
  ), converted AS (
    SELECT s.workspace_id, s.source, k.kind, v.id AS ref, s.who, k.id, NULL::uuid, coalesce(v.currency, ''), coalesce(v.value, 0), v.occurred_at, true
    FROM scoped s CROSS JOIN LATERAL (
      SELECT v.* FROM conversions v WHERE v.workspace_id = s.workspace_id AND v.contact_id = s.who
      UNION ALL
      SELECT v.* FROM conversions v WHERE v.workspace_id = s.workspace_id AND v.id = s.who AND v.contact_id IS NULL) AS v
      CROSS JOIN LATERAL (VALUES ('conversion', NULL::uuid), ('campaign_conversion', v.campaign_id)) AS k (kind, id)
    WHERE s.source = 'conversion' AND v.occurred_at >= s.since AND v.campaign_id IS NOT NULL AND v.cancelled_at IS NULL
      -- As isAttributedSql, with the window of the workspace.
      AND v.clicked_at > v.occurred_at - make_interval(days => coalesce((SELECT c.window_days FROM conversion_settings c WHERE c.workspace_id = s.workspace_id), 7))
  ), left_after AS MATERIALIZED (
    SELECT s.workspace_id, s.who, k.id AS ref, k.occurred_at AS at, thirty_days_of(k.occurred_at) AS month
    FROM scoped s JOIN contact_consents k ON k.workspace_id = s.workspace_id AND k.contact_id = s.who AND k.kind = 'opt_out' AND k.occurred_at >= s.since
    WHERE s.source = 'opt_out'
  ), months AS MATERIALIZED (
    SELECT m.workspace_id, m.month, min(n.run_no) FILTER (WHERE n.run_no < 1000000000000) AS first_small, max(n.run_no) FILTER (WHERE n.run_no < 1000000000000) AS last_small,
      min(n.run_no) FILTER (WHERE n.run_no >= 1000000000000) AS first_large, max(n.run_no) FILTER (WHERE n.run_no >= 1000000000000) AS last_large
    FROM (SELECT DISTINCT workspace_id, month FROM left_after) AS m JOIN delivery_runs n ON n.workspace_id = m.workspace_id
      AND n.created_at < m.month + interval '744 hours'
      AND (n.completed_at IS NULL OR greatest(n.completed_at, n.reported_at) >= m.month - interval '720 hours')
    GROUP BY 1, 2
  ), reached AS (
    -- The last campaign message that reached the contact in the 30 days before the opt-out: the rule of campaignOptOutsSql.
    SELECT l.workspace_id, l.who, l.ref, l.at, coalesce(r.campaign_id, o.id) AS id,
      CASE WHEN r.campaign_id IS NULL THEN o.days ELSE greatest(1, ceil(extract(epoch FROM l.at - r.at) / 86400))::smallint END AS days
    FROM left_after l LEFT JOIN months m ON m.workspace_id = l.workspace_id AND m.month = l.month
      LEFT JOIN LATERAL (
        SELECT n.campaign_id, t.at FROM (
          SELECT r.run_no, r.delivered_at, r.read_at, r.accepted_at FROM delivery_recipients r
            WHERE r.contact_id = l.who AND r.workspace_id = l.workspace_id AND r.state = 2 AND r.run_no >= m.first_small AND r.run_no <= m.last_small
          UNION ALL
          SELECT r.run_no, r.delivered_at, r.read_at, r.accepted_at FROM delivery_recipients r
            WHERE r.contact_id = l.who AND r.workspace_id = l.workspace_id AND r.state = 2 AND r.run_no >= m.first_large AND r.run_no <= m.last_large) AS g
          CROSS JOIN LATERAL (SELECT coalesce(least(g.delivered_at, g.read_at), g.accepted_at) AS at) AS t JOIN delivery_runs n ON n.run_no = g.run_no
        WHERE t.at <= l.at AND t.at >= l.at - interval '720 hours' ORDER BY t.at DESC, g.run_no DESC LIMIT 1) AS r ON true
      -- What was counted stays counted when the run of the campaign is deleted.
      LEFT JOIN LATERAL (
        SELECT o.id, min(o.from_days) AS days FROM outcome_events o WHERE r.campaign_id IS NULL AND o.workspace_id = l.workspace_id AND o.who = l.who
          AND o.kind = 'opt_out' AND o.ref = l.ref AND NOT EXISTS (SELECT FROM delivery_runs n WHERE n.campaign_id = o.id) GROUP BY 1 LIMIT 1) AS o ON true
  ), opted_out AS (
    SELECT e.workspace_id, 'opt_out' AS source, 'opt_out' AS kind, e.ref, e.who, e.id, NULL::uuid AS channel_id, '' AS label, w.from_days, w.to_days, 0::numeric AS value,
      e.at, w.next_at
    FROM (
      SELECT r.*, array_agg(r.at) OVER later AS ats, array_agg(r.days) OVER later AS gaps FROM reached r WHERE r.id IS NOT NULL
      WINDOW later AS (PARTITION BY r.workspace_id, r.who ORDER BY r.at, r.ref ROWS BETWEEN 1 FOLLOWING AND UNBOUNDED FOLLOWING)) AS e
      CROSS JOIN LATERAL (
        SELECT min(n.days) AS from_days, max(n.days) AS to_days, n.next_at FROM (
          SELECT d.days, coalesce((SELECT min(a.at) FROM unnest(e.ats, e.gaps) AS a (at, days) WHERE a.days <= d.days), 'infinity') AS next_at
          FROM generate_series(e.days::integer, 30) AS d (days)) AS n GROUP BY n.next_at) AS w
  ), fresh AS MATERIALIZED (
    SELECT f.workspace_id, f.source, f.kind, f.ref, f.who, f.id, f.channel_id, f.label, 0 AS from_days, 32767 AS to_days, f.value, f.at,
      CASE WHEN f.is_known THEN coalesce(lead(f.at) OVER (PARTITION BY f.workspace_id, f.kind, f.who, f.id, f.channel_id, f.is_known ORDER BY f.at, f.ref), 'infinity')
        ELSE f.at END AS next_at
    FROM (SELECT * FROM bot UNION ALL SELECT * FROM runs UNION ALL SELECT * FROM converted) AS f
    UNION ALL SELECT * FROM opted_out
  ), gone AS (
    DELETE FROM outcome_events o USING scoped s
    WHERE o.workspace_id = s.workspace_id AND o.who = s.who AND o.source = s.source AND o.at >= s.since
      AND NOT EXISTS (SELECT FROM fresh f WHERE f.workspace_id = o.workspace_id AND f.who = o.who AND f.ref = o.ref AND f.kind = o.kind
        AND (f.id, f.channel_id, f.label, f.from_days, f.to_days, f.value, f.at, f.next_at)
          IS NOT DISTINCT FROM (o.id, o.channel_id, o.label, o.from_days, o.to_days, o.value, o.at, o.next_at))
  ), added AS (
    INSERT INTO outcome_events SELECT f.* FROM fresh f
    WHERE NOT EXISTS (SELECT FROM outcome_events o WHERE o.workspace_id = f.workspace_id AND o.who = f.who AND f.ref = o.ref AND f.kind = o.kind
      AND (f.id, f.channel_id, f.label, f.from_days, f.to_days, f.value, f.at, f.next_at)
        IS NOT DISTINCT FROM (o.id, o.channel_id, o.label, o.from_days, o.to_days, o.value, o.at, o.next_at))
  ) SELECT count(*) INTO done FROM taken;
  RETURN done = p_most;
END $$;
--> statement-breakpoint
CREATE FUNCTION count_outcomes(p_lock bigint) RETURNS boolean LANGUAGE plpgsql SET lock_timeout = '500ms' AS $$
BEGIN
  IF NOT pg_try_advisory_xact_lock(p_lock) THEN RETURN false; END IF;
  RETURN recount_outcomes(2000);
EXCEPTION WHEN lock_not_available THEN
  RETURN false;
END $$;
--> statement-breakpoint
-- Runs of which reports came, from the earliest thing on that they say.
CREATE TABLE outcome_run_checks (
  run_no bigint PRIMARY KEY,
  workspace_id uuid NOT NULL,
  since timestamptz NOT NULL,
  asked_at timestamptz NOT NULL
);
--> statement-breakpoint
SELECT guard_workspace('outcome_run_checks');
--> statement-breakpoint
CREATE FUNCTION check_opt_outs_of_run() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO outcome_run_checks AS c SELECT d.run_no, d.workspace_id, min(d.quarter), clock_timestamp() FROM gone_rows d WHERE d.run_no IS NOT NULL GROUP BY 1, 2
    ON CONFLICT (run_no) DO UPDATE SET since = least(c.since, excluded.since);
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER check_opt_outs_of_run AFTER DELETE ON message_rollup_deltas REFERENCING OLD TABLE AS gone_rows
  FOR EACH STATEMENT EXECUTE FUNCTION check_opt_outs_of_run();
--> statement-breakpoint
-- A report may say that a message left at all, or that it reached the contact at another time: opt-outs since the run began, of contacts of whom something is
-- known since then. Reports come for days, so a run is looked at once in p_rest.
CREATE FUNCTION check_opt_outs_of_runs(p_lock bigint, p_rest interval DEFAULT '30 seconds') RETURNS boolean LANGUAGE plpgsql SET lock_timeout = '500ms' AS $$
BEGIN
  IF NOT pg_try_advisory_xact_lock(p_lock) THEN RETURN false; END IF;
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
-- The past.
INSERT INTO outcome_checks
  SELECT workspace_id, 'bot', contact_id, min(decided_at) FROM bot_answers GROUP BY 1, 3
  UNION ALL SELECT workspace_id, 'run', coalesce(contact_id, id), min(ended_at) FROM flow_runs WHERE ended_at IS NOT NULL GROUP BY 1, 3
  UNION ALL SELECT workspace_id, 'conversion', coalesce(contact_id, id), min(occurred_at) FROM conversions WHERE campaign_id IS NOT NULL GROUP BY 1, 3
  UNION ALL SELECT workspace_id, 'opt_out', contact_id, min(occurred_at) FROM contact_consents WHERE kind = 'opt_out' GROUP BY 1, 3;
--> statement-breakpoint
SELECT recount_outcomes(2147483647);
