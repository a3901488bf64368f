-- How each of staff wants the list of contacts (docs/decisions/077-lists-of-contacts.md).
CREATE TABLE contact_list_layouts (
  workspace_id uuid NOT NULL,
  user_id uuid NOT NULL,
  -- As `contact-list-layout.ts` says it. Custom fields that it names may be gone.
  layout jsonb NOT NULL,
  changed_at timestamptz NOT NULL,
  PRIMARY KEY (workspace_id, user_id),
  FOREIGN KEY (workspace_id, user_id) REFERENCES memberships ON DELETE CASCADE
);
--> statement-breakpoint
SELECT guard_workspace('contact_list_layouts');
--> statement-breakpoint
-- Two of whom somebody said that they are no duplicates. The ids outlive a merge and a deletion, which can be taken back: whoever asks
-- looks an id that was merged up in `merged_contacts`.
CREATE TABLE distinct_contacts (
  workspace_id uuid NOT NULL REFERENCES workspaces ON DELETE CASCADE,
  first_id uuid NOT NULL,
  second_id uuid NOT NULL,
  said_by text NOT NULL,
  said_at timestamptz NOT NULL,
  PRIMARY KEY (workspace_id, first_id, second_id),
  CHECK (first_id < second_id)
);
--> statement-breakpoint
CREATE INDEX distinct_contacts_second ON distinct_contacts (workspace_id, second_id);
--> statement-breakpoint
SELECT guard_workspace('distinct_contacts');
