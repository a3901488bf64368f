-- The model that answers (docs/decisions/117-a-model-answers-between-two-transactions.md).
CREATE TABLE ai_connections (
  workspace_id uuid PRIMARY KEY REFERENCES workspaces ON DELETE CASCADE,
  provider text NOT NULL CHECK (provider IN ('openai', 'anthropic', 'google', 'compatible')),
  -- Of a compatible endpoint alone.
  base_url text,
  -- Sealed; null for an endpoint without a key.
  key text,
  -- Its end, for people to recognise.
  key_hint text,
  model text NOT NULL,
  -- Null: knowledge is searched by words alone.
  embedding_model text,
  -- In millionths of the currency for a million tokens, as the workspace entered them; null: cost is not known.
  price_in bigint CHECK (price_in >= 0),
  price_out bigint CHECK (price_out >= 0),
  is_enabled boolean NOT NULL DEFAULT true,
  -- What the last call ended with; null where it went well.
  problem text,
  checked_at timestamptz,
  version integer NOT NULL DEFAULT 1
);
--> statement-breakpoint
SELECT guard_workspace('ai_connections');
--> statement-breakpoint
-- Each call to a model: begun before it leaves, so that a call whose process died is known and never made again. No foreign keys: contacts come and go.
CREATE TABLE ai_calls (
  -- Of an answer to a customer: the id of the message.
  id uuid NOT NULL,
  workspace_id uuid NOT NULL REFERENCES workspaces ON DELETE CASCADE,
  purpose text NOT NULL,
  -- Null once the person was erased.
  contact_id uuid,
  channel_id uuid,
  state text NOT NULL CHECK (state IN ('asked', 'begun', 'done', 'failed', 'unused')),
  model text,
  input_tokens integer NOT NULL DEFAULT 0,
  output_tokens integer NOT NULL DEFAULT 0,
  -- In millionths of the currency; null where no prices are set.
  cost bigint,
  duration_ms integer,
  problem text,
  asked_at timestamptz NOT NULL,
  ended_at timestamptz,
  PRIMARY KEY (workspace_id, id)
);
--> statement-breakpoint
CREATE INDEX ai_calls_by_time ON ai_calls (workspace_id, asked_at DESC);
--> statement-breakpoint
CREATE INDEX ai_calls_of_contact ON ai_calls (workspace_id, contact_id, channel_id, asked_at DESC) WHERE contact_id IS NOT NULL;
--> statement-breakpoint
SELECT guard_workspace('ai_calls');
--> statement-breakpoint
-- What a model had to do with an answer: model, prompt version, sources, entities, tokens, cost, time, doubt, problem. Null where none was asked.
ALTER TABLE bot_answers ADD COLUMN model jsonb;
