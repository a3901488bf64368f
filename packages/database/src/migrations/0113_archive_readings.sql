-- Archives that came to be read in; the bytes lie in the media store. One file lies ready for a workspace at a time.
CREATE TABLE archive_readings (
  -- Chosen by whoever sends it, so that a second request of one does nothing.
  id uuid NOT NULL,
  workspace_id uuid NOT NULL REFERENCES workspaces ON DELETE CASCADE,
  file_name text NOT NULL,
  user_name text NOT NULL,
  state text NOT NULL CHECK (state IN ('receiving', 'here', 'over')),
  -- Whoever receives it gives a sign of life; without one the sender has to begin anew.
  touched_at timestamptz NOT NULL,
  bytes bigint NOT NULL DEFAULT 0,
  is_encrypted boolean NOT NULL DEFAULT false,
  -- When it was written, after its own header.
  taken_at timestamptz,
  -- What it holds and what it would replace; null until it was looked through.
  report jsonb,
  -- Files that an act has put into the store and that no row speaks of yet: they go when it comes to nothing.
  stored_run integer NOT NULL DEFAULT 0,
  stored_files integer NOT NULL DEFAULT 0,
  -- What was here before: an archive under a passphrase that nobody has, sealed.
  before_run integer,
  before_bytes bigint,
  before_sealed text,
  replaced_at timestamptz,
  undoable_until timestamptz,
  undone_at timestamptz,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (workspace_id, id)
);
--> statement-breakpoint
CREATE UNIQUE INDEX archive_readings_open ON archive_readings (workspace_id) WHERE state <> 'over';
--> statement-breakpoint
CREATE INDEX archive_readings_newest ON archive_readings (workspace_id, created_at DESC);
--> statement-breakpoint
SELECT guard_workspace('archive_readings');
--> statement-breakpoint
-- The id that a row of an archive has in another place: always the same one there, after the rows that were older, and nobody else's. Without a place it stays.
CREATE FUNCTION moved_id(place uuid, id uuid) RETURNS uuid LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE WHEN place IS NULL THEN id
    ELSE overlay(overlay(md5(place::text || id::text) PLACING left(replace(id::text, '-', ''), 16) FROM 1) PLACING 'a' FROM 17)::uuid END
$$;
--> statement-breakpoint
-- The same for text that may be an id; `people` names those that mean somebody or something else here.
CREATE FUNCTION moved_text(place uuid, people jsonb, value text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE WHEN place IS NOT NULL AND value ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'
    THEN coalesce(people->>value, moved_id(place, value::uuid)::text) ELSE value END
$$;
--> statement-breakpoint
-- And for each text of a document, or name of a value, that is an id and nothing else; with `named` for the values whose name ends so alone.
CREATE FUNCTION moved_json(place uuid, people jsonb, document jsonb, named boolean DEFAULT false) RETURNS jsonb
  LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
DECLARE
  id_form constant text := '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}';
  written text := document::text;
  found text;
BEGIN
  IF place IS NULL OR document IS NULL OR written !~ id_form THEN RETURN document; END IF;
  -- Marked at first, since a new id may be an old one of another.
  FOR found IN SELECT DISTINCT m[1] FROM regexp_matches(written, CASE WHEN named THEN 'Id": "(' ELSE '"(' END || id_form || ')"', 'g') AS m LOOP
    written := replace(written, CASE WHEN named THEN 'Id": "' ELSE '"' END || found || '"',
                       CASE WHEN named THEN 'Id": "' ELSE '"' END || '~' || moved_text(place, people, found) || '"');
  END LOOP;
  RETURN regexp_replace(written, '"~(' || id_form || ')"', '"\1"', 'g')::jsonb;
END $$;
