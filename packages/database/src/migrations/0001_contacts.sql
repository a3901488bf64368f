CREATE TABLE contacts (
  id uuid PRIMARY KEY,
  workspace_id uuid NOT NULL REFERENCES workspaces ON DELETE CASCADE,
  name text NOT NULL,
  -- E.164 with the plus. Null only for people who hide their number and are known by their platform id.
  phone text,
  platform_user_id text,
  email text,
  tags text[] NOT NULL DEFAULT '{}',
  status text NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'blocked')),
  last_message text,
  last_message_at timestamptz,
  -- The 24-hour window in which free text may be sent; from the time stamp of the last inbound message.
  window_expires_at timestamptz,
  opted_out_at timestamptz,
  -- The import that added the contact, so that a whole import can be taken back.
  import_id uuid,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  version integer NOT NULL DEFAULT 1,
  -- Line breaks between the parts, so that a search never matches across two of them.
  search_text text GENERATED ALWAYS AS
    (lower(name || E'\n' || coalesce(phone, '') || E'\n' || coalesce(email, ''))) STORED,
  CHECK (phone IS NOT NULL OR platform_user_id IS NOT NULL)
) WITH (fillfactor = 85);
--> statement-breakpoint
CREATE UNIQUE INDEX contacts_phone ON contacts (workspace_id, phone);
--> statement-breakpoint
CREATE UNIQUE INDEX contacts_platform_user ON contacts (workspace_id, platform_user_id) WHERE platform_user_id IS NOT NULL;
--> statement-breakpoint
CREATE INDEX contacts_newest ON contacts (workspace_id, created_at DESC, id DESC);
--> statement-breakpoint
CREATE INDEX contacts_by_name ON contacts (workspace_id, name COLLATE "und-x-icu", id);
--> statement-breakpoint
CREATE INDEX contacts_by_last_message ON contacts (workspace_id, coalesce(last_message_at, '-infinity') DESC, id DESC);
--> statement-breakpoint
CREATE INDEX contacts_search ON contacts USING gin (search_text gin_trgm_ops);
--> statement-breakpoint
CREATE INDEX contacts_tags ON contacts USING gin (tags);
--> statement-breakpoint
CREATE INDEX contacts_import ON contacts (import_id) WHERE import_id IS NOT NULL;
--> statement-breakpoint
SELECT guard_workspace('contacts');
--> statement-breakpoint
-- When somebody agreed to get messages or took it back, and how we know; the newest one holds.
CREATE TABLE contact_consents (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  workspace_id uuid NOT NULL REFERENCES workspaces ON DELETE CASCADE,
  contact_id uuid NOT NULL REFERENCES contacts ON DELETE CASCADE,
  kind text NOT NULL CHECK (kind IN ('opt_in', 'opt_out')),
  -- `person`: said on the messaging platform; `staff`: recorded here by hand.
  source text NOT NULL CHECK (source IN ('person', 'staff')),
  -- What the person wrote, or what staff noted.
  text text NOT NULL DEFAULT '',
  recorded_by text,
  occurred_at timestamptz NOT NULL
);
--> statement-breakpoint
CREATE INDEX contact_consents_newest ON contact_consents (contact_id, occurred_at DESC, id DESC);
--> statement-breakpoint
SELECT guard_workspace('contact_consents');
--> statement-breakpoint
-- Opt-outs arrive on several ways (keyword, platform setting, refused delivery); each leaves its record here. A record made
-- by staff is written by the API, which sets app.consent_recorded.
CREATE FUNCTION record_consent() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF current_setting('app.consent_recorded', true) = 'yes' THEN RETURN NULL; END IF;
  INSERT INTO contact_consents (workspace_id, contact_id, kind, source, text, occurred_at)
  VALUES (NEW.workspace_id, NEW.id, CASE WHEN NEW.opted_out_at IS NULL THEN 'opt_in' ELSE 'opt_out' END, 'person',
          CASE WHEN NEW.last_message_at IS DISTINCT FROM OLD.last_message_at THEN coalesce(NEW.last_message, '') ELSE '' END,
          coalesce(NEW.opted_out_at, CASE WHEN NEW.last_message_at IS DISTINCT FROM OLD.last_message_at THEN NEW.last_message_at END, now()));
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER contacts_consent AFTER UPDATE OF opted_out_at ON contacts
  FOR EACH ROW WHEN (OLD.opted_out_at IS DISTINCT FROM NEW.opted_out_at) EXECUTE FUNCTION record_consent();
