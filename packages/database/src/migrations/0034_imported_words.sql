-- What an import says about marketing is taken back with it.
ALTER TABLE contact_consents ADD COLUMN import_id uuid;
--> statement-breakpoint
CREATE INDEX contact_consents_import ON contact_consents (import_id) WHERE import_id IS NOT NULL;
--> statement-breakpoint
-- Of whom the file said that they opted out or in; how its columns are called and separated (null for JSON); until when the rows that
-- failed are kept as they were.
ALTER TABLE contact_imports ADD COLUMN opt_outs integer NOT NULL DEFAULT 0, ADD COLUMN opt_ins integer NOT NULL DEFAULT 0,
  ADD COLUMN file_columns jsonb, ADD COLUMN rows_kept_until timestamptz;
--> statement-breakpoint
-- The row as the file had it, a list of cells or an element of JSON, and the number that was read from it, by which it is erased.
ALTER TABLE contact_import_errors ADD COLUMN source text, ADD COLUMN phone text;
--> statement-breakpoint
DROP FUNCTION record_consents(uuid[], uuid[], text[], text[], text[], text[], text[], timestamptz[], timestamptz[]);
--> statement-breakpoint
-- As in 0028, with the import that said it; p_step is 0 where the contact was made or changed in the same transaction.
CREATE FUNCTION record_consents(p_workspaces uuid[], p_contacts uuid[], p_kinds text[], p_sources text[], p_texts text[],
  p_recorded_by text[], p_senders text[], p_at timestamptz[], p_said_at timestamptz[] DEFAULT NULL, p_import uuid DEFAULT NULL,
  p_step integer DEFAULT 1) RETURNS SETOF uuid LANGUAGE plpgsql AS $$
BEGIN
  PERFORM id FROM contacts WHERE id = ANY (p_contacts) ORDER BY id FOR NO KEY UPDATE;
  INSERT INTO contact_consents (workspace_id, contact_id, kind, source, text, recorded_by, sender, occurred_at, said_at, import_id)
    SELECT DISTINCT n.*, p_import FROM unnest(p_workspaces, p_contacts, p_kinds, p_sources, p_texts, p_recorded_by, p_senders, p_at, p_said_at)
             AS n (workspace_id, contact_id, kind, source, text, recorded_by, sender, occurred_at, said_at)
      JOIN contacts c ON c.id = n.contact_id AND c.workspace_id = n.workspace_id
     WHERE NOT EXISTS (SELECT FROM contact_consents o WHERE o.contact_id = n.contact_id AND o.kind = n.kind AND o.source = n.source
                          AND coalesce(o.said_at, o.occurred_at) = coalesce(n.said_at, n.occurred_at) AND o.text = n.text
                          AND o.recorded_by IS NOT DISTINCT FROM n.recorded_by AND o.sender IS NOT DISTINCT FROM n.sender);
  UPDATE deleted_contacts k SET consents = k.consents || n.records
    FROM (SELECT workspace_id, contact_id, jsonb_agg(jsonb_build_object('id', gen_random_uuid(), 'workspace_id', workspace_id,
                   'contact_id', contact_id, 'kind', kind, 'source', source, 'text', text, 'recorded_by', recorded_by,
                   'sender', sender, 'occurred_at', occurred_at, 'said_at', said_at, 'recorded_at', now())) AS records
            FROM unnest(p_workspaces, p_contacts, p_kinds, p_sources, p_texts, p_recorded_by, p_senders, p_at, p_said_at)
              AS n (workspace_id, contact_id, kind, source, text, recorded_by, sender, occurred_at, said_at) GROUP BY 1, 2) AS n
   WHERE k.contact_id = n.contact_id AND k.workspace_id = n.workspace_id;
  RETURN QUERY SELECT settle_consents(p_contacts, p_step);
END $$;
--> statement-breakpoint
-- Entries of the log that say for certain which fact they were.
UPDATE activities SET description = NULL, fact_type = 'contacts.imported',
       "values" = jsonb_build_object('imported', substring(description FROM '^Imported (\d{1,9}) contacts$')::integer)
 WHERE fact_type IS NULL AND type = 'upload' AND resource = 'contacts' AND description ~ '^Imported \d{1,9} contacts$';
--> statement-breakpoint
UPDATE activities SET description = NULL, fact_type = 'contacts.import_undone',
       "values" = jsonb_build_object('removed', substring(description FROM '(\d{1,9}) contacts removed')::integer,
         'restored', substring(description FROM '(\d{1,9}) restored$')::integer)
 WHERE fact_type IS NULL AND type = 'delete' AND resource = 'contacts'
   AND description ~ '^Took an import back: \d{1,9} contacts removed, \d{1,9} restored$';
