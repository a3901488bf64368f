-- Contents of channel kinds that are stored under a name, and that campaigns can carry.
-- `sends`: content type and value as they leave; null while a message is not complete.
ALTER TABLE rcs_messages ADD COLUMN sends jsonb;
--> statement-breakpoint
UPDATE rcs_messages SET sends = CASE type
    WHEN 'list' THEN jsonb_build_object('contentType', 'text', 'value', jsonb_build_object(
      'text', (content->>'text') || E'\n\n' || (SELECT string_agg(n || '. ' || (r->>'title') || coalesce(' – ' || (r->>'description'), ''), E'\n' ORDER BY n)
        FROM jsonb_array_elements(content->'rows') WITH ORDINALITY AS rows (r, n)),
      'suggestions', (SELECT jsonb_agg(jsonb_build_object('type', 'reply', 'text', r->'title', 'data', r->'data') ORDER BY n)
        FROM jsonb_array_elements(content->'rows') WITH ORDINALITY AS rows (r, n))))
    WHEN 'rich_card' THEN CASE WHEN jsonb_array_length(content->'cards') = 1
      THEN jsonb_build_object('contentType', 'standalone_card', 'value', jsonb_build_object('orientation', 'vertical', 'imageSide', 'left',
        'card', content->'cards'->0, 'suggestions', coalesce(content->'suggestions', '[]')))
      ELSE jsonb_build_object('contentType', 'carousel', 'value', jsonb_build_object('width', 'medium',
        'cards', content->'cards', 'suggestions', coalesce(content->'suggestions', '[]'))) END
    ELSE jsonb_build_object('contentType', type, 'value', content) END
  WHERE status <> 'draft';
--> statement-breakpoint
-- Each kind of channel with stored contents is one part of this view; campaigns read nothing else.
CREATE VIEW channel_contents WITH (security_invoker = true) AS
  SELECT id, workspace_id, 'rcs' AS kind, name, line, status, category IN ('marketing', 'promotional') AS is_marketing,
    sends->>'contentType' AS content_type, sends->'value' AS value, created_at
  FROM rcs_messages;
--> statement-breakpoint
ALTER TABLE campaigns ADD COLUMN content_id uuid;
--> statement-breakpoint
ALTER TABLE campaigns ADD COLUMN content_name text;
--> statement-breakpoint
CREATE INDEX campaigns_of_content ON campaigns (workspace_id, content_id) WHERE content_id IS NOT NULL;
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
    c.allow_missing_values, coalesce(p.excluded, 0) AS excluded, c.content_id, c.content_name
  FROM campaigns c LEFT JOIN delivery_progress p ON p.run_no = c.run_no;
