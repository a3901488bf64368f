-- A campaign's template in the language of each contact (docs/decisions/083-the-language-of-each-contact.md), where it is approved in several.
ALTER TABLE campaigns ADD COLUMN in_contact_language boolean NOT NULL DEFAULT false;
--> statement-breakpoint
-- Which language somebody wanted when the audience was frozen; null unless the message is there in several.
ALTER TABLE delivery_recipients ADD COLUMN language text;
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
    c.segments, c.price_currency, c.channel_id, p.held_until, c.in_contact_language
  FROM campaigns c LEFT JOIN delivery_progress p ON p.run_no = c.run_no;
