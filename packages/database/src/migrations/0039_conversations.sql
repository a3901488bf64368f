-- One conversation for each contact and channel, kept current in the transaction that stores a message: a list of them reads an index
-- and nothing else. Messages belong to it by their contact and channel.
CREATE TABLE conversations (
  id uuid PRIMARY KEY,
  workspace_id uuid NOT NULL REFERENCES workspaces ON DELETE CASCADE,
  contact_id uuid NOT NULL REFERENCES contacts ON DELETE CASCADE,
  channel_id uuid NOT NULL REFERENCES channels ON DELETE CASCADE,
  status text NOT NULL DEFAULT 'open' CHECK (status IN ('open', 'waiting', 'resolved', 'snoozed')),
  snoozed_until timestamptz,
  is_archived boolean NOT NULL DEFAULT false,
  assignee_id uuid REFERENCES users ON DELETE SET NULL,
  team_id uuid,
  labels text[] NOT NULL DEFAULT '{}',
  -- Messages of the contact that nobody has read: those that are marked so, counted.
  unread integer NOT NULL DEFAULT 0 CHECK (unread >= 0),
  -- The newest message by its own time; its words are read from it, so that an edit shows.
  last_message_id uuid,
  last_message_type text,
  last_message_direction text,
  last_message_at timestamptz,
  -- What lists are sorted by: the last message, or the beginning of a conversation that has none.
  last_activity_at timestamptz NOT NULL,
  last_inbound_at timestamptz,
  last_outbound_at timestamptz,
  -- The first message of the contact that no message of ours followed.
  waiting_since timestamptz,
  -- Until when free text may be sent; null where the contact never opened it.
  window_ends_at timestamptz,
  -- When a message of the contact last opened it.
  opened_at timestamptz,
  bot_state jsonb,
  -- One more with each change of what people decide.
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL DEFAULT now()
) WITH (fillfactor = 80);
--> statement-breakpoint
SELECT guard_workspace('conversations');
--> statement-breakpoint
-- What one person sees of a conversation in their own way.
CREATE TABLE conversation_marks (
  workspace_id uuid NOT NULL REFERENCES workspaces ON DELETE CASCADE,
  conversation_id uuid NOT NULL REFERENCES conversations ON DELETE CASCADE,
  user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  pinned_at timestamptz,
  muted_at timestamptz,
  PRIMARY KEY (user_id, conversation_id)
);
--> statement-breakpoint
CREATE INDEX conversation_marks_conversation ON conversation_marks (conversation_id);
--> statement-breakpoint
SELECT guard_workspace('conversation_marks');
--> statement-breakpoint
-- The number by which the reports of a message of ours find it; given in the order of its conversation.
CREATE SEQUENCE message_numbers;
--> statement-breakpoint
ALTER TABLE messages
  ALTER COLUMN provider_message_id DROP NOT NULL,
  ALTER COLUMN payload DROP NOT NULL,
  -- `contact`, `app` (somebody wrote it in an app of the platform), or who sent it from here: a kind of caller.
  ADD COLUMN author text NOT NULL DEFAULT 'contact',
  ADD COLUMN author_id text,
  ADD COLUMN author_name text,
  -- In the product's own terms; null where type and text say all.
  ADD COLUMN content jsonb,
  -- The message that it answers or reacts to, by the platform's id.
  ADD COLUMN quoted_id text,
  ADD COLUMN group_id text,
  ADD COLUMN is_unread boolean NOT NULL DEFAULT false,
  -- Until when a message of the contact allows free text.
  ADD COLUMN window_ends_at timestamptz,
  -- Of messages that are sent from here alone.
  ADD COLUMN send_no bigint,
  ADD COLUMN send_key text,
  ADD COLUMN purpose text,
  ADD COLUMN is_marketing boolean NOT NULL DEFAULT false,
  -- Of a message to a number that need not be a contact's.
  ADD COLUMN address text,
  ADD COLUMN state text,
  ADD COLUMN attempt smallint NOT NULL DEFAULT 0,
  ADD COLUMN not_before timestamptz,
  ADD COLUMN give_up_at timestamptz,
  -- Who sends it, and until when it is theirs.
  ADD COLUMN owner text,
  ADD COLUMN lease_until timestamptz,
  -- The day whose allowance it took.
  ADD COLUMN allowance_day date,
  ADD COLUMN accepted_at timestamptz,
  ADD COLUMN sent_at timestamptz,
  ADD COLUMN delivered_at timestamptz,
  ADD COLUMN read_at timestamptz,
  ADD COLUMN failed_at timestamptz,
  ADD COLUMN error_code text,
  ADD COLUMN error_detail text,
  ADD CONSTRAINT messages_of_ours CHECK (
    (state IS NULL) = (send_no IS NULL) AND (state IS NULL OR (direction = 'out' AND purpose IS NOT NULL))
    AND (state IS NULL OR state IN ('queued', 'sending', 'accepted', 'refused', 'cancelled', 'unknown'))),
  ADD CONSTRAINT messages_of_others CHECK (state IS NOT NULL OR (provider_message_id IS NOT NULL AND payload IS NOT NULL));
