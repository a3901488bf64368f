-- Who gets the second message of a campaign, because the first one did not arrive. A recipient has one row at most: it is the decision, and
-- whoever has one is sent nothing else by the campaign or by its retries.
ALTER TABLE campaigns ADD COLUMN fallback jsonb;
--> statement-breakpoint
-- Set when nobody can fall back any more.
ALTER TABLE campaigns ADD COLUMN fallback_done_at timestamptz;
--> statement-breakpoint
CREATE INDEX campaigns_falling_back ON campaigns (id) WHERE fallback IS NOT NULL AND run_no IS NOT NULL AND fallback_done_at IS NULL;
--> statement-breakpoint
CREATE TABLE campaign_fallbacks (
  run_no bigint NOT NULL,
  seq integer NOT NULL,
  workspace_id uuid NOT NULL REFERENCES workspaces ON DELETE CASCADE,
  campaign_id uuid NOT NULL REFERENCES campaigns ON DELETE CASCADE,
  -- 'revoking' (the first message may still arrive), 'ready', 'sent', 'arrived' (the first one did), 'left_out', 'unknown'
  state text NOT NULL,
  -- Why it was left out, or is unknown.
  code text,
  message_id uuid,
  tries integer NOT NULL DEFAULT 0,
  due_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (run_no, seq)
);
--> statement-breakpoint
CREATE INDEX campaign_fallbacks_due ON campaign_fallbacks (due_at) WHERE state IN ('revoking', 'ready');
--> statement-breakpoint
CREATE INDEX campaign_fallbacks_campaign ON campaign_fallbacks (campaign_id);
--> statement-breakpoint
SELECT guard_workspace('campaign_fallbacks');
--> statement-breakpoint
-- As in 0121, and leaves out whom a fallback has: they got the second message, may have got the first, or nobody knows.
CREATE OR REPLACE FUNCTION retryable_contacts(p_workspace uuid, p_campaign uuid, p_lasting text[]) RETURNS SETOF uuid LANGUAGE plpgsql STABLE ROWS 10000 AS $$
DECLARE
  run record;
  ids uuid[];
  phones text[];
  taken text[] := '{}';
BEGIN
  ids := ARRAY(SELECT DISTINCT r.contact_id FROM delivery_recipients r
    WHERE r.run_no = (SELECT d.run_no FROM delivery_runs d WHERE d.campaign_id = p_campaign)
      AND r.workspace_id = p_workspace AND r.contact_id IS NOT NULL AND has_never_arrived(r)
      AND (r.error_code IS NULL OR r.error_code <> ALL (p_lasting))
      AND NOT EXISTS (SELECT FROM campaign_fallbacks f WHERE f.run_no = r.run_no AND f.seq = r.seq AND f.state <> 'left_out'));
  FOR run IN SELECT d.run_no AS no, coalesce(d.retry_of = p_campaign, false) AS is_retry
               FROM related_runs(p_campaign) f JOIN delivery_runs d ON d.run_no = f.run_no LOOP
    ids := ARRAY(SELECT unnest(ids) EXCEPT SELECT r.contact_id FROM delivery_recipients r
      WHERE r.run_no = run.no AND r.workspace_id = p_workspace AND r.state <> 4 AND (run.is_retry OR NOT has_never_arrived(r)));
  END LOOP;
  phones := ARRAY(SELECT c.phone FROM contacts c WHERE c.id = ANY (ids) AND c.phone IS NOT NULL);
  FOR run IN SELECT f.run_no AS no FROM related_runs(p_campaign) f LOOP
    taken := taken || ARRAY(SELECT unnest(phones) INTERSECT SELECT r.address FROM delivery_recipients r
      WHERE r.run_no = run.no AND r.workspace_id = p_workspace AND r.state <> 4 AND NOT has_never_arrived(r));
  END LOOP;
  RETURN QUERY SELECT c.id FROM contacts c WHERE c.id = ANY (ids) AND (c.phone IS NULL OR c.phone <> ALL (taken));
END $$;
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
    c.allow_missing_values, coalesce(p.excluded, 0) AS excluded, c.content_id, c.content_name, c.fallback, c.fallback_done_at
  FROM campaigns c LEFT JOIN delivery_progress p ON p.run_no = c.run_no;
