-- What each feature needs to take a merge back, under its name; it stood in a column for each table before.
ALTER TABLE contact_merges ADD COLUMN moved jsonb NOT NULL DEFAULT '{}';
--> statement-breakpoint
UPDATE contact_merges m SET moved = jsonb_build_object(
         'delivery', jsonb_build_object('recipients', m.recipients),
         'conversations', jsonb_build_object('messages', p.messages),
         'contacts', jsonb_build_object('consents', p.consents, 'holds', p.holds))
  FROM (SELECT workspace_id, merge_id, jsonb_object_agg(contact_id, to_jsonb(message_ids)) AS messages,
               jsonb_object_agg(contact_id, to_jsonb(consent_ids)) AS consents,
               coalesce(jsonb_object_agg(contact_id, hold_until) FILTER (WHERE hold_until IS NOT NULL), '{}') AS holds
          FROM contact_merge_parts GROUP BY workspace_id, merge_id) AS p
 WHERE p.workspace_id = m.workspace_id AND p.merge_id = m.id;
--> statement-breakpoint
ALTER TABLE contact_merges DROP COLUMN recipients;
--> statement-breakpoint
ALTER TABLE contact_merge_parts DROP COLUMN message_ids, DROP COLUMN consent_ids, DROP COLUMN hold_until;
