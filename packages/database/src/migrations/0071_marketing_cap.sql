-- A limit of marketing for each person is one of the workspace's limits: numbers that send hear of its change.
DROP TRIGGER announce_limit_change ON workspaces;
--> statement-breakpoint
CREATE TRIGGER announce_limit_change AFTER UPDATE ON workspaces FOR EACH ROW
  WHEN ((OLD.settings -> 'messageLimits', OLD.settings -> 'marketingPerWeek')
    IS DISTINCT FROM (NEW.settings -> 'messageLimits', NEW.settings -> 'marketingPerWeek'))
  EXECUTE FUNCTION announce_channel_change();
--> statement-breakpoint
-- How many marketing messages of all campaigns, and single ones, a person got within a week, or may be getting now; but for one run,
-- or message, of which it is asked.
CREATE FUNCTION marketing_in_week(p_workspace uuid, p_contact uuid, p_run bigint, p_message uuid) RETURNS integer LANGUAGE sql STABLE AS $$
  SELECT (SELECT count(*) FROM delivery_recipients r JOIN delivery_runs n ON n.run_no = r.run_no
           WHERE r.contact_id = p_contact AND r.run_no IS DISTINCT FROM p_run
             AND r.run_no = ANY (ARRAY(SELECT run_no FROM delivery_runs
                   WHERE workspace_id = p_workspace AND category = 'marketing' AND started_at IS NOT NULL
                     AND (completed_at IS NULL OR completed_at > now() - interval '7 days')))
             AND (r.accepted_at > now() - interval '7 days' OR r.state IN (1, 5) OR (r.state = 0 AND r.seq < n.cursor)))::integer
       + (SELECT count(*) FROM messages m
           WHERE m.contact_id = p_contact AND m.is_marketing AND m.direction = 'out' AND m.id IS DISTINCT FROM p_message
             AND m.occurred_at > now() - interval '7 days'
             AND (m.state IN ('sending', 'accepted', 'unknown') OR (m.state = 'queued' AND m.owner IS NOT NULL)))::integer
$$;
