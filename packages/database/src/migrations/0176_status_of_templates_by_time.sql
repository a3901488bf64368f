-- What a platform tells of a template counts by its own time, in whichever order it arrives.
ALTER TABLE templates ADD COLUMN status_told_at timestamptz;
