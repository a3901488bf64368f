-- A start can be taken back while it is held (docs/decisions/079-taking-a-start-back.md): nobody claims a recipient of the run before.
ALTER TABLE delivery_runs ADD COLUMN hold_until timestamptz;
--> statement-breakpoint
-- What the start changed in the campaign, as it was before; null unless the start was held.
ALTER TABLE campaigns ADD COLUMN before_start jsonb;
--> statement-breakpoint
CREATE OR REPLACE VIEW delivery_progress WITH (security_invoker = true) AS
  SELECT r.run_no, r.workspace_id, r.channel_id, r.campaign_id, r.state, r.pause_reason, r.pause_code, r.pause_detail,
    r.resume_at, r.category, r.total, r.frozen_at, r.created_at, r.started_at, r.completed_at,
    r.accepted + coalesce(d.accepted, 0) AS accepted, r.refused + coalesce(d.refused, 0) AS refused,
    r.cancelled + coalesce(d.cancelled, 0) AS cancelled, r.unknown + coalesce(d.unknown, 0) AS unknown,
    r.sent + coalesce(d.sent, 0) AS sent, r.delivered + coalesce(d.delivered, 0) AS delivered,
    r.read + coalesce(d.read, 0) AS read, r.failed + coalesce(d.failed, 0) AS failed,
    CASE WHEN r.state = 'ready' AND r.cursor = 0 AND r.hold_until > now() THEN r.hold_until END AS held_until
  FROM delivery_runs r
  LEFT JOIN (
    SELECT run_no, sum(accepted)::integer AS accepted, sum(refused)::integer AS refused,
      sum(cancelled)::integer AS cancelled, sum(unknown)::integer AS unknown, sum(sent)::integer AS sent,
      sum(delivered)::integer AS delivered, sum(read)::integer AS read, sum(failed)::integer AS failed
    FROM delivery_deltas WHERE run_no IS NOT NULL GROUP BY run_no
  ) d USING (run_no);
--> statement-breakpoint
CREATE OR REPLACE VIEW campaigns_now WITH (security_invoker = true) AS
  SELECT c.id, c.workspace_id, c.name, c.kind, c.template_id, c.template_name, c.custom_message, c.variables, c.audience,
    c.audience_size, c.scheduled_at, c.quiet_hours, c.price_per_message, c.created_by, c.created_at, c.updated_at, c.version, c.run_no,
    CASE WHEN p.run_no IS NULL THEN c.status WHEN p.state IN ('ready', 'running') THEN 'running' ELSE p.state END AS status,
    coalesce(p.pause_reason, c.pause_reason) AS pause_reason, p.pause_code, coalesce(p.pause_detail, c.pause_detail) AS pause_detail,
    p.started_at, p.completed_at,
    coalesce(p.total, 0) AS total,
    coalesce(p.total - p.accepted - p.refused - p.cancelled - p.unknown, 0) AS pending,
    coalesce(p.accepted, 0) AS sent, coalesce(p.delivered, 0) AS delivered, coalesce(p.read, 0) AS read,
    coalesce(p.refused + p.failed, 0) AS failed, coalesce(p.cancelled, 0) AS cancelled, coalesce(p.unknown, 0) AS unknown,
    c.segments, c.price_currency, c.channel_id, p.held_until
  FROM campaigns c LEFT JOIN delivery_progress p ON p.run_no = c.run_no;
