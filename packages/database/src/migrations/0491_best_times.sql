-- Each contact gets a campaign in the hour in which they read most. gates: from when on how many recipients of a run may be claimed, as
-- [{"at": milliseconds, "upto": place}] in their order; null when all may be claimed at once.
ALTER TABLE campaigns ADD COLUMN best_time boolean NOT NULL DEFAULT false;
--> statement-breakpoint
ALTER TABLE delivery_runs ADD COLUMN gates jsonb;
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
    c.allow_missing_values, coalesce(p.excluded, 0) AS excluded, c.content_id, c.content_name, c.fallback, c.fallback_done_at, c.ab_test, c.ab_result, c.best_time
  FROM campaigns c LEFT JOIN delivery_progress p ON p.run_no = c.run_no;
