-- The rollups of messages added up, so that a report reads few rows however long its period is (docs/decisions/129-sums-of-rollups.md). A trigger keeps
-- them equal to message_rollups; they hold nothing that is not there.
CREATE TABLE message_rollup_sums (
  workspace_id uuid NOT NULL REFERENCES workspaces ON DELETE CASCADE,
  -- quarter: everything of a quarter of an hour. day: of a day of UTC. campaign, template: of one of them in a day of UTC.
  level text NOT NULL CHECK (level IN ('quarter', 'day', 'campaign', 'template')),
  -- Null: of all channels together.
  channel_id uuid,
  -- When the quarter or the day begins.
  at timestamptz NOT NULL,
  -- The campaign or the template.
  id uuid,
  sent bigint NOT NULL,
  -- Of these, by ways of which the platform reports what became of it.
  reported bigint NOT NULL,
  delivered bigint NOT NULL,
  read bigint NOT NULL,
  failed bigint NOT NULL,
  received bigint NOT NULL,
  replied bigint NOT NULL,
  clicked bigint NOT NULL,
  cost bigint NOT NULL,
  UNIQUE NULLS NOT DISTINCT (workspace_id, level, channel_id, at, id)
) WITH (fillfactor = 70);
--> statement-breakpoint
SELECT guard_workspace('message_rollup_sums');
--> statement-breakpoint
CREATE FUNCTION day_of(at timestamptz) RETURNS timestamptz LANGUAGE sql IMMUTABLE AS $$
  SELECT date_bin('1 day', at, '2000-01-01 00:00:00+00')
$$;
--> statement-breakpoint
-- The first instant of a day in a time zone. Where clocks go back at midnight there are two; AT TIME ZONE alone takes the later one.
CREATE FUNCTION day_start(day date, zone text) RETURNS timestamptz LANGUAGE sql STABLE AS $$
  SELECT CASE WHEN (t.at - interval '1 hour') AT TIME ZONE zone >= day::timestamp THEN t.at - interval '1 hour' ELSE t.at END
  FROM (SELECT day::timestamp AT TIME ZONE zone AS at) AS t
$$;
--> statement-breakpoint
-- What one row of message_rollups counts for.
CREATE FUNCTION rollup_levels(quarter timestamptz, channel uuid, campaign uuid, template uuid)
  RETURNS TABLE (level text, channel_id uuid, at timestamptz, id uuid) LANGUAGE sql IMMUTABLE AS $$
  SELECT l.level, c.channel_id, l.at, l.id
  FROM (VALUES ('quarter', quarter, NULL::uuid), ('day', day_of(quarter), NULL),
    ('campaign', day_of(quarter), campaign), ('template', day_of(quarter), template))
    AS l (level, at, id)
  CROSS JOIN (VALUES (NULL::uuid), (channel)) AS c (channel_id)
  WHERE l.level IN ('quarter', 'day') OR l.id IS NOT NULL
$$;
--> statement-breakpoint
INSERT INTO message_rollup_sums
  SELECT r.workspace_id, l.level, l.channel_id, l.at, l.id, sum(r.sent), coalesce(sum(r.sent) FILTER (WHERE r.author <> 'app'), 0),
    sum(r.delivered), sum(r.read), sum(r.failed), sum(r.received), sum(r.replied), sum(r.clicked), sum(r.cost)
  FROM message_rollups r CROSS JOIN LATERAL rollup_levels(r.quarter, r.channel_id, r.campaign_id, r.template_id) AS l GROUP BY 1, 2, 3, 4, 5;
--> statement-breakpoint
-- Rollups are added to and never deleted one by one: with those of a workspace its sums go too.
CREATE FUNCTION sum_up_rollups() RETURNS trigger LANGUAGE plpgsql SET jit = off AS $$
BEGIN
  EXECUTE format($sums$
    INSERT INTO message_rollup_sums AS s
    SELECT * FROM (
      SELECT r.workspace_id, l.level, l.channel_id, l.at, l.id, sum(r.one * r.sent) AS sent,
        coalesce(sum(r.one * r.sent) FILTER (WHERE r.author <> 'app'), 0) AS reported, sum(r.one * r.delivered) AS delivered,
        sum(r.one * r.read) AS read, sum(r.one * r.failed) AS failed, sum(r.one * r.received) AS received, sum(r.one * r.replied) AS replied,
        sum(r.one * r.clicked) AS clicked, sum(r.one * r.cost) AS cost
      FROM (%s) AS r CROSS JOIN LATERAL rollup_levels(r.quarter, r.channel_id, r.campaign_id, r.template_id) AS l
      GROUP BY 1, 2, 3, 4, 5) AS n
    WHERE (sent, reported, delivered, read, failed, received, replied, clicked, cost) <> (0, 0, 0, 0, 0, 0, 0, 0, 0)
    -- In one order, so that no two writers wait for each other.
    ORDER BY 1, 2, 3, 4, 5
    ON CONFLICT (workspace_id, level, channel_id, at, id) DO UPDATE SET sent = s.sent + excluded.sent, reported = s.reported + excluded.reported,
      delivered = s.delivered + excluded.delivered, read = s.read + excluded.read, failed = s.failed + excluded.failed,
      received = s.received + excluded.received, replied = s.replied + excluded.replied, clicked = s.clicked + excluded.clicked,
      cost = s.cost + excluded.cost $sums$,
    'SELECT 1 AS one, n.* FROM new_rows n' || CASE TG_OP WHEN 'UPDATE' THEN ' UNION ALL SELECT -1, o.* FROM old_rows o' ELSE '' END);
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER sum_up_new_rollups AFTER INSERT ON message_rollups REFERENCING NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION sum_up_rollups();
--> statement-breakpoint
CREATE TRIGGER sum_up_changed_rollups AFTER UPDATE ON message_rollups REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION sum_up_rollups();
--> statement-breakpoint
-- Reports of one campaign or one template.
CREATE INDEX message_rollups_campaign ON message_rollups (workspace_id, campaign_id, quarter) WHERE campaign_id IS NOT NULL;
--> statement-breakpoint
CREATE INDEX message_rollups_template ON message_rollups (workspace_id, template_id, quarter) WHERE template_id IS NOT NULL;
--> statement-breakpoint
-- Reports that read messages leave those alone to which nothing happened since their period began, whenever they were written.
CREATE INDEX messages_by_last_event ON messages
  USING brin (greatest(occurred_at, accepted_at, delivered_at, read_at, failed_at, replied_at)) WITH (autosummarize = on);
