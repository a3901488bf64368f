-- Where at a service the conversations of a deleted contact are talked about comes back with them.
ALTER TABLE deleted_contacts ADD COLUMN connector_threads jsonb NOT NULL DEFAULT '[]';
