-- What the platform refused, by its code: words for it are in the catalogues, and its own sentence stands beside it.
ALTER TABLE profile_pushes ADD COLUMN code text;
--> statement-breakpoint
ALTER TABLE channels ADD COLUMN templates_sync_code text;
--> statement-breakpoint
-- The category of ours that was handed over last: as long as it is the same, the platform keeps its own finer word for it.
ALTER TABLE profile_pushes ADD COLUMN category text;
--> statement-breakpoint
-- Ours is empty, and the platform takes no empty one: the text that stood there still does.
ALTER TABLE profile_pushes ADD COLUMN keeps_about boolean NOT NULL DEFAULT false;
