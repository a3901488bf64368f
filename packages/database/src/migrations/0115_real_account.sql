-- An account whose password everybody knows becomes that of a person: name, address and password are theirs, and whatever else opened it,
-- or gave it back to somebody, goes. Its picture was somebody else's. Sessions are ended by whoever tells of it. `back_since`: until when a former owner may take an address back.
CREATE OR REPLACE FUNCTION make_account_real(person uuid, kept_session uuid, first text, last text, address text, hash text, back_since timestamptz, at timestamptz)
RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  before text := enter_system_scope();
  outcome text := 'elsewhere';
BEGIN
  IF is_member_here(person) AND (SELECT count(*) FROM memberships m WHERE m.user_id = person) = 1 THEN
    BEGIN
      UPDATE users SET first_name = first, last_name = last, name = btrim(first || ' ' || last), email = address,
             email_verified = true, phone_number = NULL, image = NULL, updated_at = at
       WHERE id = person;
      outcome := 'changed';
    EXCEPTION WHEN unique_violation THEN
      outcome := 'taken';
    END;
    IF outcome = 'changed' AND EXISTS (SELECT FROM email_changes c
        WHERE c.from_email = address AND c.user_id <> person AND c.confirmed_at >= back_since AND c.ended_at IS NULL) THEN
      outcome := 'taken';
    END IF;
    UPDATE accounts SET password = hash, updated_at = at WHERE user_id = person AND provider_id = 'credential';
    IF NOT FOUND THEN
      INSERT INTO accounts (id, user_id, account_id, provider_id, password)
      VALUES (gen_random_uuid(), person, person::text, 'credential', hash);
    END IF;
    DELETE FROM verifications WHERE value = person::text;
    DELETE FROM email_changes WHERE user_id = person;
    DELETE FROM two_factor WHERE user_id = person;
    DELETE FROM trusted_devices WHERE user_id = person;
    DELETE FROM avatars WHERE user_id = person;
    DELETE FROM passkeys WHERE user_id = person;
    DELETE FROM company_identities WHERE user_id = person;
    DELETE FROM api_keys WHERE user_id = person;
    DELETE FROM push_browsers WHERE user_id = person AND session_id <> kept_session;
  END IF;
  PERFORM set_config('app.scope', before, true);
  RETURN outcome;
END $$;
