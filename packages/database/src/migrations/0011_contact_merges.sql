-- A deletion of many contacts, done bit by bit in the background. The choice is frozen when it begins and forgotten when it ends.
CREATE TABLE contact_removals (
  id uuid NOT NULL,
  workspace_id uuid NOT NULL REFERENCES workspaces ON DELETE CASCADE,
  user_id uuid,
  user_name text NOT NULL,
  state text NOT NULL DEFAULT 'removing' CHECK (state IN ('removing', 'removed', 'restoring', 'restored')),
  choice jsonb NOT NULL,
  total integer NOT NULL,
  removed integer NOT NULL DEFAULT 0,
  restored integer NOT NULL DEFAULT 0,
  -- The last contact that was deleted, or looked at for its return; the next bit begins behind it.
  last_id uuid NOT NULL DEFAULT '00000000-0000-0000-0000-000000000000',
  -- Contacts that were added later are not meant.
  started_at timestamptz NOT NULL,
  -- Moves with each bit; a removal that stopped moving lost its process and is taken up by another one.
  touched_at timestamptz NOT NULL,
  PRIMARY KEY (workspace_id, id)
);
--> statement-breakpoint
CREATE INDEX contact_removals_open ON contact_removals (touched_at) WHERE state IN ('removing', 'restoring');
--> statement-breakpoint
SELECT guard_workspace('contact_removals');
--> statement-breakpoint
ALTER TABLE deleted_contacts ADD COLUMN removal_id uuid;
--> statement-breakpoint
CREATE INDEX deleted_contacts_removal ON deleted_contacts (removal_id, contact_id) WHERE removal_id IS NOT NULL;
--> statement-breakpoint
-- Several contacts that became one. What they were is kept for 30 days, so that it can be taken back; then before, after and
-- the parts go, and the entry of the timeline stays.
CREATE TABLE contact_merges (
  id uuid NOT NULL,
  workspace_id uuid NOT NULL REFERENCES workspaces ON DELETE CASCADE,
  survivor_id uuid NOT NULL,
  user_name text NOT NULL,
  -- Of the contacts that went into the survivor.
  names text[] NOT NULL,
  before jsonb,
  after jsonb,
  -- Recipients that were given another contact: [run, number in the run, contact before, contact after].
  recipients jsonb NOT NULL DEFAULT '[]',
  -- The opt-out that the merge itself recorded.
  consent_id uuid,
  merged_at timestamptz NOT NULL,
  undone_at timestamptz,
  PRIMARY KEY (workspace_id, id)
);
--> statement-breakpoint
CREATE INDEX contact_merges_survivor ON contact_merges (workspace_id, survivor_id, merged_at DESC);
--> statement-breakpoint
CREATE INDEX contact_merges_oldest ON contact_merges (merged_at) WHERE before IS NOT NULL;
--> statement-breakpoint
SELECT guard_workspace('contact_merges');
--> statement-breakpoint
CREATE TABLE contact_merge_parts (
  workspace_id uuid NOT NULL,
  merge_id uuid NOT NULL,
  contact_id uuid NOT NULL,
  contact jsonb NOT NULL,
  message_ids uuid[] NOT NULL,
  consent_ids uuid[] NOT NULL,
  -- Earlier merges into this contact, which went on to the survivor.
  former_ids uuid[] NOT NULL,
  former_identifiers text[] NOT NULL,
  hold_until timestamptz,
  PRIMARY KEY (workspace_id, merge_id, contact_id),
  FOREIGN KEY (workspace_id, merge_id) REFERENCES contact_merges ON DELETE CASCADE
);
--> statement-breakpoint
CREATE INDEX contact_merge_parts_phone ON contact_merge_parts (workspace_id, (contact->>'phone'));
--> statement-breakpoint
SELECT guard_workspace('contact_merge_parts');
--> statement-breakpoint
-- Who a merged contact is today, for audiences that still name its old id.
CREATE TABLE merged_contacts (
  contact_id uuid PRIMARY KEY,
  workspace_id uuid NOT NULL REFERENCES workspaces ON DELETE CASCADE,
  survivor_id uuid NOT NULL,
  merge_id uuid NOT NULL
);
--> statement-breakpoint
CREATE INDEX merged_contacts_survivor ON merged_contacts (survivor_id);
--> statement-breakpoint
SELECT guard_workspace('merged_contacts');
--> statement-breakpoint
-- Numbers and platform ids by which a merged contact may still write. A contact that has the number itself goes first.
CREATE TABLE contact_aliases (
  workspace_id uuid NOT NULL REFERENCES workspaces ON DELETE CASCADE,
  identifier text NOT NULL,
  contact_id uuid NOT NULL,
  merge_id uuid NOT NULL,
  PRIMARY KEY (workspace_id, identifier)
);
--> statement-breakpoint
CREATE INDEX contact_aliases_contact ON contact_aliases (contact_id);
--> statement-breakpoint
SELECT guard_workspace('contact_aliases');
--> statement-breakpoint
-- One spelling for mobile numbers that are dialled in two: Mexico with 1 or without, Argentina with 9 or without, Brazil with
-- eight digits or nine.
CREATE FUNCTION phone_key(phone text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE WHEN phone ~ '^\+521\d{10}$' THEN '+52' || substr(phone, 5)
              WHEN phone ~ '^\+549\d{10}$' THEN '+54' || substr(phone, 5)
              WHEN phone ~ '^\+55\d\d[6-9]\d{7}$' THEN left(phone, 5) || '9' || substr(phone, 6)
              ELSE phone END
$$;
--> statement-breakpoint
-- Only the other spellings are in it. Numbers are unique, so each pair of doubles has exactly one of its contacts here.
CREATE INDEX contacts_phone_variant ON contacts (workspace_id, phone_key(phone)) WHERE phone_key(phone) <> phone;
--> statement-breakpoint
-- Equal addresses, upper and lower case alike, have one number. Row-level guards let comparisons of numbers use an index, unlike
-- those of computed text.
ALTER TABLE contacts ADD COLUMN email_hash bigint GENERATED ALWAYS AS (hashtextextended(lower(email), 0)) STORED;
--> statement-breakpoint
CREATE INDEX contacts_email ON contacts (workspace_id, email_hash) WHERE email_hash IS NOT NULL;
