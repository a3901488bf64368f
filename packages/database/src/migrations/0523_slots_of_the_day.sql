-- For the hours of the day: everything of one quarter of an hour of the day within 30 days, as if it had been on the first of them.
ALTER TABLE message_rollup_sums DROP CONSTRAINT message_rollup_sums_level_check;
--> statement-breakpoint
ALTER TABLE message_rollup_sums ADD CONSTRAINT message_rollup_sums_level_check CHECK (level IN ('quarter', 'day', 'slot', 'campaign', 'template'));
--> statement-breakpoint
CREATE FUNCTION thirty_days_of(at timestamptz) RETURNS timestamptz LANGUAGE sql IMMUTABLE AS $$
  SELECT date_bin('720 hours', at, '2000-01-01 00:00:00+00')
$$;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION rollup_levels(quarter timestamptz, channel uuid, campaign uuid, template uuid)
  RETURNS TABLE (level text, channel_id uuid, at timestamptz, id uuid) LANGUAGE sql IMMUTABLE AS $$
  SELECT l.level, c.channel_id, l.at, l.id
  FROM (VALUES ('quarter', quarter, NULL::uuid), ('day', day_of(quarter), NULL),
    ('slot', thirty_days_of(quarter) + (quarter - day_of(quarter)), NULL),
    ('campaign', day_of(quarter), campaign), ('template', day_of(quarter), template))
    AS l (level, at, id)
  CROSS JOIN (VALUES (NULL::uuid), (channel)) AS c (channel_id)
  WHERE l.level IN ('quarter', 'day', 'slot') OR l.id IS NOT NULL
$$;
--> statement-breakpoint
INSERT INTO message_rollup_sums
  SELECT s.workspace_id, 'slot', s.channel_id, thirty_days_of(s.at) + (s.at - day_of(s.at)), NULL, sum(s.sent), sum(s.reported), sum(s.delivered),
    sum(s.read), sum(s.failed), sum(s.received), sum(s.replied), sum(s.clicked), sum(s.cost)
  FROM message_rollup_sums s WHERE s.level = 'quarter' GROUP BY 1, 3, 4;
