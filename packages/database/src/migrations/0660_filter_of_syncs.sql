-- Which records of the service come in: rules {field, operator, values}, which all have to be met. Empty: every record.
ALTER TABLE integrations ADD COLUMN filter jsonb NOT NULL DEFAULT '[]';
