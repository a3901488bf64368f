-- The rollups of the inbox added up, as those of messages are (docs/decisions/138-sums-of-the-inbox-and-reports-without-joins.md). A trigger keeps them equal to
-- inbox_rollups; they hold nothing that is not there.
CREATE TABLE inbox_rollup_sums (
  workspace_id uuid NOT NULL REFERENCES workspaces ON DELETE CASCADE,
  -- day: of a day of UTC, by member and team. month: the same of 30 days (thirty_days_of). slot: of one quarter of an hour of the day within 30
  -- days, as if it had been on the first of them, by neither; agent_slot and team_slot: by one of them. quarter: of a quarter of an hour, by neither.
  level text NOT NULL CHECK (level IN ('quarter', 'day', 'month', 'slot', 'agent_slot', 'team_slot')),
  -- Null: of all channels together.
  channel_id uuid,
  at timestamptz NOT NULL,
  agent_id uuid,
  team_id uuid,
  first_responses bigint NOT NULL,
  first_response_ms bigint NOT NULL,
  first_responses_late bigint NOT NULL,
  resolutions bigint NOT NULL,
  resolution_ms bigint NOT NULL,
  asked bigint NOT NULL,
  rated_good bigint NOT NULL,
  rated_okay bigint NOT NULL,
  rated_bad bigint NOT NULL,
  UNIQUE NULLS NOT DISTINCT (workspace_id, level, channel_id, at, agent_id, team_id)
) WITH (fillfactor = 70);
--> statement-breakpoint
SELECT guard_workspace('inbox_rollup_sums');
--> statement-breakpoint
-- What one row of inbox_rollups counts for.
CREATE FUNCTION inbox_rollup_levels(quarter timestamptz, channel uuid, agent uuid, team uuid)
  RETURNS TABLE (level text, channel_id uuid, at timestamptz, agent_id uuid, team_id uuid) LANGUAGE sql IMMUTABLE AS $$
  SELECT l.level, c.channel_id, l.at, l.agent_id, l.team_id
  FROM (VALUES ('quarter', quarter, NULL::uuid, NULL::uuid), ('day', day_of(quarter), agent, team), ('month', thirty_days_of(quarter), agent, team),
    ('slot', thirty_days_of(quarter) + (quarter - day_of(quarter)), NULL, NULL),
    ('agent_slot', thirty_days_of(quarter) + (quarter - day_of(quarter)), agent, NULL),
    ('team_slot', thirty_days_of(quarter) + (quarter - day_of(quarter)), NULL, team))
    AS l (level, at, agent_id, team_id)
  CROSS JOIN (VALUES (NULL::uuid), (channel)) AS c (channel_id)
  WHERE (l.level <> 'agent_slot' OR agent IS NOT NULL) AND (l.level <> 'team_slot' OR team IS NOT NULL)
$$;
--> statement-breakpoint
INSERT INTO inbox_rollup_sums
  SELECT r.workspace_id, l.level, l.channel_id, l.at, l.agent_id, l.team_id, sum(r.first_responses), sum(r.first_response_ms),
    sum(r.first_responses_late), sum(r.resolutions), sum(r.resolution_ms), sum(r.asked), sum(r.rated_good), sum(r.rated_okay), sum(r.rated_bad)
  FROM inbox_rollups r CROSS JOIN LATERAL inbox_rollup_levels(r.quarter, r.channel_id, r.agent_id, r.team_id) AS l GROUP BY 1, 2, 3, 4, 5, 6;
--> statement-breakpoint
-- Rollups are added to and never deleted one by one: with those of a workspace its sums go too.
CREATE FUNCTION sum_up_inbox_rollups() RETURNS trigger LANGUAGE plpgsql SET jit = off AS $$
BEGIN
  EXECUTE format($sums$
    INSERT INTO inbox_rollup_sums AS s
    SELECT * FROM (
      SELECT r.workspace_id, l.level, l.channel_id, l.at, l.agent_id, l.team_id, sum(r.one * r.first_responses) AS first_responses,
        sum(r.one * r.first_response_ms) AS first_response_ms, sum(r.one * r.first_responses_late) AS first_responses_late,
        sum(r.one * r.resolutions) AS resolutions, sum(r.one * r.resolution_ms) AS resolution_ms, sum(r.one * r.asked) AS asked,
        sum(r.one * r.rated_good) AS rated_good, sum(r.one * r.rated_okay) AS rated_okay, sum(r.one * r.rated_bad) AS rated_bad
      FROM (%s) AS r CROSS JOIN LATERAL inbox_rollup_levels(r.quarter, r.channel_id, r.agent_id, r.team_id) AS l
      GROUP BY 1, 2, 3, 4, 5, 6) AS n
    WHERE (first_responses, first_response_ms, first_responses_late, resolutions, resolution_ms, asked, rated_good, rated_okay, rated_bad)
      <> (0, 0, 0, 0, 0, 0, 0, 0, 0)
    -- In one order, so that no two writers wait for each other.
    ORDER BY 1, 2, 3, 4, 5, 6
    ON CONFLICT (workspace_id, level, channel_id, at, agent_id, team_id) DO UPDATE SET first_responses = s.first_responses + excluded.first_responses,
      first_response_ms = s.first_response_ms + excluded.first_response_ms,
      first_responses_late = s.first_responses_late + excluded.first_responses_late, resolutions = s.resolutions + excluded.resolutions,
      resolution_ms = s.resolution_ms + excluded.resolution_ms, asked = s.asked + excluded.asked, rated_good = s.rated_good + excluded.rated_good,
      rated_okay = s.rated_okay + excluded.rated_okay, rated_bad = s.rated_bad + excluded.rated_bad $sums$,
    'SELECT 1 AS one, n.* FROM new_rows n' || CASE TG_OP WHEN 'UPDATE' THEN ' UNION ALL SELECT -1, o.* FROM old_rows o' ELSE '' END);
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER sum_up_new_inbox_rollups AFTER INSERT ON inbox_rollups REFERENCING NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION sum_up_inbox_rollups();
--> statement-breakpoint
CREATE TRIGGER sum_up_changed_inbox_rollups AFTER UPDATE ON inbox_rollups REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION sum_up_inbox_rollups();
