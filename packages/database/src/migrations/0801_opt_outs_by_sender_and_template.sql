-- Opt-outs are counted by the sender and the template of the last message before them too: a report of these reads sums as well
-- (docs/decisions/155-contacts-counted-once.md). The sender is channel_id of the event, the template its label.
-- Counts waiting contacts anew, from the rows; true while more wait. Nothing is added up from what was counted before, so it does not matter how often a row was
-- reported, in which order, or to whom it was moved. Of each contact the events from the first one on whose next one may be another now.
CREATE OR REPLACE FUNCTION recount_outcomes(p_most integer) RETURNS boolean LANGUAGE plpgsql SET jit = off AS $$
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
      CASE WHEN r.campaign_id IS NULL THEN o.channel_id ELSE r.channel_id END AS channel_id,
      coalesce(CASE WHEN r.campaign_id IS NULL THEN o.label ELSE r.template_id::text END, '') AS label,
      CASE WHEN r.campaign_id IS NULL THEN o.days ELSE greatest(1, ceil(extract(epoch FROM l.at - r.at) / 86400))::smallint END AS days
    FROM left_after l LEFT JOIN months m ON m.workspace_id = l.workspace_id AND m.month = l.month
      LEFT JOIN LATERAL (
        SELECT n.campaign_id, n.channel_id, run_template(n, g.variant) AS template_id, t.at FROM (
          SELECT r.run_no, r.variant, r.delivered_at, r.read_at, r.accepted_at FROM delivery_recipients r
            WHERE r.contact_id = l.who AND r.workspace_id = l.workspace_id AND r.state = 2 AND r.run_no >= m.first_small AND r.run_no <= m.last_small
          UNION ALL
          SELECT r.run_no, r.variant, r.delivered_at, r.read_at, r.accepted_at FROM delivery_recipients r
            WHERE r.contact_id = l.who AND r.workspace_id = l.workspace_id AND r.state = 2 AND r.run_no >= m.first_large AND r.run_no <= m.last_large) AS g
          CROSS JOIN LATERAL (SELECT coalesce(least(g.delivered_at, g.read_at), g.accepted_at) AS at) AS t JOIN delivery_runs n ON n.run_no = g.run_no
        WHERE t.at <= l.at AND t.at >= l.at - interval '720 hours' ORDER BY t.at DESC, g.run_no DESC LIMIT 1) AS r ON true
      -- What was counted stays counted when the run of the campaign is deleted.
      LEFT JOIN LATERAL (
        SELECT o.id, o.channel_id, o.label, min(o.from_days) AS days FROM outcome_events o WHERE r.campaign_id IS NULL AND o.workspace_id = l.workspace_id AND o.who = l.who
          AND o.kind = 'opt_out' AND o.ref = l.ref AND NOT EXISTS (SELECT FROM delivery_runs n WHERE n.campaign_id = o.id) GROUP BY 1, 2, 3 LIMIT 1) AS o ON true
  ), opted_out AS (
    SELECT e.workspace_id, 'opt_out' AS source, 'opt_out' AS kind, e.ref, e.who, e.id, e.channel_id, e.label, w.from_days, w.to_days, 0::numeric AS value,
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
-- The past.
INSERT INTO outcome_checks SELECT DISTINCT o.workspace_id, 'opt_out', o.who, '-infinity'::timestamptz FROM outcome_events o WHERE o.kind = 'opt_out';
--> statement-breakpoint
SELECT recount_outcomes(2147483647);
