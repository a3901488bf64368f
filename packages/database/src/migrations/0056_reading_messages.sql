-- The chat in its order, whatever else a contact has: a page is one range of an index.
CREATE INDEX messages_said ON messages (contact_id, channel_id, occurred_at DESC, id DESC)
  WHERE target_id IS NULL AND group_id IS NULL AND type <> 'reaction';
--> statement-breakpoint
-- Few at any time: the first of them, and those that are marked as read.
CREATE INDEX messages_unread ON messages (contact_id, channel_id, occurred_at, id) WHERE is_unread;
--> statement-breakpoint
-- The gallery, a shelf each. Behind the guard of workspaces only a condition that an index is made for finds it, not one on a value in it.
CREATE INDEX messages_with_pictures ON messages (contact_id, channel_id, occurred_at DESC, id DESC)
  WHERE type = 'media' AND content->>'kind' IN ('image', 'video');
--> statement-breakpoint
CREATE INDEX messages_with_documents ON messages (contact_id, channel_id, occurred_at DESC, id DESC)
  WHERE type = 'media' AND content->>'kind' = 'document';
--> statement-breakpoint
CREATE INDEX messages_with_audio ON messages (contact_id, channel_id, occurred_at DESC, id DESC)
  WHERE type = 'media' AND content->>'kind' = 'audio';
--> statement-breakpoint
CREATE INDEX messages_with_links ON messages (contact_id, channel_id, occurred_at DESC, id DESC) WHERE text LIKE '%://%';
--> statement-breakpoint
-- What led to a message, in the product's terms: that it was forwarded, the product it asks about, the advertisement it came from.
ALTER TABLE messages ADD COLUMN about jsonb;
--> statement-breakpoint
UPDATE messages SET about = jsonb_strip_nulls(jsonb_build_object(
    'isForwarded', CASE WHEN payload->'context'->>'forwarded' = 'true' OR payload->'context'->>'frequently_forwarded' = 'true' THEN true END,
    'product', payload->'context'->'referred_product'->>'product_retailer_id',
    'ad', CASE WHEN jsonb_typeof(payload->'referral') = 'object' THEN jsonb_build_object(
      'headline', payload->'referral'->>'headline', 'body', payload->'referral'->>'body', 'url', payload->'referral'->>'source_url') END))
 WHERE payload ? 'referral' OR payload->'context' ?| ARRAY['forwarded', 'frequently_forwarded', 'referred_product'];
