-- The same words as before, made in a few whole steps in place of one row for each word: an arriving message costs a fraction of it, and so
-- does building the index. What is plain ASCII, which most is, has no accents to look for.
CREATE OR REPLACE FUNCTION message_words(p_workspace uuid, p_at timestamptz, p_text text) RETURNS tsvector LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
DECLARE
  words text := left(p_text, 8192);
  before text := right(p_workspace::text, 5) || floor(extract(epoch FROM p_at AT TIME ZONE 'UTC') / 604800)::text || '.';
BEGIN
  IF octet_length(words) = length(words) THEN
    words := lower(words);
  ELSE
    words := regexp_replace(translate(replace(lower(normalize(words, NFKD)), 'ß', 'ss'), 'øłđıðς', 'oldidσ'), '[\u0300-\u036f]', '', 'g');
  END IF;
  words := btrim(regexp_replace(words,
      '[\u0001-\u002f\u003a-\u0040\u005b-\u0060\u007b-\u00bf\u2000-\u206f\u2190-\u2bff\u3000-\u303f\ufe00-\ufe0f\U0001F000-\U0001FAFF]+', ' ', 'g'), ' ');
  IF words IS NULL OR words = '' THEN RETURN ''; END IF;
  IF words ~ '[^ ]{41}' THEN words := regexp_replace(words, '([^ ]{40})[^ ]+', '\1', 'g'); END IF;
  RETURN array_to_tsvector(string_to_array(before || replace(words, ' ', ' ' || before), ' '));
END $$;
--> statement-breakpoint
-- The list of one number, which may have few conversations among very many.
CREATE INDEX conversations_of_channel ON conversations (channel_id, last_activity_at DESC, id DESC) WHERE NOT is_archived;
