-- When the newest report of receipt or reading was counted: which runs can matter for what happened lately. What is there may be of today.
ALTER TABLE delivery_runs ADD COLUMN reported_at timestamptz;
--> statement-breakpoint
-- Of how many of its failures the same message may still succeed, as of so many failures altogether, and when that was counted.
ALTER TABLE delivery_runs ADD COLUMN retryable integer NOT NULL DEFAULT 0, ADD COLUMN retryable_of integer NOT NULL DEFAULT 0, ADD COLUMN retryable_at timestamptz;
--> statement-breakpoint
UPDATE delivery_runs SET reported_at = now() WHERE delivered > 0 OR read > 0;
--> statement-breakpoint
-- A language that few people have is found without looking at the others. Plain comparisons by bytes: no function that the guard of workspaces would have to trust.
CREATE INDEX contacts_by_language ON contacts (workspace_id, language COLLATE "C") WHERE language IS NOT NULL;