--> statement-breakpoint
-- How many contacts there are, as the sum of rows: each changing statement adds its difference, so that writers never
-- wait for each other; fold_contact_counts makes few rows of many. No screen counts the contacts themselves.
CREATE TABLE contact_counts (
  workspace_id uuid NOT NULL REFERENCES workspaces ON DELETE CASCADE,
  total integer NOT NULL,
  active integer NOT NULL,
  blocked integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX contact_counts_workspace ON contact_counts (workspace_id);
--> statement-breakpoint
SELECT guard_workspace('contact_counts');
--> statement-breakpoint
CREATE TABLE contact_tag_counts (
  workspace_id uuid NOT NULL REFERENCES workspaces ON DELETE CASCADE,
  tag text NOT NULL,
  contacts integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX contact_tag_counts_workspace ON contact_tag_counts (workspace_id, tag);
--> statement-breakpoint
SELECT guard_workspace('contact_tag_counts');
--> statement-breakpoint
-- The workspace is looked up because its own deletion removes contacts when it is already gone.
CREATE FUNCTION count_added_contacts() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO contact_counts (workspace_id, total, active, blocked)
    SELECT workspace_id, count(*), count(*) FILTER (WHERE status = 'active'), count(*) FILTER (WHERE status = 'blocked')
      FROM new_rows GROUP BY 1;
  INSERT INTO contact_tag_counts (workspace_id, tag, contacts)
    SELECT workspace_id, tag, count(*) FROM new_rows, unnest(tags) AS tag GROUP BY 1, 2;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE FUNCTION count_removed_contacts() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO contact_counts (workspace_id, total, active, blocked)
    SELECT workspace_id, -count(*), -count(*) FILTER (WHERE status = 'active'), -count(*) FILTER (WHERE status = 'blocked')
      FROM old_rows WHERE EXISTS (SELECT FROM workspaces w WHERE w.id = workspace_id) GROUP BY 1;
  INSERT INTO contact_tag_counts (workspace_id, tag, contacts)
    SELECT workspace_id, tag, -count(*) FROM old_rows, unnest(tags) AS tag
     WHERE EXISTS (SELECT FROM workspaces w WHERE w.id = workspace_id) GROUP BY 1, 2;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE FUNCTION count_changed_contacts() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO contact_counts (workspace_id, total, active, blocked)
    SELECT workspace_id, 0, sum(active), -sum(active) FROM (
      SELECT workspace_id, (status = 'active')::integer AS active FROM new_rows
      UNION ALL SELECT workspace_id, -(status = 'active')::integer FROM old_rows) AS change
     GROUP BY 1 HAVING sum(active) <> 0;
  INSERT INTO contact_tag_counts (workspace_id, tag, contacts)
    SELECT workspace_id, tag, sum(one) FROM (
      SELECT workspace_id, tag, 1 AS one FROM new_rows, unnest(tags) AS tag
      UNION ALL SELECT workspace_id, tag, -1 FROM old_rows, unnest(tags) AS tag) AS change
     GROUP BY 1, 2 HAVING sum(one) <> 0;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER contacts_added AFTER INSERT ON contacts REFERENCING NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION count_added_contacts();
--> statement-breakpoint
CREATE TRIGGER contacts_removed AFTER DELETE ON contacts REFERENCING OLD TABLE AS old_rows
  FOR EACH STATEMENT EXECUTE FUNCTION count_removed_contacts();
--> statement-breakpoint
CREATE TRIGGER contacts_changed AFTER UPDATE ON contacts REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION count_changed_contacts();
--> statement-breakpoint
-- Each row is deleted by exactly one caller, so two folds at once cannot count anything twice.
CREATE FUNCTION fold_contact_counts(folded uuid) RETURNS void LANGUAGE sql AS $$
  WITH gone AS (DELETE FROM contact_counts WHERE workspace_id = folded RETURNING total, active, blocked)
  INSERT INTO contact_counts SELECT folded, sum(total), sum(active), sum(blocked) FROM gone HAVING count(*) > 0;
  WITH gone AS (DELETE FROM contact_tag_counts WHERE workspace_id = folded RETURNING tag, contacts)
  INSERT INTO contact_tag_counts SELECT folded, tag, sum(contacts) FROM gone GROUP BY tag HAVING sum(contacts) <> 0;
$$;
--> statement-breakpoint
-- Deleted contacts with their conversations, for a short while, so that a deletion can be taken back.
CREATE TABLE deleted_contacts (
  contact_id uuid PRIMARY KEY,
  workspace_id uuid NOT NULL REFERENCES workspaces ON DELETE CASCADE,
  contact jsonb NOT NULL,
  messages jsonb NOT NULL,
  consents jsonb NOT NULL,
  deleted_at timestamptz NOT NULL
);
--> statement-breakpoint
CREATE INDEX deleted_contacts_oldest ON deleted_contacts (workspace_id, deleted_at);
--> statement-breakpoint
SELECT guard_workspace('deleted_contacts');
--> statement-breakpoint
CREATE TABLE contact_imports (
  id uuid PRIMARY KEY,
  workspace_id uuid NOT NULL REFERENCES workspaces ON DELETE CASCADE,
  user_id uuid,
  file_name text NOT NULL DEFAULT '',
  state text NOT NULL DEFAULT 'running'
    CHECK (state IN ('running', 'cancelling', 'done', 'failed', 'cancelled', 'undone')),
  -- A dry run tells what would happen and changes nothing.
  is_dry_run boolean NOT NULL DEFAULT false,
  updated integer NOT NULL DEFAULT 0,
  -- Why nothing was imported, in the words shown to people.
  reason text,
  phase text NOT NULL DEFAULT 'reading' CHECK (phase IN ('reading', 'saving')),
  received_bytes bigint NOT NULL DEFAULT 0,
  total_bytes bigint,
  rows integer NOT NULL DEFAULT 0,
  successful integer NOT NULL DEFAULT 0,
  failed integer NOT NULL DEFAULT 0,
  created_at timestamptz NOT NULL DEFAULT now(),
  -- A running import touches it every second; one that stopped doing so died with its process.
  updated_at timestamptz NOT NULL DEFAULT now()
);
--> statement-breakpoint
CREATE INDEX contact_imports_newest ON contact_imports (workspace_id, created_at DESC);
--> statement-breakpoint
SELECT guard_workspace('contact_imports');
--> statement-breakpoint
CREATE TABLE contact_import_errors (
  import_id uuid NOT NULL REFERENCES contact_imports ON DELETE CASCADE,
  workspace_id uuid NOT NULL,
  row_number integer NOT NULL,
  message text NOT NULL,
  PRIMARY KEY (import_id, row_number)
);
--> statement-breakpoint
SELECT guard_workspace('contact_import_errors');
--> statement-breakpoint
-- Contacts as they were before an import updated them, so that the whole import can be taken back.
CREATE TABLE contact_import_changes (
  import_id uuid NOT NULL REFERENCES contact_imports ON DELETE CASCADE,
  workspace_id uuid NOT NULL,
  contact_id uuid NOT NULL,
  name text NOT NULL,
  email text,
  tags text[] NOT NULL,
  status text NOT NULL,
  -- The version that the import left; a contact that has a later one was edited since.
  version integer NOT NULL,
  PRIMARY KEY (import_id, contact_id)
);
--> statement-breakpoint
SELECT guard_workspace('contact_import_changes');
