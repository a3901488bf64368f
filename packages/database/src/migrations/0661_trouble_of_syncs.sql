-- Since when no step of a run could be done; null while it goes on.
ALTER TABLE integration_runs ADD COLUMN troubled_at timestamptz;
