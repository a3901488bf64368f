-- For the hours of the day, beside the slots of 30 days (0523): everything of one quarter of an hour of the day within 5 days, as if it had been on the first of
-- them. They are read where a period begins or ends within 30 days, and where clocks are changed in these.
ALTER TABLE message_rollup_sums DROP CONSTRAINT message_rollup_sums_level_check;
--> statement-breakpoint
ALTER TABLE message_rollup_sums ADD CONSTRAINT message_rollup_sums_level_check
  CHECK (level IN ('quarter', 'hour', 'day', 'slot', 'short_slot', 'campaign', 'template', 'template_month'));
--> statement-breakpoint
CREATE FUNCTION five_days_of(at timestamptz) RETURNS timestamptz LANGUAGE sql IMMUTABLE AS $$
  SELECT date_bin('120 hours', at, '2000-01-01 00:00:00+00')
$$;
--> statement-breakpoint
-- As in 0651, with the new level.
CREATE OR REPLACE FUNCTION rollup_levels(quarter timestamptz, channel uuid, campaign uuid, template uuid)
  RETURNS TABLE (level text, channel_id uuid, at timestamptz, id uuid) LANGUAGE sql IMMUTABLE AS $$
  SELECT l.level, c.channel_id, l.at, l.id
  FROM (VALUES ('quarter', quarter, NULL::uuid), ('hour', hour_of(quarter), NULL), ('day', day_of(quarter), NULL),
    ('slot', thirty_days_of(quarter) + (quarter - day_of(quarter)), NULL),
    ('short_slot', five_days_of(quarter) + (quarter - day_of(quarter)), NULL),
    ('campaign', day_of(quarter), campaign), ('template', day_of(quarter), template), ('template_month', thirty_days_of(quarter), template))
    AS l (level, at, id)
  CROSS JOIN (VALUES (NULL::uuid), (channel)) AS c (channel_id)
  WHERE l.level IN ('quarter', 'hour', 'day', 'slot', 'short_slot') OR l.id IS NOT NULL
$$;
--> statement-breakpoint
INSERT INTO message_rollup_sums (workspace_id, level, channel_id, at, id, sent, reported, delivered, read, failed, received, replied, clicked, cost, refused)
  SELECT s.workspace_id, 'short_slot', s.channel_id, five_days_of(s.at) + (s.at - day_of(s.at)), NULL, sum(s.sent), sum(s.reported), sum(s.delivered),
    sum(s.read), sum(s.failed), sum(s.received), sum(s.replied), sum(s.clicked), sum(s.cost), sum(s.refused)
  FROM message_rollup_sums s WHERE s.level = 'quarter' GROUP BY 1, 3, 4;
