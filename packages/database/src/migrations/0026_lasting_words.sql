-- Every run that got its message from this campaign or gave it to it: what it was a retry of, and what was a retry of it, at any remove.
-- Whoever may have got the message from one of them gets it from no other.
CREATE FUNCTION related_runs(p_campaign uuid) RETURNS TABLE (run_no bigint) LANGUAGE sql STABLE ROWS 3 AS $$
  WITH RECURSIVE up AS (
    SELECT p_campaign AS campaign_id
    UNION SELECT d.retry_of FROM up JOIN delivery_runs d USING (campaign_id) WHERE d.retry_of IS NOT NULL
  ), family AS (
    SELECT campaign_id FROM up
    UNION SELECT d.campaign_id FROM family f JOIN delivery_runs d ON d.retry_of = f.campaign_id
  )
  SELECT d.run_no FROM family JOIN delivery_runs d USING (campaign_id)
$$;
--> statement-breakpoint
-- Refused at once, or taken by the platform and reported as failed without ever having arrived.
CREATE FUNCTION has_never_arrived(r delivery_recipients) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
  SELECT r.state = 3 OR (r.state = 2 AND r.failed_at IS NOT NULL AND r.delivered_at IS NULL AND r.read_at IS NULL)
$$;
--> statement-breakpoint
-- To whom a campaign's message may be sent once more: the message failed for them, no retry has tried them (one that was cancelled before
-- has not), and nobody has it, may have it or is about to get it, be it as this contact or at this number: several recipients may be
-- one person since a merge. Goes through each run of the family twice, whatever the planner believes of their sizes, and through no other.
CREATE FUNCTION retryable_contacts(p_workspace uuid, p_campaign uuid) RETURNS SETOF uuid LANGUAGE plpgsql STABLE ROWS 10000 AS $$
DECLARE
  run record;
  ids uuid[];
  phones text[];
  taken text[] := '{}';
BEGIN
  ids := ARRAY(SELECT DISTINCT r.contact_id FROM delivery_recipients r
    WHERE r.run_no = (SELECT d.run_no FROM delivery_runs d WHERE d.campaign_id = p_campaign)
      AND r.workspace_id = p_workspace AND r.contact_id IS NOT NULL AND has_never_arrived(r));
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
--> statement-breakpoint
-- The failed of a campaign are an audience that the product alone makes, when it starts a retry.
UPDATE campaigns SET audience = '{"contactIds": []}', audience_size = 0 WHERE run_no IS NULL AND audience ? 'failedOf';
--> statement-breakpoint
UPDATE campaigns SET audience = audience - 'retriedBy' WHERE audience ? 'retriedBy';
--> statement-breakpoint
-- A notice of the platform that is older than a person's resume stops nothing any more: the person has seen to it.
ALTER TABLE delivery_runs ADD COLUMN resumed_at timestamptz;
--> statement-breakpoint
ALTER TABLE channels ADD COLUMN resumed_at timestamptz;
--> statement-breakpoint
DROP FUNCTION apply_status_reports(bigint, uuid, integer[], text[], double precision[], double precision[], double precision[],
  double precision[], text[], text[]);
--> statement-breakpoint
-- As in 0003, and tells whose failure nobody knew: a copy of a report must not do again what the first one did.
CREATE FUNCTION apply_status_reports(p_run bigint, p_workspace uuid, p_seqs integer[], p_message_ids text[],
  p_sent double precision[], p_delivered double precision[], p_read double precision[], p_failed double precision[],
  p_codes text[], p_details text[], OUT missing integer[], OUT newly_failed integer[]) LANGUAGE plpgsql
  SET enable_nestloop = off SET enable_mergejoin = off SET jit = off AS $$
