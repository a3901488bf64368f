-- What a person began and takes long: imports, deletions of many and their undoing, exports (docs/guides/progress.md).
CREATE TABLE long_acts (
  id uuid PRIMARY KEY,
  workspace_id uuid NOT NULL REFERENCES workspaces ON DELETE CASCADE,
  kind text NOT NULL,
  -- Of an act that turns another one round: which.
  subject uuid,
  -- What the person called it, such as the name of the file.
  name text NOT NULL DEFAULT '',
  state text NOT NULL DEFAULT 'queued'
    CHECK (state IN ('queued', 'running', 'cancelling', 'interrupted', 'cancelled', 'done', 'failed')),
  phase text,
  -- In whose name it goes on, also when their request is long over, and where that came from; forgotten at the end.
  caller jsonb,
  origin jsonb,
  user_id uuid,
  user_name text NOT NULL DEFAULT '',
  -- What was asked for, and where to go on; both forgotten at the end.
  wish jsonb NOT NULL DEFAULT '{}',
  resume jsonb NOT NULL DEFAULT '{}',
  total bigint,
  done bigint NOT NULL DEFAULT 0,
  -- How many of what came of it.
  result jsonb NOT NULL DEFAULT '{}',
  error_code text,
  error_values jsonb NOT NULL DEFAULT '{}',
  -- One more whenever a process takes it up: what an earlier one still does is not its own any more.
  run integer NOT NULL DEFAULT 0,
  interruptions integer NOT NULL DEFAULT 0,
  failures integer NOT NULL DEFAULT 0,
  created_at timestamptz NOT NULL DEFAULT now(),
  started_at timestamptz,
  phase_at timestamptz,
  phase_done bigint NOT NULL DEFAULT 0,
  heartbeat_at timestamptz NOT NULL DEFAULT now(),
  ended_at timestamptz,
  dismissed_at timestamptz,
  -- The file that came of it, how long it is kept, or why it is gone.
  file_name text,
  file_type text,
  file_until timestamptz,
  file_gone text CHECK (file_gone IN ('expired', 'erased'))
);
--> statement-breakpoint
CREATE INDEX long_acts_open ON long_acts (workspace_id, created_at) WHERE state NOT IN ('cancelled', 'done', 'failed');
--> statement-breakpoint
CREATE INDEX long_acts_newest ON long_acts (workspace_id, user_id, ended_at);
--> statement-breakpoint
CREATE INDEX long_acts_subject ON long_acts (workspace_id, subject) WHERE subject IS NOT NULL;
--> statement-breakpoint
CREATE INDEX long_acts_files ON long_acts (file_until) WHERE file_until IS NOT NULL;
--> statement-breakpoint
SELECT guard_workspace('long_acts');
--> statement-breakpoint
-- Files of them in pieces: one that came with an act goes when it ends, one that was made is kept for a while. Any process reads them.
CREATE TABLE long_act_parts (
  act_id uuid NOT NULL REFERENCES long_acts ON DELETE CASCADE,
  workspace_id uuid NOT NULL,
  part integer NOT NULL,
  bytes bytea NOT NULL,
  PRIMARY KEY (act_id, part)
);
--> statement-breakpoint
ALTER TABLE long_act_parts ALTER COLUMN bytes SET STORAGE EXTERNAL;
--> statement-breakpoint
SELECT guard_workspace('long_act_parts');
--> statement-breakpoint
-- Imports from before: what had no end has none, and why was a sentence.
INSERT INTO long_acts (id, workspace_id, kind, name, state, user_id, error_code, created_at, heartbeat_at, ended_at)
SELECT id, workspace_id, 'contact-import', file_name, CASE state WHEN 'undone' THEN 'done' WHEN 'done' THEN 'done' WHEN 'cancelled' THEN 'cancelled' ELSE 'failed' END,
       user_id, CASE WHEN state IN ('failed', 'running', 'cancelling') THEN 'unknown' END, created_at, updated_at, updated_at
  FROM contact_imports;
--> statement-breakpoint
ALTER TABLE contact_imports ADD COLUMN undone_at timestamptz;
--> statement-breakpoint
UPDATE contact_imports SET undone_at = updated_at WHERE state = 'undone';
--> statement-breakpoint
UPDATE contact_imports SET successful = 0, updated = 0, failed = 0 WHERE state IN ('running', 'cancelling');
--> statement-breakpoint
ALTER TABLE contact_imports DROP COLUMN state, DROP COLUMN reason, DROP COLUMN phase, DROP COLUMN received_bytes,
  DROP COLUMN total_bytes, DROP COLUMN rows, DROP COLUMN user_id, DROP COLUMN updated_at;
--> statement-breakpoint
-- Why a row was not imported, as a code with values.
ALTER TABLE contact_import_errors ADD COLUMN code text NOT NULL DEFAULT 'unknown', ADD COLUMN "values" jsonb NOT NULL DEFAULT '{}';
--> statement-breakpoint
ALTER TABLE contact_import_errors DROP COLUMN message, ALTER COLUMN code DROP DEFAULT;
--> statement-breakpoint
-- Deletions that go on, and those of the last hour, which can be undone.
INSERT INTO long_acts (id, workspace_id, kind, state, caller, user_id, user_name, wish, resume, total, done, created_at, heartbeat_at, ended_at)
SELECT id, workspace_id, 'contact-removal', CASE state WHEN 'removing' THEN 'interrupted' ELSE 'done' END,
       CASE WHEN user_id IS NULL THEN jsonb_build_object('kind', 'system', 'part', 'upkeep')
            ELSE jsonb_build_object('kind', 'person', 'id', user_id, 'name', user_name, 'permissions', jsonb_build_array('contacts:delete')) END,
       user_id, user_name, CASE state WHEN 'removing' THEN choice ELSE '{}' END, jsonb_build_object('lastId', last_id), total, removed,
       started_at, touched_at, CASE WHEN state <> 'removing' THEN touched_at END
  FROM contact_removals;
--> statement-breakpoint
INSERT INTO long_acts (id, workspace_id, kind, subject, state, caller, user_id, user_name, resume, total, done, created_at, heartbeat_at, ended_at)
SELECT gen_random_uuid(), workspace_id, 'contact-restore', id, CASE state WHEN 'restoring' THEN 'interrupted' ELSE 'done' END,
       CASE WHEN user_id IS NULL THEN jsonb_build_object('kind', 'system', 'part', 'upkeep')
            ELSE jsonb_build_object('kind', 'person', 'id', user_id, 'name', user_name, 'permissions', jsonb_build_array('contacts:delete')) END,
       user_id, user_name, jsonb_build_object('lastId', last_id), removed, restored, touched_at, touched_at,
       CASE WHEN state <> 'restoring' THEN touched_at END
  FROM contact_removals WHERE state IN ('restoring', 'restored');
--> statement-breakpoint
DROP TABLE contact_removals;
--> statement-breakpoint
-- That an act ended is one fact for all kinds now.
DELETE FROM events WHERE type = 'contact_import.ended';
