-- Of how many rows of an import the number could be read in two ways: as one of the country of the file, or with a country code of its own.
ALTER TABLE contact_imports ADD COLUMN twofold integer NOT NULL DEFAULT 0;
