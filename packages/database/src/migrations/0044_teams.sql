CREATE TABLE teams (
  id uuid PRIMARY KEY,
  workspace_id uuid NOT NULL REFERENCES workspaces ON DELETE CASCADE,
  name text NOT NULL,
  description text NOT NULL DEFAULT '',
  -- Whether every member may add people, and whether who is added by them or joins by themself waits for an admin of the team.
  allow_invites boolean NOT NULL DEFAULT true,
  require_approval boolean NOT NULL DEFAULT false,
  max_members integer NOT NULL DEFAULT 10 CHECK (max_members > 0),
  features text[] NOT NULL DEFAULT '{}',
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX teams_name ON teams (workspace_id, lower(name));
--> statement-breakpoint
SELECT guard_workspace('teams');
--> statement-breakpoint
CREATE TABLE team_members (
  workspace_id uuid NOT NULL REFERENCES workspaces ON DELETE CASCADE,
  team_id uuid NOT NULL REFERENCES teams ON DELETE CASCADE,
  user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  role text NOT NULL CHECK (role IN ('owner', 'admin', 'member')),
  -- Asked for, or was added by somebody who may not decide alone.
  is_waiting boolean NOT NULL DEFAULT false,
  joined_at timestamptz NOT NULL,
  PRIMARY KEY (team_id, user_id)
);
--> statement-breakpoint
CREATE INDEX team_members_user ON team_members (workspace_id, user_id);
--> statement-breakpoint
SELECT guard_workspace('team_members');
--> statement-breakpoint
ALTER TABLE invitations ADD CONSTRAINT invitations_team FOREIGN KEY (team_id) REFERENCES teams ON DELETE SET NULL;
