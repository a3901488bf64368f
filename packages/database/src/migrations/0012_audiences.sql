-- Whether a contact can be reached at all, decided once when its row is written, so that an audience of a million is divided by index
-- and not by looking at each number. In the order in which people are told why somebody is left out.
ALTER TABLE contacts ADD COLUMN reach text NOT NULL GENERATED ALWAYS AS (
  CASE WHEN phone IS NULL OR phone !~ '^\+[1-9][0-9]{6,14}$' THEN 'no_number'
       WHEN status <> 'active' THEN 'blocked'
       WHEN opted_out_at IS NOT NULL THEN 'opted_out'
       ELSE 'open' END) STORED;
--> statement-breakpoint
-- Only the exceptions: the others are what remains of the kept sums.
CREATE INDEX contacts_left_out ON contacts (workspace_id, reach) WHERE reach <> 'open';
--> statement-breakpoint
-- People whose 24-hour window is open are few among many.
CREATE INDEX contacts_open_window ON contacts (workspace_id, window_expires_at) INCLUDE (reach) WHERE window_expires_at IS NOT NULL;
--> statement-breakpoint
-- The segments that the audience names: as they were when the campaign was saved, and from the start of sending on as they were then.
ALTER TABLE campaigns ADD COLUMN segments jsonb NOT NULL DEFAULT '[]';
--> statement-breakpoint
-- What the reason of a pause before the start speaks of, such as the name of a deleted segment.
ALTER TABLE campaigns ADD COLUMN pause_detail text;
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
    c.segments
  FROM campaigns c LEFT JOIN delivery_progress p ON p.run_no = c.run_no;
