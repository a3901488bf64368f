-- The words of a message as they are searched, without case, accents and signs (`searched-words.ts` does the same to what is typed), each
-- with its workspace and week before it. Whoever searches names weeks from the newest on, so that a word that stands in millions of
-- messages is no more work than a rare one.
CREATE FUNCTION message_words(p_workspace uuid, p_at timestamptz, p_text text) RETURNS tsvector LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT coalesce(array_to_tsvector(array_agg(right(p_workspace::text, 5)
      || floor(extract(epoch FROM p_at AT TIME ZONE 'UTC') / 604800)::text || '.' || left(w, 40))), ''::tsvector)
    FROM string_to_table(regexp_replace(
      regexp_replace(translate(replace(lower(normalize(left(p_text, 8192), NFKD)), 'ß', 'ss'), 'øłđıðς', 'oldidσ'), '[\u0300-\u036f]', '', 'g'),
      '[\u0001-\u002f\u003a-\u0040\u005b-\u0060\u007b-\u00bf\u2000-\u206f\u2190-\u2bff\u3000-\u303f\ufe00-\ufe0f\U0001F000-\U0001FAFF]+', ' ', 'g'),
      ' ') AS w WHERE w <> '' $$;
--> statement-breakpoint
CREATE INDEX messages_words ON messages USING gin (message_words(workspace_id, occurred_at, text))
  WHERE text IS NOT NULL AND target_id IS NULL AND group_id IS NULL AND type <> 'reaction';
--> statement-breakpoint
-- Lists of conversations by what they are filtered by most.
CREATE INDEX conversations_of_nobody ON conversations (workspace_id, last_activity_at DESC, id DESC)
  WHERE assignee_id IS NULL AND NOT is_archived;
--> statement-breakpoint
CREATE INDEX conversations_labels ON conversations USING gin (labels) WHERE labels <> '{}';
