-- Every act that creates, sends or deletes is done once per key. A key belongs to its caller and endpoint, so that nobody hears the answer
-- of another person. Keys of the earlier form belong to requests that are not taken any more.
DELETE FROM idempotency_keys;
--> statement-breakpoint
ALTER TABLE idempotency_keys DROP CONSTRAINT idempotency_keys_pkey;
--> statement-breakpoint
-- Without a workspace: what visitors do before anybody is signed in.
ALTER TABLE idempotency_keys
  ALTER COLUMN workspace_id DROP NOT NULL,
  ADD COLUMN caller text NOT NULL,
  ADD COLUMN endpoint text NOT NULL,
  -- An act that reaches beyond the database is begun and committed before its effect; unknown is one whose end nobody saw.
  ADD COLUMN state text NOT NULL CHECK (state IN ('begun', 'done', 'unknown')),
  ADD PRIMARY KEY (caller, endpoint, key);
--> statement-breakpoint
CREATE INDEX IF NOT EXISTS idempotency_keys_created_at ON idempotency_keys (created_at);
