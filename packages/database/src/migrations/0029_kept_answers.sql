ALTER TABLE idempotency_keys
  -- An act that reaches beyond the database gives signs of life while somebody is at it.
  ADD COLUMN alive_at timestamptz NOT NULL DEFAULT now(),
  -- The id of what the act made; it outlives the answer.
  ADD COLUMN made text,
  -- Ids and numbers of those of whom the answer tells.
  ADD COLUMN about text[] NOT NULL DEFAULT '{}';
--> statement-breakpoint
-- Answers that were kept before do not say of whom they tell.
UPDATE idempotency_keys
   SET made = coalesce(response->>'campaignId', response->>'id'),
       about = array_remove(ARRAY[coalesce(response->>'campaignId', response->>'id')], NULL),
       response = NULL
 WHERE response IS NOT NULL;
--> statement-breakpoint
CREATE INDEX idempotency_keys_about ON idempotency_keys USING gin (about);
--> statement-breakpoint
CREATE INDEX idempotency_keys_answered ON idempotency_keys (created_at) WHERE response IS NOT NULL;
