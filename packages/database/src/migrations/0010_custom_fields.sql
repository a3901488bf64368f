-- What a business keeps of its contacts beyond name, number, address and tags. Key and type never change.
CREATE TABLE custom_fields (
  id uuid PRIMARY KEY,
  workspace_id uuid NOT NULL REFERENCES workspaces ON DELETE CASCADE,
  key text NOT NULL,
  label text NOT NULL,
  type text NOT NULL CHECK (type IN ('text', 'number', 'date', 'yes_no', 'choice')),
  description text NOT NULL DEFAULT '',
  -- Of a choice; empty for the other types.
  options text[] NOT NULL DEFAULT '{}',
  position integer NOT NULL,
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now()
);
--> statement-breakpoint
CREATE UNIQUE INDEX custom_fields_key ON custom_fields (workspace_id, key);
--> statement-breakpoint
CREATE UNIQUE INDEX custom_fields_label ON custom_fields (workspace_id, lower(label));
--> statement-breakpoint
SELECT guard_workspace('custom_fields');
--> statement-breakpoint
-- Values by the id of their field: text, number, true or false, or a day as text. No entry means no value. Ids are never
-- given out twice, so what a deleted field left behind can never show up under another field.
ALTER TABLE contacts ADD COLUMN custom_values jsonb NOT NULL DEFAULT '{}';
--> statement-breakpoint
CREATE INDEX contacts_custom_values ON contacts USING gin (custom_values) WHERE custom_values <> '{}';
--> statement-breakpoint
ALTER TABLE contact_import_changes ADD COLUMN custom_values jsonb NOT NULL DEFAULT '{}';
--> statement-breakpoint
-- Deleted fields whose values are still to be taken out of the contacts, which may be a million.
CREATE TABLE removed_custom_fields (
  id uuid PRIMARY KEY,
  workspace_id uuid NOT NULL REFERENCES workspaces ON DELETE CASCADE,
  removed_at timestamptz NOT NULL
);
--> statement-breakpoint
SELECT guard_workspace('removed_custom_fields');
