-- Of when the newest notice or refusal is that stopped a number: news of the platform come out of order, and an older one lifts no newer stop.
ALTER TABLE channels ADD COLUMN stopped_at timestamptz;
