-- What a stop of a number holds back: all that it sends, or what the business begins itself, so that people who wrote get their answers.
ALTER TABLE channels ADD COLUMN stopped_for text CHECK (stopped_for IN ('everything', 'campaigns'));
--> statement-breakpoint
-- Which one it was is not known of those from before.
UPDATE channels SET stopped_for = 'everything' WHERE stopped_code IS NOT NULL;
--> statement-breakpoint
ALTER TABLE channels ADD CONSTRAINT channels_stopped_for_something CHECK ((stopped_code IS NULL) = (stopped_for IS NULL));
--> statement-breakpoint
-- Somebody whose account goes is nobody's assignee any more: found among conversations in the archive and outside, without reading all of them.
CREATE INDEX conversations_assigned ON conversations (assignee_id) WHERE assignee_id IS NOT NULL;
