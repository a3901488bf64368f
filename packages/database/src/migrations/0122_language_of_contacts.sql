-- In which language somebody wants to be written to, as the platforms call it: `de`, `pt_BR`. Null: nobody said it.
ALTER TABLE contacts ADD COLUMN language text CHECK (language ~ '^[a-z]{2,3}(_[A-Z]{2})?$');
--> statement-breakpoint
ALTER TABLE contact_import_changes ADD COLUMN language text;
