-- More sums of rollups (docs/decisions/148-instants-are-constants-and-messages-are-read-once.md). hour: everything of an hour of UTC, for charts by day.
-- template_month: each template of 30 days (thirty_days_of), because a template is used for years.
ALTER TABLE message_rollup_sums DROP CONSTRAINT message_rollup_sums_level_check;
--> statement-breakpoint
ALTER TABLE message_rollup_sums ADD CONSTRAINT message_rollup_sums_level_check
  CHECK (level IN ('quarter', 'hour', 'day', 'slot', 'campaign', 'template', 'template_month'));
--> statement-breakpoint
CREATE FUNCTION hour_of(at timestamptz) RETURNS timestamptz LANGUAGE sql IMMUTABLE AS $$
  SELECT date_bin('1 hour', at, '2000-01-01 00:00:00+00')
$$;
--> statement-breakpoint
-- As in 0523, with the two new levels.
CREATE OR REPLACE FUNCTION rollup_levels(quarter timestamptz, channel uuid, campaign uuid, template uuid)
  RETURNS TABLE (level text, channel_id uuid, at timestamptz, id uuid) LANGUAGE sql IMMUTABLE AS $$
  SELECT l.level, c.channel_id, l.at, l.id
  FROM (VALUES ('quarter', quarter, NULL::uuid), ('hour', hour_of(quarter), NULL), ('day', day_of(quarter), NULL),
    ('slot', thirty_days_of(quarter) + (quarter - day_of(quarter)), NULL),
    ('campaign', day_of(quarter), campaign), ('template', day_of(quarter), template), ('template_month', thirty_days_of(quarter), template))
    AS l (level, at, id)
  CROSS JOIN (VALUES (NULL::uuid), (channel)) AS c (channel_id)
  WHERE l.level IN ('quarter', 'hour', 'day', 'slot') OR l.id IS NOT NULL
$$;
--> statement-breakpoint
INSERT INTO message_rollup_sums
  SELECT s.workspace_id, CASE s.level WHEN 'quarter' THEN 'hour' ELSE 'template_month' END, s.channel_id,
    CASE s.level WHEN 'quarter' THEN hour_of(s.at) ELSE thirty_days_of(s.at) END, s.id, sum(s.sent), sum(s.reported), sum(s.delivered),
    sum(s.read), sum(s.failed), sum(s.received), sum(s.replied), sum(s.clicked), sum(s.cost)
  FROM message_rollup_sums s WHERE s.level IN ('quarter', 'template') GROUP BY 1, 2, 3, 4, 5;
--> statement-breakpoint
-- The rollups of contacts by days of UTC. A trigger keeps them equal to contact_rollups; they hold nothing that is not there.
CREATE TABLE contact_rollup_sums (
  workspace_id uuid NOT NULL REFERENCES workspaces ON DELETE CASCADE,
  -- When the day begins.
  at timestamptz NOT NULL,
  kind text NOT NULL,
  source text NOT NULL,
  contacts bigint NOT NULL,
  PRIMARY KEY (workspace_id, at, kind, source)
) WITH (fillfactor = 70);
--> statement-breakpoint
SELECT guard_workspace('contact_rollup_sums');
--> statement-breakpoint
INSERT INTO contact_rollup_sums
  SELECT r.workspace_id, day_of(r.quarter), r.kind, r.source, sum(r.contacts) FROM contact_rollups r GROUP BY 1, 2, 3, 4;
--> statement-breakpoint
CREATE FUNCTION sum_up_contact_rollups() RETURNS trigger LANGUAGE plpgsql SET jit = off AS $$
BEGIN
  EXECUTE format($sums$
    INSERT INTO contact_rollup_sums AS s
    SELECT * FROM (
      SELECT r.workspace_id, day_of(r.quarter), r.kind, r.source, sum(r.one * r.contacts) AS contacts FROM (%s) AS r GROUP BY 1, 2, 3, 4) AS n
    WHERE contacts <> 0
    -- In one order, so that no two writers wait for each other.
    ORDER BY 1, 2, 3, 4
    ON CONFLICT (workspace_id, at, kind, source) DO UPDATE SET contacts = s.contacts + excluded.contacts $sums$,
    'SELECT 1 AS one, n.* FROM new_rows n' || CASE TG_OP WHEN 'UPDATE' THEN ' UNION ALL SELECT -1, o.* FROM old_rows o' ELSE '' END);
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER sum_up_new_contact_rollups AFTER INSERT ON contact_rollups REFERENCING NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION sum_up_contact_rollups();
--> statement-breakpoint
CREATE TRIGGER sum_up_changed_contact_rollups AFTER UPDATE ON contact_rollups REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION sum_up_contact_rollups();
