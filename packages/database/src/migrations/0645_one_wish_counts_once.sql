-- Some platforms report one wish twice: as a word that the person writes, and as an event. Whether this record, within a minute of the other
-- one, was recorded second and so says nothing new. A wish of the other kind between them makes both count.
CREATE FUNCTION repeats_wish(c contact_consents) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT c.source = 'person' AND c.import_id IS NULL AND EXISTS (
    SELECT FROM contact_consents o
     WHERE o.contact_id = c.contact_id AND o.kind = c.kind AND o.source = 'person' AND o.import_id IS NULL AND (o.text = '') <> (c.text = '')
       AND o.occurred_at BETWEEN c.occurred_at - interval '1 minute' AND c.occurred_at + interval '1 minute'
       AND (o.recorded_at, o.id) < (c.recorded_at, c.id)
       AND NOT EXISTS (SELECT FROM contact_consents x WHERE x.contact_id = c.contact_id AND x.kind <> c.kind
         AND x.occurred_at BETWEEN least(o.occurred_at, c.occurred_at) AND greatest(o.occurred_at, c.occurred_at)))
$$;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION roll_up_new_consents() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT counts_rollups() THEN RETURN NULL; END IF;
  INSERT INTO contact_rollup_deltas (workspace_id, quarter, kind, source, contacts)
    SELECT c.workspace_id, quarter_of(c.occurred_at), c.kind, consent_source(c), count(*) FROM new_rows c
     WHERE NOT repeats_wish(c) GROUP BY 1, 2, 3, 4;
  RETURN NULL;
END $$;
