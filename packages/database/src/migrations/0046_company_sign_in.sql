-- Sign-in with the company's own provider (docs/decisions/044-company-sign-in.md). Read before a workspace is known: system processes
-- alone see it.
DROP INDEX accounts_of_company;
--> statement-breakpoint
-- Who somebody is to the provider. Its name for a person is theirs for good, whatever their address becomes.
CREATE TABLE company_identities (
  issuer text NOT NULL,
  subject text NOT NULL,
  user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  -- What the rules of the operator gave at the last sign-in: it ends when they give it no more.
  mapped_role text CHECK (mapped_role IN ('admin', 'manager', 'agent', 'viewer')),
  mapped_teams text[] NOT NULL DEFAULT '{}',
  linked_at timestamptz NOT NULL,
  last_used_at timestamptz,
  PRIMARY KEY (issuer, subject),
  UNIQUE (user_id, issuer)
);
--> statement-breakpoint
SELECT guard_system('company_identities');
--> statement-breakpoint
-- Somebody who went to the provider and is not back yet, or not signed in yet. Nothing here opens anything: what the provider and the browser
-- must show is made of the id under the server's key.
CREATE TABLE company_attempts (
  id uuid PRIMARY KEY,
  purpose text NOT NULL CHECK (purpose IN ('sign-in', 'link', 'proof')),
  -- Whose link or proof it is: it ends with the session.
  session_id uuid REFERENCES sessions ON DELETE CASCADE,
  remember_me boolean NOT NULL DEFAULT false,
  return_to text NOT NULL DEFAULT '',
  state text NOT NULL DEFAULT 'begun' CHECK (state IN ('begun', 'asked', 'answered')),
  -- Who came back, or the code of a refusal.
  outcome jsonb,
  began_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  CHECK ((purpose = 'sign-in') = (session_id IS NULL))
);
--> statement-breakpoint
SELECT guard_system('company_attempts');
--> statement-breakpoint
CREATE INDEX company_attempts_session ON company_attempts (session_id) WHERE session_id IS NOT NULL;
--> statement-breakpoint
-- Whom somebody took out of here: the rules of the operator do not bring them back, an administrator may. Nobody is named.
CREATE TABLE company_leavers (
  identity_hash text PRIMARY KEY,
  left_at timestamptz NOT NULL
);
--> statement-breakpoint
SELECT guard_system('company_leavers');
--> statement-breakpoint
CREATE FUNCTION hash_company_identity(issuer text, subject text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT encode(sha256(convert_to(issuer || E'\n' || subject, 'UTF8')), 'hex')
$$;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION remove_member(person uuid) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  before text := enter_system_scope();
BEGIN
  IF is_member_here(person) THEN
    IF (SELECT count(*) FROM memberships m WHERE m.user_id = person) = 1 THEN
      DELETE FROM verifications WHERE value = person::text;
      INSERT INTO company_leavers (identity_hash, left_at)
        SELECT hash_company_identity(i.issuer, i.subject), now() FROM company_identities i WHERE i.user_id = person
        ON CONFLICT (identity_hash) DO UPDATE SET left_at = excluded.left_at;
      DELETE FROM users WHERE id = person;
    ELSE
      DELETE FROM memberships WHERE user_id = person
        AND workspace_id = nullif(current_setting('app.workspace_id', true), '')::uuid;
    END IF;
  END IF;
  PERFORM set_config('app.scope', before, true);
END $$;
