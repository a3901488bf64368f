-- Contacts that were chosen and may not receive a campaign have a row behind its recipients, with the reason. The engine never claims them: `total` counts
-- whom it sends to, `excluded` the others. People see both: chosen = sent + excluded + failed.
ALTER TABLE delivery_runs ADD COLUMN excluded integer NOT NULL DEFAULT 0;
--> statement-breakpoint
CREATE OR REPLACE VIEW delivery_progress WITH (security_invoker = true) AS
  SELECT r.run_no, r.workspace_id, r.channel_id, r.campaign_id, r.state, r.pause_reason, r.pause_code, r.pause_detail,
    r.resume_at, r.category, r.total + r.excluded AS total, r.frozen_at, r.created_at, r.started_at, r.completed_at,
    r.accepted + coalesce(d.accepted, 0) AS accepted, r.refused + coalesce(d.refused, 0) AS refused,
    r.excluded + r.cancelled + coalesce(d.cancelled, 0) + CASE WHEN r.state = 'cancelled' AND r.completed_at IS NULL THEN
      least(r.total - r.accepted - r.refused - r.cancelled - r.unknown
          - coalesce(d.accepted + d.refused + d.cancelled + d.unknown, 0),
        r.total - r.cursor + (SELECT count(*)::integer FROM delivery_retries q WHERE q.run_no = r.run_no AND q.claimed_attempt IS NULL))
      ELSE 0 END AS cancelled,
    r.unknown + coalesce(d.unknown, 0) AS unknown,
    r.sent + coalesce(d.sent, 0) AS sent, r.delivered + coalesce(d.delivered, 0) AS delivered,
    r.read + coalesce(d.read, 0) AS read, r.failed + coalesce(d.failed, 0) AS failed,
    CASE WHEN r.state = 'ready' AND r.cursor = 0 AND r.hold_until > now() THEN r.hold_until END AS held_until,
    r.cancelled_at, r.excluded
  FROM delivery_runs r
  LEFT JOIN (
    SELECT run_no, sum(accepted)::integer AS accepted, sum(refused)::integer AS refused,
      sum(cancelled)::integer AS cancelled, sum(unknown)::integer AS unknown, sum(sent)::integer AS sent,
      sum(delivered)::integer AS delivered, sum(read)::integer AS read, sum(failed)::integer AS failed
    FROM delivery_deltas WHERE run_no IS NOT NULL GROUP BY run_no
  ) d USING (run_no);
--> statement-breakpoint
-- Who got it, or still may: a message that the platform took and then reported as failed counts as failed alone.
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
    c.allow_missing_values, coalesce(p.excluded, 0) AS excluded
  FROM campaigns c LEFT JOIN delivery_progress p ON p.run_no = c.run_no;