#variable_conflict use_column
BEGIN
  WITH input AS MATERIALIZED (
    SELECT seq, message_id, to_timestamp(sent / 1000) AS sent, to_timestamp(delivered / 1000) AS delivered,
      to_timestamp(read / 1000) AS read, to_timestamp(failed / 1000) AS failed, code, detail
    FROM unnest(p_seqs, p_message_ids, p_sent, p_delivered, p_read, p_failed, p_codes, p_details)
      AS i(seq, message_id, sent, delivered, read, failed, code, detail)
  ), found AS MATERIALIZED (
    SELECT seq, state, accepted_at, sent_at, delivered_at, read_at, failed_at FROM delivery_recipients
    WHERE run_no = p_run AND seq = ANY(p_seqs) AND workspace_id = p_workspace ORDER BY seq FOR UPDATE
  ), known AS MATERIALIZED (
    SELECT i.*, f.state, f.accepted_at AS was_accepted, f.sent_at AS was_sent, f.delivered_at AS was_delivered,
      f.read_at AS was_read, f.failed_at AS refused_at, CASE WHEN f.state = 2 THEN f.failed_at END AS was_failed
    FROM input i JOIN found f ON f.seq = i.seq
  ), new AS MATERIALIZED (
    SELECT *, CASE WHEN state = 2 THEN was_accepted ELSE least(sent, delivered, read, failed) END AS accepted_at,
      least(was_sent, sent) AS sent_at, least(was_delivered, delivered) AS delivered_at, least(was_read, read) AS read_at,
      least(was_failed, failed) AS failed_at
    FROM known
    WHERE state <> 2 OR sent < coalesce(was_sent, 'infinity') OR delivered < coalesce(was_delivered, 'infinity')
      OR read < coalesce(was_read, 'infinity') OR failed < coalesce(was_failed, 'infinity')
  ), written AS (
    UPDATE delivery_recipients r SET state = 2, accepted_at = n.accepted_at, sent_at = n.sent_at,
      delivered_at = n.delivered_at, read_at = n.read_at, failed_at = n.failed_at,
      provider_message_id = coalesce(r.provider_message_id, n.message_id),
      error_code = CASE WHEN n.failed < coalesce(n.was_failed, 'infinity') THEN n.code WHEN n.state = 2 THEN r.error_code END,
      error_detail = CASE WHEN n.failed < coalesce(n.was_failed, 'infinity') THEN n.detail WHEN n.state = 2 THEN r.error_detail END
    FROM new n WHERE r.run_no = p_run AND r.seq = ANY(p_seqs) AND r.seq = n.seq
  ), logged AS (
    INSERT INTO delivery_events (run_no, occurred_at, seq, status, error_code)
    SELECT p_run, sent, seq, 1, NULL FROM new WHERE sent < coalesce(was_sent, 'infinity')
    UNION ALL SELECT p_run, delivered, seq, 2, NULL FROM new WHERE delivered < coalesce(was_delivered, 'infinity')
    UNION ALL SELECT p_run, read, seq, 3, NULL FROM new WHERE read < coalesce(was_read, 'infinity')
    UNION ALL SELECT p_run, failed, seq, 4, code FROM new WHERE failed < coalesce(was_failed, 'infinity')
  ), unqueued AS (
    DELETE FROM delivery_retries q WHERE q.run_no = p_run AND q.seq = ANY(p_seqs) AND q.claimed_attempt IS NULL
      AND q.seq IN (SELECT seq FROM new WHERE state = 6)
  ), parts AS (
    SELECT date_trunc('hour', accepted_at, 'UTC') AS hour, (state <> 2)::integer AS accepted, 0 AS refused,
      -(state = 4)::integer AS cancelled, -(state = 5)::integer AS unknown,
      (coalesce(sent_at, delivered_at, read_at) IS NOT NULL)::integer
        - (state = 2 AND coalesce(was_sent, was_delivered, was_read) IS NOT NULL)::integer AS sent,
      (coalesce(delivered_at, read_at) IS NOT NULL)::integer
        - (state = 2 AND coalesce(was_delivered, was_read) IS NOT NULL)::integer AS delivered,
      (read_at IS NOT NULL)::integer - (state = 2 AND was_read IS NOT NULL)::integer AS read,
      (failed_at IS NOT NULL AND coalesce(delivered_at, read_at) IS NULL)::integer
        - (was_failed IS NOT NULL AND coalesce(was_delivered, was_read) IS NULL)::integer AS failed
    FROM new
    UNION ALL
    SELECT date_trunc('hour', refused_at, 'UTC'), 0, -1, 0, 0, 0, 0, 0, 0 FROM new WHERE state = 3
  ), counted AS (
    INSERT INTO delivery_deltas (run_no, workspace_id, channel_id, hour, accepted, refused, cancelled, unknown, sent, delivered, read, failed)
    SELECT p_run, run.workspace_id, run.channel_id, p.*
    FROM (
      SELECT hour, sum(accepted), sum(refused), sum(cancelled), sum(unknown), sum(sent), sum(delivered), sum(read), sum(failed)
      FROM parts GROUP BY hour
    ) p CROSS JOIN delivery_runs run WHERE run.run_no = p_run
  )
  SELECT (SELECT array_agg(i.seq) FROM input i WHERE i.seq NOT IN (SELECT seq FROM known)),
    (SELECT array_agg(n.seq) FROM new n WHERE n.failed IS NOT NULL AND n.was_failed IS NULL) INTO missing, newly_failed;