--> statement-breakpoint
CREATE UNIQUE INDEX messages_send_no ON messages (send_no) WHERE send_no IS NOT NULL;
--> statement-breakpoint
CREATE UNIQUE INDEX messages_send_key ON messages (workspace_id, send_key) WHERE send_key IS NOT NULL;
--> statement-breakpoint
-- What waits to be sent: a queue that is empty most of the time.
CREATE INDEX messages_to_send ON messages (send_no) WHERE state IN ('queued', 'sending');
--> statement-breakpoint
CREATE INDEX messages_to_send_of ON messages (contact_id, channel_id, send_no) WHERE state IN ('queued', 'sending');
--> statement-breakpoint
CREATE INDEX messages_reactions ON messages (workspace_id, quoted_id) WHERE type = 'reaction';
--> statement-breakpoint
CREATE INDEX messages_to_numbers ON messages (workspace_id, address) WHERE address IS NOT NULL;
--> statement-breakpoint
UPDATE messages SET author = 'app' WHERE direction = 'out';
--> statement-breakpoint
-- Older windows are closed by now.
UPDATE messages SET window_ends_at = occurred_at + interval '24 hours'
 WHERE direction = 'in' AND target_id IS NULL AND occurred_at > now() - interval '24 hours';
--> statement-breakpoint
UPDATE messages SET quoted_id = coalesce(payload->'reaction'->>'message_id', payload->'context'->>'id')
 WHERE coalesce(payload->'reaction'->>'message_id', payload->'context'->>'id') IS NOT NULL;
--> statement-breakpoint
UPDATE messages SET group_id = payload->>'group_id' WHERE payload->>'group_id' IS NOT NULL;
--> statement-breakpoint
-- Whether a row is something that was said in its conversation: no change of another message, none of a group, no reaction.
CREATE FUNCTION is_said(m messages) RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE AS
  $$ SELECT m.target_id IS NULL AND m.group_id IS NULL AND m.type <> 'reaction' $$;
