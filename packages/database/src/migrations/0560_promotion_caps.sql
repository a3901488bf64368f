-- How many promotional messages through channels of one kind a person got within so many days, or may be getting now; but for one run, or message,
-- of which it is asked. What was reported as failed did not reach them.
CREATE FUNCTION promotions_through(p_workspace uuid, p_contact uuid, p_kind text, p_days integer, p_run bigint, p_message uuid)
RETURNS integer LANGUAGE sql STABLE AS $$
  SELECT (SELECT count(*) FROM delivery_recipients r JOIN delivery_runs n ON n.run_no = r.run_no
           WHERE r.contact_id = p_contact AND r.run_no IS DISTINCT FROM p_run
             AND r.run_no = ANY (ARRAY(SELECT d.run_no FROM delivery_runs d JOIN channels c ON c.id = d.channel_id
                   WHERE d.workspace_id = p_workspace AND d.category = 'marketing' AND d.started_at IS NOT NULL AND c.kind = p_kind
                     AND (d.completed_at IS NULL OR d.completed_at > now() - make_interval(days => p_days))))
             AND ((r.accepted_at > now() - make_interval(days => p_days) AND (r.failed_at IS NULL OR coalesce(r.delivered_at, r.read_at) IS NOT NULL))
               OR r.state IN (1, 5) OR (r.state = 0 AND r.seq < n.cursor)))::integer
       + (SELECT count(*) FROM messages m JOIN channels c ON c.id = m.channel_id
           WHERE m.contact_id = p_contact AND m.is_marketing AND m.direction = 'out' AND m.id IS DISTINCT FROM p_message AND c.kind = p_kind
             AND m.occurred_at > now() - make_interval(days => p_days)
             AND ((m.state IN ('sending', 'accepted', 'unknown') AND (m.failed_at IS NULL OR coalesce(m.delivered_at, m.read_at) IS NOT NULL))
               OR (m.state = 'queued' AND m.owner IS NOT NULL)))::integer
$$;
--> statement-breakpoint
DROP TRIGGER announce_limit_change ON workspaces;
--> statement-breakpoint
CREATE TRIGGER announce_limit_change AFTER UPDATE ON workspaces FOR EACH ROW
  WHEN ((OLD.settings -> 'messageLimits', OLD.settings -> 'kindLimits', OLD.settings -> 'marketingPerWeek', OLD.settings -> 'promotionsPerPerson',
      OLD.settings -> 'budget', OLD.settings -> 'priceList')
    IS DISTINCT FROM (NEW.settings -> 'messageLimits', NEW.settings -> 'kindLimits', NEW.settings -> 'marketingPerWeek',
      NEW.settings -> 'promotionsPerPerson', NEW.settings -> 'budget', NEW.settings -> 'priceList'))
  EXECUTE FUNCTION announce_channel_change();
