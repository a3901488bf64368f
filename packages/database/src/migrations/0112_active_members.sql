-- Whether somebody is let in is a matter of each workspace (docs/decisions/072-several-workspaces.md).
ALTER TABLE memberships ADD COLUMN is_active boolean NOT NULL DEFAULT true;
--> statement-breakpoint
UPDATE memberships m SET is_active = false FROM users u WHERE u.id = m.user_id AND NOT u.is_active;
--> statement-breakpoint
ALTER TABLE users DROP COLUMN is_active;
--> statement-breakpoint
-- Whether a member has no place in another workspace, not even one that waits or is closed: only then is the account this one's to change.
CREATE FUNCTION is_only_here(person uuid) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT bool_and(m.workspace_id = (SELECT nullif(current_setting('app.workspace_id', true), '')::uuid)) IS TRUE
    FROM memberships m WHERE m.user_id = person
$$;
--> statement-breakpoint
DROP FUNCTION change_account_of_member(uuid, text, text, text, boolean, timestamptz);
--> statement-breakpoint
CREATE FUNCTION change_account_of_member(person uuid, first text, last text, phone text, at timestamptz)
RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  before text := enter_system_scope();
  is_changed boolean;
BEGIN
  UPDATE users u SET first_name = first, last_name = last, name = btrim(first || ' ' || last), phone_number = phone, updated_at = at
   WHERE u.id = person AND is_only_here(person);
  is_changed := FOUND;
  PERFORM set_config('app.scope', before, true);
  RETURN is_changed;
END $$;
--> statement-breakpoint
DROP FUNCTION sessions_of_members();
--> statement-breakpoint
-- Sessions are those of an account: whoever works elsewhere as well shows theirs to nobody but themselves.
CREATE FUNCTION sessions_of_members(asker uuid)
RETURNS TABLE (id uuid, user_id uuid, ip_address text, user_agent text, created_at timestamptz, updated_at timestamptz,
               expires_at timestamptz, ended_at timestamptz)
LANGUAGE plpgsql AS $$
DECLARE
  before text := enter_system_scope();
BEGIN
  RETURN QUERY
    SELECT s.id, s.user_id, s.ip_address, s.user_agent, s.created_at, s.updated_at, s.expires_at, s.ended_at
      FROM memberships m JOIN sessions s ON s.user_id = m.user_id
     WHERE m.workspace_id = (SELECT nullif(current_setting('app.workspace_id', true), '')::uuid)
       AND (m.user_id = asker OR NOT EXISTS (SELECT FROM memberships o WHERE o.user_id = m.user_id AND o.workspace_id <> m.workspace_id));
  PERFORM set_config('app.scope', before, true);
END $$;
--> statement-breakpoint
DROP FUNCTION end_sessions_of_member(uuid, uuid, uuid, timestamptz);
--> statement-breakpoint
-- Ends the open sessions of a member: all, only one, or all but one. Answers with how many it were; null where they are not the asker's to end.
CREATE FUNCTION end_sessions_of_member(person uuid, only_one uuid, but_one uuid, asker uuid, at timestamptz)
RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
  before text := enter_system_scope();
  ended integer;
BEGIN
  IF is_only_here(person) OR (person = asker AND is_member_here(person)) THEN
    UPDATE sessions s SET ended_at = at
     WHERE s.user_id = person AND s.ended_at IS NULL AND s.expires_at > at
       AND (only_one IS NULL OR s.id = only_one) AND (but_one IS NULL OR s.id <> but_one);
    GET DIAGNOSTICS ended = ROW_COUNT;
  END IF;
  PERFORM set_config('app.scope', before, true);
  RETURN ended;
END $$;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION open_workspace(maker uuid, new_id uuid, address text, title text, chosen jsonb, words text,
  trial_until timestamptz, at timestamptz)
RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  before text := enter_system_scope();
  outcome text := 'open';
BEGIN
  PERFORM FROM users u WHERE u.id = maker FOR KEY SHARE;
  IF NOT FOUND THEN
    outcome := 'gone';
  ELSIF NOT EXISTS (SELECT FROM memberships m WHERE m.user_id = maker AND m.role = 'admin' AND m.is_active) THEN
    outcome := 'by_admins';
  ELSE
    INSERT INTO workspaces (id, slug, name, settings, language, trial_ends_at, created_at)
    VALUES (new_id, address, title, chosen, words, trial_until, at);
    INSERT INTO memberships (workspace_id, user_id, role, created_at) VALUES (new_id, maker, 'admin', at);
  END IF;
  PERFORM set_config('app.scope', before, true);
  RETURN outcome;
END $$;
