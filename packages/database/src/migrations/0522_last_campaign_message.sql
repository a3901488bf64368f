-- The last message of a campaign that reached a contact between two instants, among the runs between these (see first-run.ts): by the index of contacts, in
-- the partitions of those runs alone. Left to itself, the planner would read all recipients of the runs.
CREATE FUNCTION last_campaign_message(p_workspace uuid, p_contact uuid, p_since timestamptz, p_until timestamptz, p_first_small bigint,
  p_last_small bigint, p_first_large bigint, p_last_large bigint) RETURNS TABLE (run_no bigint, variant smallint, at timestamptz)
  LANGUAGE plpgsql STABLE SET enable_bitmapscan = off SET jit = off AS $$
BEGIN
  RETURN QUERY SELECT r.run_no, r.variant, t.at FROM delivery_recipients r
    CROSS JOIN LATERAL (SELECT coalesce(least(r.delivered_at, r.read_at), r.accepted_at) AS at) AS t
    WHERE r.contact_id = p_contact AND r.workspace_id = p_workspace AND r.state = 2
      AND (r.run_no BETWEEN p_first_small AND p_last_small OR r.run_no BETWEEN p_first_large AND p_last_large)
      AND t.at <= p_until AND t.at >= p_since
    ORDER BY t.at DESC, r.run_no DESC LIMIT 1;
END $$;
