-- People who belong to several workspaces (docs/decisions/072-several-workspaces.md).
-- Opens a workspace with its maker as the only member, who is an admin of another one: `open`. Else nothing is made, and the answer is `by_admins`;
-- `gone` for an account that went meanwhile.
CREATE FUNCTION open_workspace(maker uuid, new_id uuid, address text, title text, chosen jsonb, words text, trial_until timestamptz,
  at timestamptz)
RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  before text := enter_system_scope();
  outcome text := 'open';
BEGIN
  PERFORM FROM users u WHERE u.id = maker FOR KEY SHARE;
  IF NOT FOUND THEN
    outcome := 'gone';
  ELSIF NOT EXISTS (SELECT FROM memberships m JOIN users u ON u.id = m.user_id
      WHERE m.user_id = maker AND m.role = 'admin' AND u.is_active) THEN
    outcome := 'by_admins';
  ELSE
    INSERT INTO workspaces (id, slug, name, settings, language, trial_ends_at, created_at)
    VALUES (new_id, address, title, chosen, words, trial_until, at);
    INSERT INTO memberships (workspace_id, user_id, role, created_at) VALUES (new_id, maker, 'admin', at);
  END IF;
  PERFORM set_config('app.scope', before, true);
  RETURN outcome;
END $$;
--> statement-breakpoint
-- As before, but that nothing which is somebody's own in a workspace outlives their place there; and the person is locked first: of two who
-- take them out of their last two workspaces one finds that it is the last.
CREATE OR REPLACE FUNCTION remove_member(person uuid) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  before text := enter_system_scope();
  here uuid := nullif(current_setting('app.workspace_id', true), '')::uuid;
BEGIN
  PERFORM FROM users u WHERE u.id = person FOR UPDATE;
  IF is_member_here(person) THEN
    IF (SELECT count(*) FROM memberships m WHERE m.user_id = person) = 1 THEN
      DELETE FROM verifications WHERE value = person::text;
      INSERT INTO company_leavers (identity_hash, left_at)
        SELECT hash_company_identity(i.issuer, i.subject), now() FROM company_identities i WHERE i.user_id = person
        ON CONFLICT (identity_hash) DO UPDATE SET left_at = excluded.left_at;
      DELETE FROM users WHERE id = person;
    ELSE
      -- What else is theirs here falls with the membership; what they wrote and made stays, under their name.
      UPDATE conversations SET assignee_id = NULL WHERE workspace_id = here AND assignee_id = person;
      DELETE FROM conversation_marks WHERE workspace_id = here AND user_id = person;
      DELETE FROM inbox_people WHERE workspace_id = here AND user_id = person;
      DELETE FROM notifications WHERE workspace_id = here AND user_id = person;
      DELETE FROM presence_streams WHERE workspace_id = here AND user_id = person;
      DELETE FROM summaries WHERE workspace_id = here AND user_id = person;
      DELETE FROM team_members WHERE workspace_id = here AND user_id = person;
      DELETE FROM memberships WHERE workspace_id = here AND user_id = person;
    END IF;
  END IF;
  PERFORM set_config('app.scope', before, true);
END $$;
