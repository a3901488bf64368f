-- What people say of consent finds them also in the hour after their contact was deleted.
CREATE INDEX deleted_contacts_phone ON deleted_contacts (workspace_id, (contact->>'phone'));
--> statement-breakpoint
CREATE INDEX deleted_contacts_platform_user ON deleted_contacts (workspace_id, (contact->>'platform_user_id'));
--> statement-breakpoint
-- Events of webhooks that the database refused are few among millions of others; an operator looks for them.
CREATE INDEX platform_events_set_aside ON platform_events (received_at) WHERE kind = 'set_aside';
