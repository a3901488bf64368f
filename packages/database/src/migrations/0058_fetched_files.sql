-- What waits to be fetched is looked for by its time, in all workspaces at once.
DROP INDEX message_files_to_fetch;
--> statement-breakpoint
CREATE INDEX message_files_to_fetch ON message_files (next_try_at) WHERE state IN ('waiting', 'fetching');
--> statement-breakpoint
UPDATE message_files SET next_try_at = now() WHERE state IN ('waiting', 'fetching') AND next_try_at IS NULL;
