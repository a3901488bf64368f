-- Who manages users (docs/decisions/042-people-of-a-workspace.md).
ALTER TABLE memberships ADD COLUMN version integer NOT NULL DEFAULT 1;
--> statement-breakpoint
ALTER TABLE workspaces ADD COLUMN role_permissions_version integer NOT NULL DEFAULT 1;
--> statement-breakpoint
-- A session that somebody ended stays for a while, to be listed. A column of its own: moving its end forward could meet the
-- request that moves it back because it is being used.
ALTER TABLE sessions ADD COLUMN ended_at timestamptz;
--> statement-breakpoint
CREATE INDEX sessions_end ON sessions (expires_at);
--> statement-breakpoint
CREATE TABLE invitations (
  id uuid PRIMARY KEY,
  workspace_id uuid NOT NULL REFERENCES workspaces ON DELETE CASCADE,
  email text NOT NULL,
  role text NOT NULL CHECK (role IN ('admin', 'manager', 'agent', 'viewer')),
  team_id uuid,
  state text NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'taken', 'revoked')),
  -- Who answers for the role: with them goes the invitation.
  invited_by uuid REFERENCES users ON DELETE SET NULL,
  invited_by_name text NOT NULL,
  sent_at timestamptz NOT NULL,
  -- How often it was sent: each time is a mail of its own.
  times_sent integer NOT NULL DEFAULT 1,
  expires_at timestamptz NOT NULL,
  created_at timestamptz NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX invitations_open ON invitations (workspace_id, email) WHERE state = 'open';
--> statement-breakpoint
CREATE INDEX invitations_newest ON invitations (workspace_id, created_at DESC, id DESC);
--> statement-breakpoint
SELECT guard_workspace('invitations');
--> statement-breakpoint
-- Accounts and sessions are guarded from every workspace. These are the doors through which one that manages its people
-- reaches those of its members, and nothing else of them: no token, no password. Each sees the workspace of its transaction,
-- has system scope while it runs, and gives back the scope that it found.
CREATE FUNCTION enter_system_scope() RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  before text := coalesce(current_setting('app.scope', true), '');
BEGIN
  PERFORM set_config('app.scope', 'system', true);
  RETURN before;
END $$;
--> statement-breakpoint
CREATE FUNCTION is_member_here(person uuid) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT EXISTS (SELECT FROM memberships m WHERE m.user_id = person
    AND m.workspace_id = (SELECT nullif(current_setting('app.workspace_id', true), '')::uuid))
$$;
--> statement-breakpoint
CREATE FUNCTION sessions_of_members()
RETURNS TABLE (id uuid, user_id uuid, ip_address text, user_agent text, created_at timestamptz, updated_at timestamptz,
               expires_at timestamptz, ended_at timestamptz)
LANGUAGE plpgsql AS $$
DECLARE
  before text := enter_system_scope();
BEGIN
  RETURN QUERY
    SELECT s.id, s.user_id, s.ip_address, s.user_agent, s.created_at, s.updated_at, s.expires_at, s.ended_at
      FROM memberships m JOIN sessions s ON s.user_id = m.user_id
     WHERE m.workspace_id = (SELECT nullif(current_setting('app.workspace_id', true), '')::uuid);
  PERFORM set_config('app.scope', before, true);
END $$;
--> statement-breakpoint
-- Ends the open sessions of a member: all, only one, or all but one. Answers with how many it were.
CREATE FUNCTION end_sessions_of_member(person uuid, only_one uuid, but_one uuid, at timestamptz)
RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
  before text := enter_system_scope();
  ended integer := 0;
BEGIN
  IF is_member_here(person) THEN
    UPDATE sessions s SET ended_at = at
     WHERE s.user_id = person AND s.ended_at IS NULL AND s.expires_at > at
       AND (only_one IS NULL OR s.id = only_one) AND (but_one IS NULL OR s.id <> but_one);
    GET DIAGNOSTICS ended = ROW_COUNT;
  END IF;
  PERFORM set_config('app.scope', before, true);
  RETURN ended;
END $$;
--> statement-breakpoint
-- The account of somebody who belongs to more than one workspace is nobody's to change: false.
CREATE FUNCTION change_account_of_member(person uuid, first text, last text, phone text, active boolean, at timestamptz)
RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  before text := enter_system_scope();
  is_changed boolean;
BEGIN
  UPDATE users u SET first_name = first, last_name = last, name = btrim(first || ' ' || last), phone_number = phone,
         is_active = active, updated_at = at
   WHERE u.id = person AND is_member_here(person) AND (SELECT count(*) FROM memberships m WHERE m.user_id = person) = 1;
  is_changed := FOUND;
  PERFORM set_config('app.scope', before, true);
  RETURN is_changed;
END $$;
--> statement-breakpoint
-- Takes somebody out of the workspace, and their account with password, sessions and links where no other workspace has them.
CREATE FUNCTION remove_member(person uuid) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  before text := enter_system_scope();
BEGIN
  IF is_member_here(person) THEN
    IF (SELECT count(*) FROM memberships m WHERE m.user_id = person) = 1 THEN
      DELETE FROM verifications WHERE value = person::text;
      DELETE FROM users WHERE id = person;
    ELSE
      DELETE FROM memberships WHERE user_id = person
        AND workspace_id = nullif(current_setting('app.workspace_id', true), '')::uuid;
    END IF;
  END IF;
  PERFORM set_config('app.scope', before, true);
END $$;
