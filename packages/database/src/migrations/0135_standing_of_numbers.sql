-- What the platform said last of a number (NumberStanding in packages/domain), and when it was asked.
ALTER TABLE channels ADD COLUMN standing jsonb;
--> statement-breakpoint
ALTER TABLE channels ADD COLUMN asked_at timestamptz;
