-- How people prove who they are (docs/decisions/043-proofs-of-a-person.md). All of it is read before a workspace is known, or
-- belongs to a person and not to a workspace: system processes alone see it.
ALTER TABLE sessions
  ADD COLUMN method text NOT NULL DEFAULT 'password' CHECK (method IN ('password', 'passkey', 'company')),
  -- When the person last proved who they are, by password or otherwise; what is dangerous asks for a recent proof.
  ADD COLUMN proven_at timestamptz;
--> statement-breakpoint
ALTER TABLE users ADD COLUMN login_alerts boolean NOT NULL DEFAULT true;
--> statement-breakpoint
-- Until now nobody was asked to confirm an address; from now on an account that is not confirmed waits for that.
UPDATE users SET email_verified = true;
--> statement-breakpoint
ALTER TABLE workspaces ADD COLUMN requires_two_factor boolean NOT NULL DEFAULT false;
--> statement-breakpoint
CREATE TABLE two_factor (
  user_id uuid PRIMARY KEY REFERENCES users ON DELETE CASCADE,
  -- Encrypted with SECRET_KEY.
  secret_sealed text NOT NULL,
  -- Null while the person has not shown a first code.
  enabled_at timestamptz,
  -- Of the last code that was taken: none is taken twice.
  last_step bigint NOT NULL DEFAULT 0,
  failures integer NOT NULL DEFAULT 0,
  last_failed_at timestamptz,
  locked_until timestamptz,
  created_at timestamptz NOT NULL
);
--> statement-breakpoint
SELECT guard_system('two_factor');
--> statement-breakpoint
-- Each opens the account once in place of a code; a row goes when its code is used.
CREATE TABLE recovery_codes (
  user_id uuid NOT NULL REFERENCES two_factor ON DELETE CASCADE,
  code_hash text NOT NULL,
  PRIMARY KEY (user_id, code_hash)
);
--> statement-breakpoint
SELECT guard_system('recovery_codes');
--> statement-breakpoint
-- Browsers in which a person need not type a code for a while.
CREATE TABLE trusted_devices (
  user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  device_hash text NOT NULL,
  expires_at timestamptz NOT NULL,
  PRIMARY KEY (user_id, device_hash)
);
--> statement-breakpoint
SELECT guard_system('trusted_devices');
--> statement-breakpoint
CREATE TABLE passkeys (
  id uuid PRIMARY KEY,
  user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  credential_id text NOT NULL UNIQUE,
  public_key bytea NOT NULL,
  counter bigint NOT NULL DEFAULT 0,
  transports text[] NOT NULL DEFAULT '{}',
  name text NOT NULL,
  -- Kept by a password manager and so on several devices.
  is_synced boolean NOT NULL DEFAULT false,
  created_at timestamptz NOT NULL,
  last_used_at timestamptz
);
--> statement-breakpoint
CREATE INDEX passkeys_user_id ON passkeys (user_id);
--> statement-breakpoint
SELECT guard_system('passkeys');
--> statement-breakpoint
-- The company's own name of somebody belongs to one account.
CREATE UNIQUE INDEX accounts_of_company ON accounts (provider_id, account_id) WHERE provider_id <> 'credential';
--> statement-breakpoint
CREATE TABLE avatars (
  user_id uuid PRIMARY KEY REFERENCES users ON DELETE CASCADE,
  -- Drawn anew by us, never what somebody sent.
  content bytea NOT NULL,
  updated_at timestamptz NOT NULL
);
--> statement-breakpoint
SELECT guard_system('avatars');
--> statement-breakpoint
CREATE POLICY member_guard ON avatars FOR SELECT USING (EXISTS (
  SELECT FROM memberships m WHERE m.user_id = avatars.user_id
    AND m.workspace_id = (SELECT nullif(current_setting('app.workspace_id', true), '')::uuid)));
