-- When the product learned of it, beside when it was said: a word may arrive long after it was said.
ALTER TABLE contact_consents ADD COLUMN recorded_at timestamptz;
--> statement-breakpoint
UPDATE contact_consents SET recorded_at = occurred_at;
--> statement-breakpoint
ALTER TABLE contact_consents ALTER COLUMN recorded_at SET DEFAULT clock_timestamp();
--> statement-breakpoint
-- The number or platform id that said it, so that contacts which are parted again each keep their own words.
ALTER TABLE contact_consents ADD COLUMN sender text;
--> statement-breakpoint
-- The platform's wish to spare somebody marketing outlives a deletion that is taken back.
ALTER TABLE deleted_contacts ADD COLUMN hold_until timestamptz;
--> statement-breakpoint
-- Sets who may get marketing from what is recorded, and answers with the contacts for whom that changed. The newest word by the
-- time at which it was said decides, whenever it arrived. The platform counts whole seconds and we count finer: in one second the
-- opt-out that a person said decides, and of two in the same moment any opt-out. An opt-out without a record counts as one. See docs/decisions/018-consent-by-the-time-it-was-given.md.
CREATE FUNCTION settle_consents(p_contacts uuid[]) RETURNS SETOF uuid LANGUAGE plpgsql AS $$
DECLARE
  was_recorded text := coalesce(current_setting('app.consent_recorded', true), '');
BEGIN
  PERFORM set_config('app.consent_recorded', 'yes', true);
  RETURN QUERY
    UPDATE contacts c SET opted_out_at = n.opted_out_at, version = c.version + 1, updated_at = now()
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
--> statement-breakpoint
-- The one way in for everything that is said about consent: a word, a setting of the platform, a refused delivery, a note of staff.
-- A copy of a record changes nothing. A contact that was deleted a moment ago keeps it for its return.
CREATE FUNCTION record_consents(p_workspaces uuid[], p_contacts uuid[], p_kinds text[], p_sources text[], p_texts text[],
  p_recorded_by text[], p_senders text[], p_at timestamptz[]) RETURNS SETOF uuid LANGUAGE plpgsql AS $$
BEGIN
  PERFORM id FROM contacts WHERE id = ANY (p_contacts) ORDER BY id FOR NO KEY UPDATE;
  INSERT INTO contact_consents (workspace_id, contact_id, kind, source, text, recorded_by, sender, occurred_at)
    SELECT DISTINCT n.* FROM unnest(p_workspaces, p_contacts, p_kinds, p_sources, p_texts, p_recorded_by, p_senders, p_at)
             AS n (workspace_id, contact_id, kind, source, text, recorded_by, sender, occurred_at)
      JOIN contacts c ON c.id = n.contact_id AND c.workspace_id = n.workspace_id
     WHERE NOT EXISTS (SELECT FROM contact_consents o WHERE o.contact_id = n.contact_id AND o.kind = n.kind AND o.source = n.source
                          AND o.occurred_at = n.occurred_at AND o.text = n.text AND o.recorded_by IS NOT DISTINCT FROM n.recorded_by
                          AND o.sender IS NOT DISTINCT FROM n.sender);
  UPDATE deleted_contacts k SET consents = k.consents || n.records
    FROM (SELECT workspace_id, contact_id, jsonb_agg(jsonb_build_object('id', gen_random_uuid(), 'workspace_id', workspace_id,
                   'contact_id', contact_id, 'kind', kind, 'source', source, 'text', text, 'recorded_by', recorded_by,
                   'sender', sender, 'occurred_at', occurred_at, 'recorded_at', now())) AS records
            FROM unnest(p_workspaces, p_contacts, p_kinds, p_sources, p_texts, p_recorded_by, p_senders, p_at)
              AS n (workspace_id, contact_id, kind, source, text, recorded_by, sender, occurred_at) GROUP BY 1, 2) AS n
   WHERE k.contact_id = n.contact_id AND k.workspace_id = n.workspace_id;
  RETURN QUERY SELECT settle_consents(p_contacts);
