-- A consent that a connection to another service brings comes from there. It counted as recorded by staff.
ALTER TABLE contact_consents DROP CONSTRAINT contact_consents_source_check;
--> statement-breakpoint
ALTER TABLE contact_consents ADD CONSTRAINT contact_consents_source_check CHECK (source IN ('person', 'staff', 'form', 'bot', 'integration'));
--> statement-breakpoint
ALTER TABLE suppression_list DROP CONSTRAINT suppression_list_source_check;
--> statement-breakpoint
ALTER TABLE suppression_list ADD CONSTRAINT suppression_list_source_check CHECK (source IN ('person', 'staff', 'form', 'bot', 'integration'));
--> statement-breakpoint
-- `form` is a contact that was added by hand.
CREATE OR REPLACE FUNCTION consent_source(c contact_consents) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN c.import_id IS NOT NULL THEN 'import' WHEN c.source = 'form' THEN 'hosted_form'
    WHEN c.source IN ('staff', 'bot', 'integration') THEN c.source WHEN c.text <> '' THEN 'keyword' ELSE 'platform' END
$$;
