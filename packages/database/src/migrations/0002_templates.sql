-- A file that people attach: to a template's header, a message, a card. Its bytes lie in the media store under `storage_key`.
CREATE TABLE media (
  id uuid PRIMARY KEY,
  workspace_id uuid NOT NULL REFERENCES workspaces ON DELETE CASCADE,
  name text NOT NULL,
  type text NOT NULL CHECK (type IN ('image', 'video', 'audio', 'document')),
  mime_type text NOT NULL,
  size bigint NOT NULL CHECK (size > 0),
  sha256 text NOT NULL,
  storage_key text NOT NULL,
  uploaded_by uuid,
  uploaded_at timestamptz NOT NULL DEFAULT now(),
  -- The platform keeps a copy for 30 days under an id that belongs to one number.
  platform_media_id text,
  platform_phone_number_id text,
  platform_expires_at timestamptz
);
--> statement-breakpoint
CREATE INDEX media_newest ON media (workspace_id, uploaded_at DESC, id DESC);
--> statement-breakpoint
SELECT guard_workspace('media');
--> statement-breakpoint
-- An upload that is not complete yet; it goes on at `received` after an interruption.
CREATE TABLE media_uploads (
  id uuid PRIMARY KEY,
  workspace_id uuid NOT NULL REFERENCES workspaces ON DELETE CASCADE,
  user_id uuid NOT NULL,
  name text NOT NULL,
  purpose text NOT NULL,
  size bigint NOT NULL CHECK (size > 0),
  received bigint NOT NULL DEFAULT 0,
  -- Where in the file each stored part begins, in order.
  part_offsets bigint[] NOT NULL DEFAULT '{}',
  created_at timestamptz NOT NULL DEFAULT now()
);
--> statement-breakpoint
SELECT guard_workspace('media_uploads');
--> statement-breakpoint
CREATE TABLE templates (
  id uuid PRIMARY KEY,
  workspace_id uuid NOT NULL REFERENCES workspaces ON DELETE CASCADE,
  name text NOT NULL,
  category text NOT NULL DEFAULT 'general' CHECK (category IN
    ('general', 'welcome', 'promotion', 'follow-up', 'reminder', 'support', 'utility')),
  language text NOT NULL DEFAULT 'en' CHECK (language IN ('en', 'es', 'fr', 'de', 'pt', 'it')),
  status text NOT NULL DEFAULT 'draft' CHECK (status IN ('draft', 'pending', 'approved', 'rejected')),
  components jsonb NOT NULL,
  content text NOT NULL,
  variables text[] NOT NULL DEFAULT '{}',
  -- A file that a template shows cannot be deleted.
  header_media_id uuid REFERENCES media,
  -- The template's life on the platform; null until it was submitted.
  platform_name text,
  platform_template_id text,
  platform_status text,
  platform_category text,
  rejection_reason text,
  quality text,
  submitted_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz,
  version integer NOT NULL DEFAULT 1
);
--> statement-breakpoint
CREATE INDEX templates_newest ON templates (workspace_id, created_at DESC, id DESC);
--> statement-breakpoint
CREATE INDEX templates_by_name ON templates (workspace_id, name COLLATE "und-x-icu", id);
--> statement-breakpoint
CREATE UNIQUE INDEX templates_on_platform ON templates (workspace_id, platform_name, language)
  WHERE platform_name IS NOT NULL;
--> statement-breakpoint
SELECT guard_workspace('templates');
