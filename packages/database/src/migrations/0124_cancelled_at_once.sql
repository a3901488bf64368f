-- A cancelled run counts whom it will not reach as cancelled from the moment of its cancelling: the engine turns their rows bit by bit.
CREATE OR REPLACE VIEW delivery_progress WITH (security_invoker = true) AS
  SELECT r.run_no, r.workspace_id, r.channel_id, r.campaign_id, r.state, r.pause_reason, r.pause_code, r.pause_detail,
    r.resume_at, r.category, r.total, r.frozen_at, r.created_at, r.started_at, r.completed_at,
    r.accepted + coalesce(d.accepted, 0) AS accepted, r.refused + coalesce(d.refused, 0) AS refused,
    r.cancelled + coalesce(d.cancelled, 0) + CASE WHEN r.state = 'cancelled' AND r.completed_at IS NULL THEN
      least(r.total - r.accepted - r.refused - r.cancelled - r.unknown
          - coalesce(d.accepted + d.refused + d.cancelled + d.unknown, 0),
        r.total - r.cursor + (SELECT count(*)::integer FROM delivery_retries q WHERE q.run_no = r.run_no AND q.claimed_attempt IS NULL))
      ELSE 0 END AS cancelled,
    r.unknown + coalesce(d.unknown, 0) AS unknown,
    r.sent + coalesce(d.sent, 0) AS sent, r.delivered + coalesce(d.delivered, 0) AS delivered,
    r.read + coalesce(d.read, 0) AS read, r.failed + coalesce(d.failed, 0) AS failed,
    CASE WHEN r.state = 'ready' AND r.cursor = 0 AND r.hold_until > now() THEN r.hold_until END AS held_until
  FROM delivery_runs r
  LEFT JOIN (
    SELECT run_no, sum(accepted)::integer AS accepted, sum(refused)::integer AS refused,
      sum(cancelled)::integer AS cancelled, sum(unknown)::integer AS unknown, sum(sent)::integer AS sent,
      sum(delivered)::integer AS delivered, sum(read)::integer AS read, sum(failed)::integer AS failed
    FROM delivery_deltas WHERE run_no IS NOT NULL GROUP BY run_no
  ) d USING (run_no);
