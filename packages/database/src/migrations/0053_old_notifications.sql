-- What is forgotten by its age, and what goes with a person.
CREATE INDEX notifications_age ON notifications (created_at);
--> statement-breakpoint
CREATE INDEX notifications_person ON notifications (user_id);
