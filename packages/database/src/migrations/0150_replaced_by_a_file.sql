-- A file of data may take the place of what is here; what was here before is kept as with an archive that was read in, under the id of the import.
ALTER TABLE data_imports ADD COLUMN replaces boolean NOT NULL DEFAULT false;
--> statement-breakpoint
ALTER TABLE archive_readings ADD COLUMN of_import boolean NOT NULL DEFAULT false;
