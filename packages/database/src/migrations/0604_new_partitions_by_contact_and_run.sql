-- As in 0003, with the index of 0603: built on what the table holds before it is attached, so that attaching it locks nobody out.
CREATE OR REPLACE FUNCTION attach_recipients_partition(name text, bounds text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE format('ALTER TABLE %I ADD PRIMARY KEY (run_no, seq)', name);
  EXECUTE format('CREATE INDEX ON %I (contact_id, run_no)', name);
  EXECUTE format('ALTER TABLE delivery_recipients ATTACH PARTITION %I FOR VALUES %s', name, bounds);
END $$;
