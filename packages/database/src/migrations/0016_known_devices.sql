-- Wrong passwords per address of an account, whether or not an account has it (a lock-out must not tell the two
-- apart), and per source: everybody who is a stranger, one network, or one known device. The old rows counted
-- everybody together, so that a stranger could lock somebody out; they live a day at most and are not kept.
DROP TABLE sign_in_failures;
--> statement-breakpoint
CREATE TABLE sign_in_failures (
  email_hash text NOT NULL,
  source text NOT NULL,
  failures integer NOT NULL,
  locked_until timestamptz,
  last_failed_at timestamptz NOT NULL,
  PRIMARY KEY (email_hash, source)
);
--> statement-breakpoint
CREATE INDEX sign_in_failures_age ON sign_in_failures (last_failed_at);
--> statement-breakpoint
-- Reset links of a person end together.
CREATE INDEX verifications_value ON verifications (value);
--> statement-breakpoint
-- Callers name their browser in as many bytes as they like; what is longer than this is nothing that anybody reads.
UPDATE sessions SET user_agent = left(user_agent, 500) WHERE length(user_agent) > 500;
--> statement-breakpoint
UPDATE activities SET user_agent = left(user_agent, 500) WHERE length(user_agent) > 500;
