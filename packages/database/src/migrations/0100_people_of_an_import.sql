-- Whom an import found here and had nothing to change of is one of its people, too; its undo leaves them alone.
ALTER TABLE contact_import_changes ADD COLUMN is_same boolean NOT NULL DEFAULT false;
