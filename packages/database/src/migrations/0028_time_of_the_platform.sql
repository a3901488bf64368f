-- When a person said it by the platform's own clock, which may be ahead of ours; null for a word that has no time but ours. `occurred_at`
-- is by our clock and never after the arrival.
ALTER TABLE contact_consents ADD COLUMN said_at timestamptz;
--> statement-breakpoint
-- As before, but words that the platform's clock times are in the order of that clock: which of them arrived first decides nothing, however
-- far our clock is behind. Only the newest of them meets the words that have our time, by our time. An opt-out that a record
-- stands for gives way to whatever outdoes the record.
CREATE OR REPLACE FUNCTION settle_consents(p_contacts uuid[], p_step integer DEFAULT 1) RETURNS SETOF uuid LANGUAGE plpgsql AS $$
DECLARE
  was_recorded text := coalesce(current_setting('app.consent_recorded', true), '');
BEGIN
  PERFORM set_config('app.consent_recorded', 'yes', true);
  RETURN QUERY
    UPDATE contacts c SET opted_out_at = n.opted_out_at, version = c.version + p_step, updated_at = now()
      FROM (SELECT k.id, CASE WHEN s.kind = 'opt_out' THEN coalesce(k.opted_out_at, s.occurred_at)
                              WHEN s.occurred_at > coalesce(k.opted_out_at, '-infinity')
                                OR EXISTS (SELECT FROM contact_consents o WHERE o.contact_id = k.id AND o.kind = 'opt_out'
                                              AND o.occurred_at = k.opted_out_at) THEN NULL
                              ELSE k.opted_out_at END AS opted_out_at
              FROM contacts k CROSS JOIN LATERAL (
                SELECT kind, occurred_at FROM (
                  (SELECT kind, source, occurred_at FROM contact_consents WHERE contact_id = k.id AND said_at IS NOT NULL
                    ORDER BY date_trunc('second', said_at) DESC, kind = 'opt_out' DESC, said_at DESC, occurred_at DESC LIMIT 1)
                  UNION ALL
                  (SELECT kind, source, occurred_at FROM contact_consents WHERE contact_id = k.id AND said_at IS NULL
                    ORDER BY date_trunc('second', occurred_at) DESC, kind = 'opt_out' AND source = 'person' DESC, occurred_at DESC,
                      kind = 'opt_out' DESC LIMIT 1)) AS newest
                 ORDER BY date_trunc('second', occurred_at) DESC, kind = 'opt_out' AND source = 'person' DESC, occurred_at DESC,
                   kind = 'opt_out' DESC LIMIT 1) AS s
             WHERE k.id = ANY (p_contacts)) AS n
     WHERE c.id = n.id AND c.opted_out_at IS DISTINCT FROM n.opted_out_at RETURNING c.id;
  PERFORM set_config('app.consent_recorded', was_recorded, true);
END $$;
--> statement-breakpoint
DROP FUNCTION record_consents(uuid[], uuid[], text[], text[], text[], text[], text[], timestamptz[]);
--> statement-breakpoint
-- The one way in for everything that is said about consent: a word, a setting of the platform, a refused delivery, a note of staff.
-- A copy of a record changes nothing. A contact that was deleted a moment ago keeps it for its return.
CREATE FUNCTION record_consents(p_workspaces uuid[], p_contacts uuid[], p_kinds text[], p_sources text[], p_texts text[],
  p_recorded_by text[], p_senders text[], p_at timestamptz[], p_said_at timestamptz[] DEFAULT NULL) RETURNS SETOF uuid LANGUAGE plpgsql AS $$
BEGIN
  PERFORM id FROM contacts WHERE id = ANY (p_contacts) ORDER BY id FOR NO KEY UPDATE;
  INSERT INTO contact_consents (workspace_id, contact_id, kind, source, text, recorded_by, sender, occurred_at, said_at)
    SELECT DISTINCT n.* FROM unnest(p_workspaces, p_contacts, p_kinds, p_sources, p_texts, p_recorded_by, p_senders, p_at, p_said_at)
             AS n (workspace_id, contact_id, kind, source, text, recorded_by, sender, occurred_at, said_at)
      JOIN contacts c ON c.id = n.contact_id AND c.workspace_id = n.workspace_id
     WHERE NOT EXISTS (SELECT FROM contact_consents o WHERE o.contact_id = n.contact_id AND o.kind = n.kind AND o.source = n.source
                          AND coalesce(o.said_at, o.occurred_at) = coalesce(n.said_at, n.occurred_at) AND o.text = n.text
                          AND o.recorded_by IS NOT DISTINCT FROM n.recorded_by AND o.sender IS NOT DISTINCT FROM n.sender);
  UPDATE deleted_contacts k SET consents = k.consents || n.records
    FROM (SELECT workspace_id, contact_id, jsonb_agg(jsonb_build_object('id', gen_random_uuid(), 'workspace_id', workspace_id,
                   'contact_id', contact_id, 'kind', kind, 'source', source, 'text', text, 'recorded_by', recorded_by,
                   'sender', sender, 'occurred_at', occurred_at, 'said_at', said_at, 'recorded_at', now())) AS records
            FROM unnest(p_workspaces, p_contacts, p_kinds, p_sources, p_texts, p_recorded_by, p_senders, p_at, p_said_at)
              AS n (workspace_id, contact_id, kind, source, text, recorded_by, sender, occurred_at, said_at) GROUP BY 1, 2) AS n
   WHERE k.contact_id = n.contact_id AND k.workspace_id = n.workspace_id;
  RETURN QUERY SELECT settle_consents(p_contacts);
END $$;
