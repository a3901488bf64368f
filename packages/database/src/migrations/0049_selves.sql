-- What people change about themselves and about others (docs/decisions/047-changes-of-a-person.md).
-- An address that somebody asked for; after it was confirmed, how the former one takes it back. No link is kept: it is made of the
-- id under the server's key where the mail goes out.
CREATE TABLE email_changes (
  id uuid PRIMARY KEY,
  user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  from_email text NOT NULL,
  to_email text NOT NULL,
  asked_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  confirmed_at timestamptz,
  -- Withdrawn, replaced by a later one, ended with a reset of the password, or taken back.
  ended_at timestamptz
);
--> statement-breakpoint
CREATE UNIQUE INDEX email_changes_open ON email_changes (user_id) WHERE confirmed_at IS NULL AND ended_at IS NULL;
--> statement-breakpoint
CREATE INDEX email_changes_user_id ON email_changes (user_id, asked_at DESC);
--> statement-breakpoint
SELECT guard_system('email_changes');
--> statement-breakpoint
-- For installations that send no mail: the address of a member, changed by those who manage users.
CREATE FUNCTION change_address_of_member(person uuid, address text, at timestamptz) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  before text := enter_system_scope();
  outcome text := 'elsewhere';
BEGIN
  IF EXISTS (SELECT FROM users u WHERE u.email = address AND u.id <> person) THEN
    outcome := 'taken';
  ELSIF is_member_here(person) AND (SELECT count(*) FROM memberships m WHERE m.user_id = person) = 1 THEN
    UPDATE users SET email = address, email_verified = true, updated_at = at WHERE id = person;
    DELETE FROM verifications WHERE value = person::text;
    UPDATE email_changes SET ended_at = at WHERE user_id = person AND ended_at IS NULL;
    outcome := 'changed';
  END IF;
  PERFORM set_config('app.scope', before, true);
  RETURN outcome;
END $$;
--> statement-breakpoint
-- Whoever lost telephone and recovery codes: the second factor of a member goes with the browsers that need none, and with the
-- passkeys where that is wanted. Answers with what there was, and ends every session and sign-in that is underway.
CREATE FUNCTION reset_factors_of_member(person uuid, with_passkeys boolean, at timestamptz,
  OUT is_found boolean, OUT had_factor boolean, OUT passkeys_gone integer)
LANGUAGE plpgsql AS $$
DECLARE
  before text := enter_system_scope();
BEGIN
  is_found := false;
  had_factor := false;
  passkeys_gone := 0;
  IF is_member_here(person) AND (SELECT count(*) FROM memberships m WHERE m.user_id = person) = 1 THEN
    is_found := true;
    PERFORM FROM users u WHERE u.id = person FOR NO KEY UPDATE;
    DELETE FROM two_factor f WHERE f.user_id = person;
    had_factor := FOUND;
    DELETE FROM trusted_devices d WHERE d.user_id = person;
    IF with_passkeys THEN
      DELETE FROM passkeys p WHERE p.user_id = person;
      GET DIAGNOSTICS passkeys_gone = ROW_COUNT;
    END IF;
    DELETE FROM verifications v WHERE v.value = person::text;
    UPDATE email_changes c SET ended_at = at WHERE c.user_id = person AND c.confirmed_at IS NULL AND c.ended_at IS NULL;
    UPDATE sessions s SET ended_at = at WHERE s.user_id = person AND s.ended_at IS NULL AND s.expires_at > at;
  END IF;
  PERFORM set_config('app.scope', before, true);
END $$;
--> statement-breakpoint
-- With what a member can sign in, for those who manage users.
CREATE FUNCTION factors_of_member(person uuid)
RETURNS TABLE (has_factor boolean, passkey_id uuid, passkey_name text, created_at timestamptz, last_used_at timestamptz)
LANGUAGE plpgsql AS $$
DECLARE
  before text := enter_system_scope();
BEGIN
  RETURN QUERY
    SELECT EXISTS (SELECT FROM two_factor f WHERE f.user_id = m.user_id AND f.enabled_at IS NOT NULL),
           p.id, p.name, p.created_at, p.last_used_at
      FROM memberships m LEFT JOIN passkeys p ON p.user_id = m.user_id
     WHERE m.user_id = person
       AND m.workspace_id = (SELECT nullif(current_setting('app.workspace_id', true), '')::uuid)
     ORDER BY p.created_at, p.id;
  PERFORM set_config('app.scope', before, true);
END $$;
