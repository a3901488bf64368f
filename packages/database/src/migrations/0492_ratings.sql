-- What the contact said of a conversation when it was resolved: asked once for each time that it is opened, and answered by a button.
ALTER TABLE conversation_rounds ADD COLUMN asked_at timestamptz;
--> statement-breakpoint
-- Stands in the buttons of the question.
ALTER TABLE conversation_rounds ADD COLUMN rating_key uuid;
--> statement-breakpoint
-- 1 bad, 2 okay, 3 good.
ALTER TABLE conversation_rounds ADD COLUMN rating smallint CHECK (rating BETWEEN 1 AND 3);
--> statement-breakpoint
ALTER TABLE conversation_rounds ADD COLUMN rated_at timestamptz;
--> statement-breakpoint
CREATE INDEX conversation_rounds_rating_key ON conversation_rounds (rating_key) WHERE rating_key IS NOT NULL;
--> statement-breakpoint
CREATE INDEX conversation_rounds_asked ON conversation_rounds (workspace_id, asked_at) WHERE asked_at IS NOT NULL;
