-- For the hours of the day in the inbox, as 0800 for messages: everything of one quarter of an hour of the day within 5 days, as if it had been on the first of
-- them. They are read where a period begins or ends within 30 days, and where clocks are changed in these.
ALTER TABLE inbox_rollup_sums DROP CONSTRAINT inbox_rollup_sums_level_check;
--> statement-breakpoint
ALTER TABLE inbox_rollup_sums ADD CONSTRAINT inbox_rollup_sums_level_check
  CHECK (level IN ('quarter', 'day', 'month', 'slot', 'short_slot', 'agent_slot', 'team_slot'));
--> statement-breakpoint
-- As in 0602, with the new level.
CREATE OR REPLACE FUNCTION inbox_rollup_levels(quarter timestamptz, channel uuid, agent uuid, team uuid)
  RETURNS TABLE (level text, channel_id uuid, at timestamptz, agent_id uuid, team_id uuid) LANGUAGE sql IMMUTABLE AS $$
  SELECT l.level, c.channel_id, l.at, l.agent_id, l.team_id
  FROM (VALUES ('quarter', quarter, NULL::uuid, NULL::uuid), ('day', day_of(quarter), agent, team), ('month', thirty_days_of(quarter), agent, team),
    ('slot', thirty_days_of(quarter) + (quarter - day_of(quarter)), NULL, NULL),
    ('short_slot', five_days_of(quarter) + (quarter - day_of(quarter)), NULL, NULL),
    ('agent_slot', thirty_days_of(quarter) + (quarter - day_of(quarter)), agent, NULL),
    ('team_slot', thirty_days_of(quarter) + (quarter - day_of(quarter)), NULL, team))
    AS l (level, at, agent_id, team_id)
  CROSS JOIN (VALUES (NULL::uuid), (channel)) AS c (channel_id)
  WHERE (l.level <> 'agent_slot' OR agent IS NOT NULL) AND (l.level <> 'team_slot' OR team IS NOT NULL)
$$;
--> statement-breakpoint
INSERT INTO inbox_rollup_sums (workspace_id, level, channel_id, at, first_responses, first_response_ms, first_responses_late, resolutions, resolution_ms, asked,
    rated_good, rated_okay, rated_bad)
  SELECT s.workspace_id, 'short_slot', s.channel_id, five_days_of(s.at) + (s.at - day_of(s.at)), sum(s.first_responses), sum(s.first_response_ms),
    sum(s.first_responses_late), sum(s.resolutions), sum(s.resolution_ms), sum(s.asked), sum(s.rated_good), sum(s.rated_okay), sum(s.rated_bad)
  FROM inbox_rollup_sums s WHERE s.level = 'quarter' GROUP BY 1, 3, 4;
