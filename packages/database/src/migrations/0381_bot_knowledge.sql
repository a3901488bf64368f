-- What the bot may answer from (docs/decisions/118-knowledge-is-found-by-words-and-by-meaning.md).
CREATE TABLE bot_knowledge (
  id uuid PRIMARY KEY,
  workspace_id uuid NOT NULL REFERENCES workspaces ON DELETE CASCADE,
  kind text NOT NULL CHECK (kind IN ('pair', 'file', 'address')),
  -- The question of a pair, the name of a file, the title of a page.
  title text NOT NULL,
  -- Of a pair alone.
  answer text,
  url text,
  -- Characters of all parts.
  characters integer NOT NULL,
  -- Why the address could not be read last time; what was read before stays.
  problem text,
  read_at timestamptz NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  version integer NOT NULL DEFAULT 1
);
--> statement-breakpoint
CREATE INDEX bot_knowledge_of_workspace ON bot_knowledge (workspace_id, updated_at DESC, id DESC);
--> statement-breakpoint
SELECT guard_workspace('bot_knowledge');
--> statement-breakpoint
CREATE TABLE bot_knowledge_parts (
  workspace_id uuid NOT NULL REFERENCES workspaces ON DELETE CASCADE,
  knowledge_id uuid NOT NULL REFERENCES bot_knowledge ON DELETE CASCADE,
  place integer NOT NULL,
  text text NOT NULL,
  -- The same in small letters without accents, with the title: what is searched.
  words text NOT NULL,
  -- One byte for each dimension, of length one; null until a model made it.
  embedding bytea,
  embedded_by text,
  PRIMARY KEY (knowledge_id, place)
);
--> statement-breakpoint
CREATE INDEX bot_knowledge_words ON bot_knowledge_parts USING gin (to_tsvector('simple', words));
--> statement-breakpoint
CREATE INDEX bot_knowledge_parts_of_workspace ON bot_knowledge_parts (workspace_id, knowledge_id);
--> statement-breakpoint
SELECT guard_workspace('bot_knowledge_parts');
