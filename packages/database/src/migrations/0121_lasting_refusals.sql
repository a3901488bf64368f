-- As in 0026, and leaves out whom a refusal named for good (lastingRefusals in packages/domain): the same message to them fails again.
DROP FUNCTION retryable_contacts(uuid, uuid);
--> statement-breakpoint
CREATE FUNCTION retryable_contacts(p_workspace uuid, p_campaign uuid, p_lasting text[]) RETURNS SETOF uuid LANGUAGE plpgsql STABLE ROWS 10000 AS $$
DECLARE
  run record;
  ids uuid[];
  phones text[];
  taken text[] := '{}';
BEGIN
  ids := ARRAY(SELECT DISTINCT r.contact_id FROM delivery_recipients r
    WHERE r.run_no = (SELECT d.run_no FROM delivery_runs d WHERE d.campaign_id = p_campaign)
      AND r.workspace_id = p_workspace AND r.contact_id IS NOT NULL AND has_never_arrived(r)
      AND (r.error_code IS NULL OR r.error_code <> ALL (p_lasting)));
  FOR run IN SELECT d.run_no AS no, coalesce(d.retry_of = p_campaign, false) AS is_retry
               FROM related_runs(p_campaign) f JOIN delivery_runs d ON d.run_no = f.run_no LOOP
    ids := ARRAY(SELECT unnest(ids) EXCEPT SELECT r.contact_id FROM delivery_recipients r
      WHERE r.run_no = run.no AND r.workspace_id = p_workspace AND r.state <> 4 AND (run.is_retry OR NOT has_never_arrived(r)));
  END LOOP;
  phones := ARRAY(SELECT c.phone FROM contacts c WHERE c.id = ANY (ids) AND c.phone IS NOT NULL);
  FOR run IN SELECT f.run_no AS no FROM related_runs(p_campaign) f LOOP
    taken := taken || ARRAY(SELECT unnest(phones) INTERSECT SELECT r.address FROM delivery_recipients r
      WHERE r.run_no = run.no AND r.workspace_id = p_workspace AND r.state <> 4 AND NOT has_never_arrived(r));
  END LOOP;
  RETURN QUERY SELECT c.id FROM contacts c WHERE c.id = ANY (ids) AND (c.phone IS NULL OR c.phone <> ALL (taken));
END $$;
