-- When a failure of the flow was told last: its owner hears of one in some hours.
ALTER TABLE flows ADD COLUMN failure_told_at timestamptz;
