-- In which letters the file of an import was read: people are told when it was no Unicode.
ALTER TABLE contact_imports ADD COLUMN encoding text;
