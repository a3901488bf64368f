-- What opens a number is proven once a day: nothing else tells of a number that works that its token is about to end.
ALTER TABLE channels ADD COLUMN proven_at timestamptz;
--> statement-breakpoint
-- The end that people were told of: no end is told of twice.
ALTER TABLE channels ADD COLUMN told_end_at timestamptz;
