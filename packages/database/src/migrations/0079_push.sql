-- The browsers that people want to be told in, whatever page they show (docs/decisions/068-telling-people.md). One belongs to a person and to the
-- session in which they asked for it: when that ends, so does this.
CREATE TABLE push_browsers (
  id uuid PRIMARY KEY,
  user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  session_id uuid NOT NULL REFERENCES sessions ON DELETE CASCADE,
  -- Where the browser's own service takes what is pushed, and the keys for which it is sealed.
  endpoint text NOT NULL UNIQUE,
  p256dh text NOT NULL,
  auth text NOT NULL,
  user_agent text NOT NULL,
  -- The person wants to read what it is about before they unlock the device.
  shows_text boolean NOT NULL DEFAULT false,
  created_at timestamptz NOT NULL,
  sent_at timestamptz
);
--> statement-breakpoint
CREATE INDEX push_browsers_user ON push_browsers (user_id);
--> statement-breakpoint
CREATE INDEX push_browsers_session ON push_browsers (session_id);
--> statement-breakpoint
SELECT guard_system('push_browsers');
--> statement-breakpoint
-- The browsers that a notification went to already.
ALTER TABLE notifications ADD COLUMN is_pushed boolean NOT NULL DEFAULT false, ADD COLUMN pushed_to uuid[] NOT NULL DEFAULT '{}';
--> statement-breakpoint
-- Who of this workspace has such a browser, for whoever may not see the browsers.
CREATE FUNCTION members_with_push() RETURNS SETOF uuid LANGUAGE plpgsql AS $$
DECLARE
  before text := enter_system_scope();
BEGIN
  RETURN QUERY SELECT DISTINCT b.user_id FROM push_browsers b JOIN memberships m ON m.user_id = b.user_id
                WHERE m.workspace_id = (SELECT nullif(current_setting('app.workspace_id', true), '')::uuid);
  PERFORM set_config('app.scope', before, true);
END $$;