END $$;
--> statement-breakpoint
-- No marketing to these people until then; the later of two such wishes holds.
CREATE FUNCTION hold_contacts(p_workspaces uuid[], p_contacts uuid[], p_until timestamptz[]) RETURNS void LANGUAGE sql AS $$
  INSERT INTO marketing_holds (workspace_id, contact_id, until)
    SELECT n.workspace_id, n.contact_id, max(n.until) FROM unnest(p_workspaces, p_contacts, p_until) AS n (workspace_id, contact_id, until)
      JOIN contacts c ON c.id = n.contact_id AND c.workspace_id = n.workspace_id GROUP BY 1, 2
    ON CONFLICT (contact_id) DO UPDATE SET until = greatest(marketing_holds.until, excluded.until);
  UPDATE deleted_contacts k SET hold_until = greatest(k.hold_until, n.until)
    FROM (SELECT workspace_id, contact_id, max(until) AS until FROM unnest(p_workspaces, p_contacts, p_until)
              AS n (workspace_id, contact_id, until) GROUP BY 1, 2) AS n
   WHERE k.contact_id = n.contact_id AND k.workspace_id = n.workspace_id;
$$;
--> statement-breakpoint
-- A number that a contact gave up belongs to it for what was written before; whoever writes from it later is somebody else.
ALTER TABLE contact_aliases ADD COLUMN until timestamptz;
--> statement-breakpoint
-- An edit or a deletion is a row of its own that names the message it changes. The message shows the newest edit or nothing at all;
-- what it said first stays beside it, and its payload stays as it came.
ALTER TABLE messages ADD COLUMN target_id text, ADD COLUMN original_text text, ADD COLUMN edited_at timestamptz,
  ADD COLUMN revoked_at timestamptz;
--> statement-breakpoint
CREATE INDEX messages_changes ON messages (workspace_id, target_id) WHERE target_id IS NOT NULL;
--> statement-breakpoint
-- Shows messages as their changes say, whichever arrived first. A change counts from the same side of the same conversation alone. Most
-- messages have none, which the index of changes alone tells; scans are off because the planner knows nothing of a flood that
-- arrived a moment ago.
CREATE FUNCTION settle_message_changes(p_workspaces uuid[], p_targets text[]) RETURNS void LANGUAGE plpgsql
  SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
DECLARE
  changed record;
BEGIN
  FOR changed IN
    SELECT DISTINCT n.* FROM unnest(p_workspaces, p_targets) AS n (workspace_id, target_id)
     WHERE EXISTS (SELECT FROM messages c WHERE c.workspace_id = n.workspace_id AND c.target_id = n.target_id)
  LOOP
    WITH told AS (
      UPDATE messages m SET original_text = n.original_text, edited_at = n.edited_at, revoked_at = n.revoked_at,
             text = CASE WHEN n.revoked_at IS NOT NULL THEN NULL WHEN n.edited_at IS NOT NULL THEN n.edited_text ELSE n.original_text END
        FROM (SELECT t.id, CASE WHEN t.edited_at IS NULL AND t.revoked_at IS NULL THEN t.text ELSE t.original_text END AS original_text,
                     e.occurred_at AS edited_at, e.text AS edited_text, r.occurred_at AS revoked_at
                FROM messages t
                LEFT JOIN LATERAL (
                  SELECT occurred_at, text FROM messages WHERE workspace_id = changed.workspace_id AND target_id = changed.target_id
                     AND type = 'edit' AND direction = t.direction AND contact_id IS NOT DISTINCT FROM t.contact_id
                   ORDER BY occurred_at DESC, id DESC LIMIT 1) AS e ON true
                LEFT JOIN LATERAL (
                  SELECT min(occurred_at) AS occurred_at FROM messages WHERE workspace_id = changed.workspace_id
                     AND target_id = changed.target_id AND type = 'revoke' AND direction = t.direction
                     AND contact_id IS NOT DISTINCT FROM t.contact_id) AS r ON true
               WHERE t.workspace_id = changed.workspace_id AND t.provider_message_id = changed.target_id AND t.target_id IS NULL
                 AND (e.occurred_at IS NOT NULL OR r.occurred_at IS NOT NULL)) AS n
       WHERE m.id = n.id RETURNING m.contact_id, m.occurred_at, m.text)
    UPDATE contacts c SET last_message = coalesce(h.text, '[deleted]') FROM told h
     WHERE c.id = h.contact_id AND c.last_message_at = h.occurred_at;
  END LOOP;
END $$;
