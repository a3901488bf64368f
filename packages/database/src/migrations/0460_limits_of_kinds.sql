-- Kinds of channels with limits of their own are counted beside the workspace, in the same row: one lock, and one statement for both.
-- Each kind that was counted has `used` and, once a message was turned away, `fullAt` (see `full_at`).
ALTER TABLE delivery_usage ADD COLUMN kinds jsonb NOT NULL DEFAULT '{}';
--> statement-breakpoint
-- A kind that was never counted has nothing to give back. What did not leave is given back by settle_recipients (0490).
CREATE FUNCTION count_of_kind(p_kinds jsonb, p_kind text, p_count integer) RETURNS jsonb LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN p_kind IS NULL OR (p_count < 0 AND NOT p_kinds ? p_kind) THEN p_kinds
    ELSE p_kinds || jsonb_build_object(p_kind, coalesce(p_kinds -> p_kind, '{}') || jsonb_build_object('used',
      greatest(0, coalesce((p_kinds #>> ARRAY[p_kind, 'used'])::integer, 0) + p_count))) END
$$;
--> statement-breakpoint
DROP TRIGGER announce_limit_change ON workspaces;
--> statement-breakpoint
CREATE TRIGGER announce_limit_change AFTER UPDATE ON workspaces FOR EACH ROW
  WHEN ((OLD.settings -> 'messageLimits', OLD.settings -> 'kindLimits', OLD.settings -> 'marketingPerWeek', OLD.settings -> 'budget', OLD.settings -> 'priceList')
    IS DISTINCT FROM (NEW.settings -> 'messageLimits', NEW.settings -> 'kindLimits', NEW.settings -> 'marketingPerWeek', NEW.settings -> 'budget', NEW.settings -> 'priceList'))
  EXECUTE FUNCTION announce_channel_change();
