-- The numbers of a workspace share its limit for each minute: when one begins to send, or does no more, the others take their new shares
-- (docs/decisions/089-limits-of-the-workspace.md).
CREATE FUNCTION announce_shares() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  changed channels := CASE WHEN TG_OP = 'DELETE' THEN OLD ELSE NEW END;
BEGIN
  PERFORM pg_notify('delivery_channel', c.id::text) FROM channels c
    WHERE c.workspace_id = changed.workspace_id AND c.id <> changed.id AND c.is_connected;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER announce_first_share AFTER INSERT ON channels FOR EACH ROW WHEN (NEW.is_connected)
  EXECUTE FUNCTION announce_shares();
--> statement-breakpoint
CREATE TRIGGER announce_last_share AFTER DELETE ON channels FOR EACH ROW WHEN (OLD.is_connected)
  EXECUTE FUNCTION announce_shares();
--> statement-breakpoint
CREATE TRIGGER announce_share AFTER UPDATE ON channels FOR EACH ROW
  WHEN ((OLD.is_connected AND OLD.stopped_for IS DISTINCT FROM 'everything')
    IS DISTINCT FROM (NEW.is_connected AND NEW.stopped_for IS DISTINCT FROM 'everything'))
  EXECUTE FUNCTION announce_shares();
