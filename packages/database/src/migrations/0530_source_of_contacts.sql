-- Where a contact came from, so that the people behind a number of new contacts can be listed. Null for older rows and for those of imports:
-- contact_source works it out.
ALTER TABLE contacts ADD COLUMN source text;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION contact_source(c contacts) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT CASE WHEN c.import_id IS NOT NULL THEN 'import'
    ELSE coalesce(c.source, CASE WHEN c.platform_user_id IS NOT NULL OR c.last_message_at IS NOT NULL THEN 'conversation' ELSE 'form' END) END
$$;
