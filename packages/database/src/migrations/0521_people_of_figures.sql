-- The contacts behind figures of the inbox, of consent and of links are found by the time of the event, whatever else there is.
CREATE INDEX conversation_rounds_answered ON conversation_rounds (workspace_id, first_answered_at) WHERE first_answered_at IS NOT NULL;
--> statement-breakpoint
CREATE INDEX conversation_rounds_resolved ON conversation_rounds (workspace_id, resolved_at) WHERE resolved_at IS NOT NULL;
--> statement-breakpoint
CREATE INDEX contact_consents_opt_ins ON contact_consents (workspace_id, occurred_at) WHERE kind = 'opt_in';
--> statement-breakpoint
CREATE INDEX link_clicks_first_by_time ON link_clicks (workspace_id, clicked_at) WHERE is_first;