END $$;
--> statement-breakpoint
-- What people said about marketing, and the platform's wish to spare them, by a keyed hash of the number or platform id, for as long as no
-- contact has it: a word belongs to the person, not to the contact. The key lies outside of the database, as with
-- erased_people. See docs/decisions/035-a-word-outlives-its-contact.md.
CREATE TABLE kept_words (
  workspace_id uuid NOT NULL REFERENCES workspaces ON DELETE CASCADE,
  identifier_hash text NOT NULL,
  -- The word that decided; null where there is only a hold.
  kind text CHECK (kind IN ('opt_in', 'opt_out')),
  source text CHECK (source IN ('person', 'staff')),
  occurred_at timestamptz,
  hold_until timestamptz,
  PRIMARY KEY (workspace_id, identifier_hash),
  CHECK ((kind IS NULL) = (occurred_at IS NULL) AND (kind IS NULL) = (source IS NULL) AND coalesce(occurred_at, hold_until) IS NOT NULL)
);
--> statement-breakpoint
SELECT guard_workspace('kept_words');
--> statement-breakpoint
-- Those among the added contacts who opted out before they were added.
ALTER TABLE contact_imports ADD COLUMN opted_out integer NOT NULL DEFAULT 0;
--> statement-breakpoint
DROP FUNCTION settle_consents(uuid[]);
--> statement-breakpoint
-- As in 0014; p_step is 0 where the contact was made or changed in the same transaction, which nobody has seen before.
CREATE FUNCTION settle_consents(p_contacts uuid[], p_step integer DEFAULT 1) RETURNS SETOF uuid LANGUAGE plpgsql AS $$
DECLARE
  was_recorded text := coalesce(current_setting('app.consent_recorded', true), '');
BEGIN
  PERFORM set_config('app.consent_recorded', 'yes', true);
  RETURN QUERY
    UPDATE contacts c SET opted_out_at = n.opted_out_at, version = c.version + p_step, updated_at = now()
      FROM (SELECT k.id, CASE WHEN s.kind = 'opt_out' THEN coalesce(k.opted_out_at, s.occurred_at)
                              WHEN s.kind = 'opt_in' AND s.occurred_at > coalesce(k.opted_out_at, '-infinity') THEN NULL
                              ELSE k.opted_out_at END AS opted_out_at
              FROM contacts k CROSS JOIN LATERAL (
                SELECT kind, occurred_at FROM contact_consents WHERE contact_id = k.id
                 ORDER BY date_trunc('second', occurred_at) DESC, kind = 'opt_out' AND source = 'person' DESC, occurred_at DESC,
                   kind = 'opt_out' DESC LIMIT 1) AS s
             WHERE k.id = ANY (p_contacts)) AS n
     WHERE c.id = n.id AND c.opted_out_at IS DISTINCT FROM n.opted_out_at RETURNING c.id;
  PERFORM set_config('app.consent_recorded', was_recorded, true);
END $$;
