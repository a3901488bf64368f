-- Entries of campaigns, bulk messages and sign-in that say for certain which fact they were; others keep their sentence.
UPDATE activities SET description = NULL, fact_type = moved.fact_type,
       "values" = moved.more || jsonb_build_object('name', substr(description, length(moved.before) + 1))
  FROM (VALUES
         ('create', 'Created campaign ', 'campaign.created', '{}'::jsonb),
         ('update', 'Updated campaign ', 'campaign.updated', '{}'),
         ('delete', 'Deleted campaign ', 'campaign.deleted', '{}'),
         ('send', 'Started campaign ', 'campaign.started', '{"isScheduled": false}'),
         ('send', 'Started scheduled campaign ', 'campaign.started', '{"isScheduled": true}'),
         ('send', 'Resumed campaign ', 'campaign.resumed', '{}'),
         ('update', 'Paused campaign ', 'campaign.paused', '{}'),
         ('update', 'Cancelled campaign ', 'campaign.cancelled', '{}'),
         ('download', 'Exported the results of campaign ', 'campaign.results_exported', '{}'))
       AS moved (type, before, fact_type, more)
 WHERE activities.fact_type IS NULL AND activities.resource = 'campaigns' AND activities.type = moved.type
   AND starts_with(description, moved.before) AND length(description) > length(moved.before);
--> statement-breakpoint
UPDATE activities SET description = NULL, fact_type = moved.fact_type
  FROM (VALUES
         ('send', 'campaigns', 'Sends a test message', 'test_message.begun'),
         ('update', 'campaigns', 'The platform refused the test message', 'test_message.refused'),
         ('update', 'campaigns', 'Nobody knows whether the test message left', 'test_message.lost'),
         ('update', 'campaigns', 'The test message was not sent', 'test_message.not_sent'),
         ('login', 'auth', 'Signed in', 'user.signed_in'),
         ('logout', 'auth', 'Signed out', 'user.signed_out'))
       AS moved (type, resource, sentence, fact_type)
 WHERE activities.fact_type IS NULL AND activities.type = moved.type AND activities.resource = moved.resource
   AND description = moved.sentence;
--> statement-breakpoint
UPDATE activities SET description = NULL, fact_type = 'campaign.failed_retried',
       "values" = jsonb_build_object('retryOf', metadata->>'campaignId')
 WHERE fact_type IS NULL AND type = 'send' AND resource = 'campaigns' AND metadata ? 'campaignId'
   AND description = 'Sent again to the failed recipients of a campaign';
--> statement-breakpoint
UPDATE activities SET description = NULL, fact_type = 'campaign.unknown_decided',
       "values" = jsonb_build_object('resolved', substring(description FROM '[0-9]+')::integer, 'decision', metadata->>'decision',
                                     'name', substring(description FROM '^Decided [0-9]+ unknown recipients of campaign (.+)$'))
 WHERE fact_type IS NULL AND type = 'update' AND resource = 'campaigns' AND metadata->>'decision' IN ('send_again', 'mark_sent')
   AND description ~ '^Decided [0-9]{1,9} unknown recipients of campaign .';
--> statement-breakpoint
UPDATE activities SET description = NULL,
       fact_type = CASE WHEN starts_with(description, 'Sent') THEN 'bulk_message.sent' ELSE 'bulk_message.scheduled' END,
       "values" = jsonb_build_object('recipients', substring(description FROM '[0-9]+')::integer)
 WHERE fact_type IS NULL AND type = 'send' AND resource = 'bulk-message'
   AND description ~ '^(Sent|Scheduled) a bulk message to [0-9]{1,9} contacts$';
--> statement-breakpoint
UPDATE activities SET description = NULL,
       fact_type = CASE WHEN starts_with(description, 'Asked') THEN 'user.asked_to_join' ELSE 'user.created' END,
       "values" = jsonb_build_object('role', substring(description FROM '[a-z]+$'))
 WHERE fact_type IS NULL AND type = 'create' AND resource = 'users'
   AND description ~ '^(Asked to join|Created an account) as (admin|manager|agent|viewer)$';
