-- Which person was, or is to be, mailed which summary: one for each morning of theirs, whoever looks (docs/decisions/068-telling-people.md).
CREATE TABLE summaries (
  id uuid PRIMARY KEY,
  workspace_id uuid NOT NULL REFERENCES workspaces ON DELETE CASCADE,
  user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  kind text NOT NULL CHECK (kind IN ('daily_summary', 'weekly_report')),
  -- In the time zone of the person. It tells of what was before this day.
  day date NOT NULL,
  time_zone text NOT NULL,
  told_at timestamptz
);
--> statement-breakpoint
CREATE UNIQUE INDEX summaries_once ON summaries (user_id, workspace_id, kind, day);
--> statement-breakpoint
CREATE INDEX summaries_workspace ON summaries (workspace_id);
--> statement-breakpoint
CREATE INDEX summaries_day ON summaries (day);
--> statement-breakpoint
SELECT guard_workspace('summaries');
