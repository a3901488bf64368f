-- When what opens a number ends by itself, as the platform said last, so that its owner hears of it days before.
ALTER TABLE channels ADD COLUMN credentials_end_at timestamptz;