--> statement-breakpoint
-- Works out from their messages what conversations of these contacts keep, and makes those that are missing. Waits for whoever writes
-- to one of them: what is counted here is counted once.
CREATE FUNCTION recount_conversations(p_workspace uuid, p_contacts uuid[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM conversations WHERE contact_id = ANY (p_contacts) AND workspace_id = p_workspace
    ORDER BY contact_id, channel_id FOR UPDATE;
  INSERT INTO conversations AS c (id, workspace_id, contact_id, channel_id, unread, last_message_id, last_message_type,
    last_message_direction, last_message_at, last_activity_at, last_inbound_at, last_outbound_at, waiting_since, window_ends_at)
  SELECT coalesce(k.id, gen_random_uuid()), p_workspace, n.contact_id, n.channel_id, n.unread, l.id, l.type, l.direction,
         l.occurred_at, coalesce(l.occurred_at, k.created_at, n.first_at), n.inbound_at, n.outbound_at,
         (SELECT min(w.occurred_at) FROM messages w WHERE w.contact_id = n.contact_id AND w.channel_id = n.channel_id
             AND w.direction = 'in' AND is_said(w) AND w.occurred_at > coalesce(n.outbound_at, '-infinity')),
         -- After a merge only what the number that stayed opened is open.
         CASE WHEN p.window_expires_at IS NOT NULL THEN least(n.window_ends_at, p.window_expires_at) END
    FROM (SELECT m.contact_id, m.channel_id, count(*) FILTER (WHERE m.is_unread)::integer AS unread,
                 max(m.occurred_at) FILTER (WHERE m.direction = 'in' AND is_said(m)) AS inbound_at,
                 max(m.occurred_at) FILTER (WHERE m.direction = 'out' AND is_said(m)
                   AND coalesce(m.state, '') NOT IN ('refused', 'cancelled')) AS outbound_at,
                 max(m.window_ends_at) AS window_ends_at, min(m.occurred_at) AS first_at
            FROM messages m WHERE m.contact_id = ANY (p_contacts) AND m.workspace_id = p_workspace AND m.group_id IS NULL
           GROUP BY m.contact_id, m.channel_id) AS n
    JOIN contacts p ON p.id = n.contact_id
    LEFT JOIN conversations k ON k.contact_id = n.contact_id AND k.channel_id = n.channel_id
    LEFT JOIN LATERAL (
      SELECT m.id, m.type, m.direction, m.occurred_at FROM messages m
       WHERE m.contact_id = n.contact_id AND m.channel_id = n.channel_id AND is_said(m)
       ORDER BY m.occurred_at DESC, m.id DESC LIMIT 1) AS l ON true
   ORDER BY n.contact_id, n.channel_id
  ON CONFLICT (contact_id, channel_id) DO UPDATE SET unread = excluded.unread, last_message_id = excluded.last_message_id,
    last_message_type = excluded.last_message_type, last_message_direction = excluded.last_message_direction,
    last_message_at = excluded.last_message_at, last_activity_at = excluded.last_activity_at,
    last_inbound_at = excluded.last_inbound_at, last_outbound_at = excluded.last_outbound_at,
    waiting_since = excluded.waiting_since, window_ends_at = excluded.window_ends_at;
  UPDATE conversations c SET unread = 0, last_message_id = NULL, last_message_type = NULL, last_message_direction = NULL,
         last_message_at = NULL, last_activity_at = c.created_at, last_inbound_at = NULL, last_outbound_at = NULL,
         waiting_since = NULL, window_ends_at = NULL
   WHERE c.workspace_id = p_workspace AND c.contact_id = ANY (p_contacts) AND c.last_message_at IS NOT NULL
     AND NOT EXISTS (SELECT FROM messages m WHERE m.contact_id = c.contact_id AND m.channel_id = c.channel_id AND m.group_id IS NULL);
END $$;
--> statement-breakpoint
-- What was said so far becomes conversations in one reading of the messages, oldest work first; indexes follow.
INSERT INTO conversations (id, workspace_id, contact_id, channel_id, last_message_id, last_message_type, last_message_direction,
  last_message_at, last_activity_at, last_inbound_at, last_outbound_at, waiting_since, window_ends_at, opened_at, created_at)
SELECT gen_random_uuid(), m.workspace_id, m.contact_id, m.channel_id, m.id, m.type, m.direction, m.occurred_at, m.occurred_at,
       m.inbound_at, m.outbound_at, m.waiting_since, CASE WHEN p.window_expires_at IS NOT NULL THEN least(m.window_ends_at, p.window_expires_at) END,
       m.inbound_at, m.first_at
  FROM (SELECT DISTINCT ON (s.contact_id, s.channel_id) s.*,
               min(s.occurred_at) FILTER (WHERE s.direction = 'in' AND s.occurred_at > coalesce(s.outbound_at, '-infinity'))
                 OVER (PARTITION BY s.contact_id, s.channel_id) AS waiting_since
          FROM (SELECT m.id, m.workspace_id, m.contact_id, m.channel_id, m.type, m.direction, m.occurred_at,
                       max(m.occurred_at) FILTER (WHERE m.direction = 'in') OVER whole AS inbound_at,
                       max(m.occurred_at) FILTER (WHERE m.direction = 'out') OVER whole AS outbound_at,
                       max(m.window_ends_at) OVER whole AS window_ends_at, min(m.occurred_at) OVER whole AS first_at
                  FROM messages m
                 WHERE m.contact_id IS NOT NULL AND m.target_id IS NULL AND m.group_id IS NULL AND m.type <> 'reaction'
                WINDOW whole AS (PARTITION BY m.contact_id, m.channel_id)) AS s
         ORDER BY s.contact_id, s.channel_id, s.occurred_at DESC, s.id DESC) AS m
  JOIN contacts p ON p.id = m.contact_id;
--> statement-breakpoint
CREATE UNIQUE INDEX conversations_of_contact ON conversations (contact_id, channel_id);
--> statement-breakpoint
CREATE INDEX conversations_newest ON conversations (workspace_id, is_archived, last_activity_at DESC, id DESC);
--> statement-breakpoint
CREATE INDEX conversations_by_status ON conversations (workspace_id, status, last_activity_at DESC, id DESC) WHERE NOT is_archived;
--> statement-breakpoint
CREATE INDEX conversations_of_assignee ON conversations (workspace_id, assignee_id, last_activity_at DESC, id DESC)
  WHERE assignee_id IS NOT NULL AND NOT is_archived;
--> statement-breakpoint
CREATE INDEX conversations_unread ON conversations (workspace_id, last_activity_at DESC, id DESC) WHERE unread > 0 AND NOT is_archived;
--> statement-breakpoint
CREATE INDEX conversations_channel ON conversations (channel_id);
--> statement-breakpoint
CREATE INDEX conversations_snoozed ON conversations (snoozed_until) WHERE status = 'snoozed';
--> statement-breakpoint
-- Conversations of deleted contacts go and come back with them; copies that were made before know nothing of the new columns.
ALTER TABLE deleted_contacts ADD COLUMN conversations jsonb NOT NULL DEFAULT '[]', ADD COLUMN conversation_marks jsonb NOT NULL DEFAULT '[]';
--> statement-breakpoint
UPDATE deleted_contacts k SET messages = (
  SELECT coalesce(jsonb_agg(jsonb_build_object('author', CASE WHEN m->>'direction' = 'out' THEN 'app' ELSE 'contact' END,
           'is_unread', false, 'is_marketing', false, 'attempt', 0) || m), '[]') FROM jsonb_array_elements(k.messages) AS m)
 WHERE k.messages <> '[]';
