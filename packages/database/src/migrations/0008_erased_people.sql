-- People who were erased, as keyed hashes of their number and platform id: enough to recognise who must not come back,
-- too little to know who it was. The key lies outside of the database.
CREATE TABLE erased_people (
  workspace_id uuid NOT NULL REFERENCES workspaces ON DELETE CASCADE,
  identifier_hash text NOT NULL,
  erased_at timestamptz NOT NULL,
  -- What arrived from them since and was not kept.
  refused integer NOT NULL DEFAULT 0,
  last_refused_at timestamptz,
  PRIMARY KEY (workspace_id, identifier_hash)
);
--> statement-breakpoint
SELECT guard_workspace('erased_people');
--> statement-breakpoint
-- Entries of the audit log that name a contact say which, so that the name can leave them again.
CREATE INDEX activities_metadata ON activities USING gin (metadata jsonb_path_ops);
--> statement-breakpoint
CREATE INDEX contact_import_changes_contact ON contact_import_changes (contact_id);
