-- How a workspace works in its inbox; what it says nothing of has its default in the product.
CREATE TABLE inbox_settings (
  workspace_id uuid PRIMARY KEY REFERENCES workspaces ON DELETE CASCADE,
  settings jsonb NOT NULL,
  version integer NOT NULL DEFAULT 1
);
--> statement-breakpoint
SELECT guard_workspace('inbox_settings');
--> statement-breakpoint
-- Whether somebody wants conversations that are given out by themselves, and when they last got one.
CREATE TABLE inbox_people (
  workspace_id uuid NOT NULL REFERENCES workspaces ON DELETE CASCADE,
  user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  is_available boolean NOT NULL DEFAULT true,
  last_turn bigint,
  PRIMARY KEY (workspace_id, user_id)
);
--> statement-breakpoint
CREATE INDEX inbox_people_user ON inbox_people (user_id);
--> statement-breakpoint
SELECT guard_workspace('inbox_people');
--> statement-breakpoint
-- The labels of a workspace. Conversations have them by name, so that a list shows them without looking further.
CREATE TABLE conversation_labels (
  id uuid PRIMARY KEY,
  workspace_id uuid NOT NULL REFERENCES workspaces ON DELETE CASCADE,
  name text NOT NULL,
  colour text NOT NULL,
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX conversation_labels_name ON conversation_labels (workspace_id, lower(name));
--> statement-breakpoint
SELECT guard_workspace('conversation_labels');
--> statement-breakpoint
-- Labels were free words: each becomes one of the list, as it was written first.
INSERT INTO conversation_labels (id, workspace_id, name, colour, created_at)
SELECT gen_random_uuid(), workspace_id, name, 'grey', now()
  FROM (SELECT DISTINCT ON (c.workspace_id, lower(l)) c.workspace_id, l AS name
          FROM conversations c, unnest(c.labels) AS l ORDER BY c.workspace_id, lower(l), c.created_at, l) AS found;
--> statement-breakpoint
UPDATE conversations c SET labels = ARRAY(
  SELECT n.name FROM unnest(c.labels) WITH ORDINALITY AS l (name, place)
    JOIN conversation_labels n ON n.workspace_id = c.workspace_id AND lower(n.name) = lower(l.name) ORDER BY l.place)
 WHERE c.labels <> '{}';
--> statement-breakpoint
UPDATE conversations SET team_id = NULL WHERE team_id IS NOT NULL;
--> statement-breakpoint
ALTER TABLE conversations
  ADD CONSTRAINT conversations_team FOREIGN KEY (team_id) REFERENCES teams ON DELETE SET NULL,
  -- Nobody was there to get it: it goes to whoever comes.
  ADD COLUMN awaits_assignee boolean NOT NULL DEFAULT false,
  -- The message that opened it last, and by when it is to be answered and resolved (conversation-clock.ts).
  ADD COLUMN begun_at timestamptz,
  ADD COLUMN first_answer_due_at timestamptz,
  ADD COLUMN first_answer_soon_at timestamptz,
  -- By a person, here or in an app of the platform.
  ADD COLUMN first_answered_at timestamptz,
  ADD COLUMN resolution_due_at timestamptz,
  ADD COLUMN resolution_soon_at timestamptz,
  ADD COLUMN resolution_left_ms bigint,
  ADD COLUMN resolved_at timestamptz,
  -- The first of what is still to be done by a time, and when there is next something to tell of it.
  ADD COLUMN next_due_at timestamptz,
  ADD COLUMN next_news_at timestamptz;
--> statement-breakpoint
CREATE INDEX conversations_of_team ON conversations (team_id, last_activity_at DESC, id DESC) WHERE team_id IS NOT NULL;
--> statement-breakpoint
CREATE INDEX conversations_open_of ON conversations (workspace_id, assignee_id) WHERE status = 'open' AND assignee_id IS NOT NULL;
--> statement-breakpoint
CREATE INDEX conversations_without_assignee ON conversations (workspace_id, opened_at) WHERE awaits_assignee;
--> statement-breakpoint
CREATE INDEX conversations_due ON conversations (workspace_id, next_due_at, id) WHERE next_due_at IS NOT NULL;
--> statement-breakpoint
CREATE INDEX conversations_news ON conversations (next_news_at) WHERE next_news_at IS NOT NULL;
