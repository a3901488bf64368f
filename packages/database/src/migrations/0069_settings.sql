-- What became of handing the profile of the business to the platform of a number (docs/decisions/066-settings.md).
CREATE TABLE profile_pushes (
  channel_id uuid PRIMARY KEY REFERENCES channels ON DELETE CASCADE,
  workspace_id uuid NOT NULL REFERENCES workspaces ON DELETE CASCADE,
  -- The version of the settings that is to stand there.
  version integer NOT NULL,
  state text NOT NULL CHECK (state IN ('waiting', 'done', 'refused', 'unreachable')),
  -- The platform's reason, as a sentence.
  reason text,
  changed_at timestamptz NOT NULL
);
--> statement-breakpoint
SELECT guard_workspace('profile_pushes');
--> statement-breakpoint
CREATE INDEX profile_pushes_workspace ON profile_pushes (workspace_id);
