-- Contacts that a member enters by hand have no trigger.
ALTER TABLE flow_sweeps ALTER COLUMN trigger_id DROP NOT NULL;
