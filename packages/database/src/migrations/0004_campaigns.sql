CREATE TABLE campaigns (
  id uuid PRIMARY KEY,
  workspace_id uuid NOT NULL REFERENCES workspaces ON DELETE CASCADE,
  name text NOT NULL,
  kind text NOT NULL DEFAULT 'campaign' CHECK (kind IN ('campaign', 'bulk')),
  -- Null means a custom message.
  template_id uuid REFERENCES templates ON DELETE SET NULL,
  -- The template's name when it was chosen; stays readable after the template was deleted.
  template_name text,
  custom_message text,
  -- Values chosen for the variables of the message: {"name": {"field": "name"}} or {"code": {"text": "X1"}}.
  variables jsonb NOT NULL DEFAULT '{}',
  -- Who gets it, and how many that were when it was saved: {"contactIds": [...]} or {"filter": {...}, "excludedIds": [...]}.
  audience jsonb NOT NULL DEFAULT '{"contactIds": []}',
  audience_size integer NOT NULL DEFAULT 0,
  -- Until sending begins; from then on the run says it (see campaigns_now).
  status text NOT NULL DEFAULT 'draft' CHECK (status IN ('draft', 'scheduled', 'paused', 'cancelled')),
  -- Why a scheduled campaign could not begin, as an error code of the contract.
  pause_reason text,
  scheduled_at timestamptz,
  -- Hours in which nothing is sent: {"from": "21:00", "to": "09:00", "timeZone": "Europe/Paris"}.
  quiet_hours jsonb,
  -- US dollars for one message when it was saved, or started.
  price_per_message double precision NOT NULL DEFAULT 0.05,
  created_by uuid,
  -- In milliseconds, as JavaScript reads it: a cursor made of it skips nobody.
  created_at timestamptz NOT NULL DEFAULT date_trunc('milliseconds', now()),
  updated_at timestamptz NOT NULL DEFAULT now(),
  version integer NOT NULL DEFAULT 1,
  run_no bigint UNIQUE
);
--> statement-breakpoint
CREATE INDEX campaigns_newest ON campaigns (workspace_id, created_at DESC, id DESC);
--> statement-breakpoint
CREATE INDEX campaigns_due ON campaigns (scheduled_at) WHERE status = 'scheduled';
--> statement-breakpoint
SELECT guard_workspace('campaigns');
--> statement-breakpoint
-- A campaign as people see it: its own words, and status and counts of its run once there is one.
CREATE VIEW campaigns_now WITH (security_invoker = true) AS
  SELECT c.id, c.workspace_id, c.name, c.kind, c.template_id, c.template_name, c.custom_message, c.variables, c.audience,
    c.audience_size, c.scheduled_at, c.quiet_hours, c.price_per_message, c.created_by, c.created_at, c.updated_at, c.version, c.run_no,
    CASE WHEN p.run_no IS NULL THEN c.status WHEN p.state IN ('ready', 'running') THEN 'running' ELSE p.state END AS status,
    coalesce(p.pause_reason, c.pause_reason) AS pause_reason, p.pause_code, p.pause_detail, p.started_at, p.completed_at,
    coalesce(p.total, 0) AS total,
    coalesce(p.total - p.accepted - p.refused - p.cancelled - p.unknown, 0) AS pending,
    coalesce(p.accepted, 0) AS sent, coalesce(p.delivered, 0) AS delivered, coalesce(p.read, 0) AS read,
    coalesce(p.refused + p.failed, 0) AS failed, coalesce(p.cancelled, 0) AS cancelled, coalesce(p.unknown, 0) AS unknown
  FROM campaigns c LEFT JOIN delivery_progress p ON p.run_no = c.run_no;
