-- The language of the interface and of mails. Null until somebody chooses: their browser's is used then.
ALTER TABLE users ADD COLUMN language text CHECK (language IN ('en', 'es', 'fr', 'de', 'pt'));
--> statement-breakpoint
-- Of mails to people of a workspace who chose none.
ALTER TABLE workspaces ADD COLUMN language text NOT NULL DEFAULT 'en' CHECK (language IN ('en', 'es', 'fr', 'de', 'pt'));
