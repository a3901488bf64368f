-- Everything that happened in a workspace, one row per act (docs/decisions/027-facts.md). No foreign key: a partition
-- that comes or goes would lock the workspaces. Rows of a workspace that was deleted go with their day.
CREATE SEQUENCE events_id AS bigint;
--> statement-breakpoint
CREATE TABLE events (
  id bigint NOT NULL DEFAULT nextval('events_id'),
  -- Readers go by it: a fact is due once this transaction is visible (packages/api/src/platform/facts/read-due-facts.ts).
  txid xid8 NOT NULL DEFAULT pg_current_xact_id(),
  workspace_id uuid NOT NULL,
  type text NOT NULL,
  version smallint NOT NULL,
  subject_kind text NOT NULL,
  subject_id uuid,
  -- Kind, id and name of who acted.
  actor jsonb NOT NULL,
  "values" jsonb NOT NULL,
  occurred_at timestamptz NOT NULL,
  recorded_at timestamptz NOT NULL DEFAULT now(),
  -- The fact or run that led to it, and how many led to that one.
  cause jsonb,
  depth smallint NOT NULL DEFAULT 0,
  PRIMARY KEY (id, recorded_at)
) PARTITION BY RANGE (recorded_at);
--> statement-breakpoint
CREATE INDEX events_due ON events (txid, id);
--> statement-breakpoint
CREATE INDEX events_subject ON events (workspace_id, subject_id) WHERE subject_id IS NOT NULL;
--> statement-breakpoint
SELECT guard_workspace('events');
--> statement-breakpoint
-- Takes what no day was made for, so that nothing ever fails for want of a partition.
CREATE TABLE events_rest (LIKE events INCLUDING DEFAULTS);
--> statement-breakpoint
SELECT guard_workspace('events_rest');
--> statement-breakpoint
ALTER TABLE events ATTACH PARTITION events_rest DEFAULT;
--> statement-breakpoint
-- Makes the days from today on that are not there yet. Made apart and attached, as the recipients' partitions are.
CREATE FUNCTION ensure_event_days(ahead integer) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  first_day date := (now() AT TIME ZONE 'UTC')::date;
  day date;
  name text;
  from_time timestamptz;
  to_time timestamptz;
BEGIN
  PERFORM pg_advisory_xact_lock(7302119, 0);
  FOR offset_days IN 0..ahead LOOP
    day := first_day + offset_days;
    name := 'events_' || to_char(day, 'YYYYMMDD');
    from_time := day::timestamp AT TIME ZONE 'UTC';
    to_time := (day + 1)::timestamp AT TIME ZONE 'UTC';
    CONTINUE WHEN to_regclass(name) IS NOT NULL;
    -- A day that began in the rest stays there.
    CONTINUE WHEN EXISTS (SELECT FROM events_rest WHERE recorded_at >= from_time AND recorded_at < to_time);
    EXECUTE format('CREATE TABLE %I (LIKE events INCLUDING DEFAULTS)', name);
    PERFORM guard_workspace(name::regclass);
    EXECUTE format('ALTER TABLE events ATTACH PARTITION %I FOR VALUES FROM (%L) TO (%L)', name, from_time, to_time);
  END LOOP;
END $$;
--> statement-breakpoint
SELECT ensure_event_days(7);
--> statement-breakpoint
-- How far each reader is. seen: every fact visible in it was handled. batch and last_id: what is being read now, and up to where.
CREATE TABLE event_consumers (
  name text PRIMARY KEY,
  seen pg_snapshot NOT NULL,
  batch pg_snapshot,
  last_id bigint NOT NULL DEFAULT 0,
  -- The cluster whose transactions these are: in another one the same numbers mean others.
  cluster text NOT NULL,
  moved_at timestamptz NOT NULL DEFAULT now()
);
--> statement-breakpoint
ALTER TABLE event_consumers ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
ALTER TABLE event_consumers FORCE ROW LEVEL SECURITY;
--> statement-breakpoint
CREATE POLICY system_guard ON event_consumers USING ((SELECT current_setting('app.scope', true)) = 'system');
--> statement-breakpoint
-- Facts that a consumer could not handle, and later ones of their subject, which wait for them (then without an error).
CREATE TABLE events_set_aside (
  consumer text NOT NULL,
  event_id bigint NOT NULL,
  workspace_id uuid NOT NULL REFERENCES workspaces ON DELETE CASCADE,
  type text NOT NULL,
  subject_kind text NOT NULL,
  subject_id uuid,
  fact jsonb NOT NULL,
  error text,
  tries integer NOT NULL DEFAULT 0,
  set_aside_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (consumer, event_id)
);
--> statement-breakpoint
CREATE INDEX events_set_aside_subject ON events_set_aside (workspace_id, subject_id);
--> statement-breakpoint
SELECT guard_workspace('events_set_aside');
--> statement-breakpoint
-- An entry has a kind of fact and its values, and its reader's language makes the sentence. Older entries keep theirs as text,
-- unless it says for certain which fact it was.
ALTER TABLE activities
  ALTER COLUMN description DROP NOT NULL,
  ADD COLUMN fact_type text,
  ADD COLUMN "values" jsonb NOT NULL DEFAULT '{}',
  ADD COLUMN subject_id uuid,
  ADD CONSTRAINT activities_say_something CHECK (fact_type IS NOT NULL OR description IS NOT NULL);
--> statement-breakpoint
-- What can be searched of the values: their texts and numbers, without the names that the product gives them.
CREATE FUNCTION spoken_values(given jsonb) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT coalesce(string_agg(value #>> '{}', ' '), '')
    FROM jsonb_path_query(given, 'strict $.** ? (@.type() == "string" || @.type() == "number")') AS value
$$;
--> statement-breakpoint
UPDATE activities SET description = NULL, fact_type = 'custom_field.' || moved.act || 'd',
       "values" = jsonb_build_object('label', substr(description, length(moved.sentence) + 1))
  FROM (VALUES ('create', 'Added custom field '), ('update', 'Updated custom field '), ('delete', 'Deleted custom field '))
         AS moved (act, sentence)
 WHERE type = moved.act AND resource = 'contacts' AND starts_with(description, moved.sentence);
--> statement-breakpoint
UPDATE activities SET description = NULL, fact_type = 'custom_fields.reordered'
 WHERE type = 'update' AND resource = 'contacts' AND description = 'Changed the order of the custom fields';
--> statement-breakpoint
ALTER TABLE activities DROP COLUMN search_text;
--> statement-breakpoint
ALTER TABLE activities ADD COLUMN search_text text GENERATED ALWAYS AS (lower(
  coalesce(description, translate(fact_type, '._', '  ') || ' ' || spoken_values("values")) || ' ' || user_name || ' ' || resource)) STORED;
--> statement-breakpoint
CREATE INDEX activities_search ON activities USING gin (search_text gin_trgm_ops);
