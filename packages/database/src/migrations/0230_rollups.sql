-- Figures of messages, of the inbox and of contacts per 15 minutes of UTC (docs/decisions/108-rollups.md). They hold no person and outlive
-- what they count: nothing is subtracted when a message, a contact or a campaign goes.
CREATE TABLE message_rollups (
  workspace_id uuid NOT NULL REFERENCES workspaces ON DELETE CASCADE,
  -- Its beginning; see quarter_of.
  quarter timestamptz NOT NULL,
  channel_id uuid NOT NULL,
  campaign_id uuid,
  template_id uuid,
  author text NOT NULL CHECK (author IN ('agent', 'app', 'bot', 'automation', 'api', 'campaign', 'contact')),
  direction text NOT NULL CHECK (direction IN ('in', 'out')),
  sent bigint NOT NULL DEFAULT 0,
  delivered bigint NOT NULL DEFAULT 0,
  read bigint NOT NULL DEFAULT 0,
  failed bigint NOT NULL DEFAULT 0,
  received bigint NOT NULL DEFAULT 0,
  replied bigint NOT NULL DEFAULT 0,
  clicked bigint NOT NULL DEFAULT 0,
  -- In millionths of the currency of the workspace.
  cost bigint NOT NULL DEFAULT 0,
  UNIQUE NULLS NOT DISTINCT (workspace_id, quarter, channel_id, campaign_id, template_id, author, direction)
) WITH (fillfactor = 70);
--> statement-breakpoint
SELECT guard_workspace('message_rollups');
--> statement-breakpoint
-- What each transaction adds, without an index and without a lock that others wait for; apply_rollups moves it. run_no and delivered_from
-- name what was delivered, for the replies to it.
CREATE TABLE message_rollup_deltas (
  workspace_id uuid NOT NULL,
  quarter timestamptz NOT NULL,
  channel_id uuid NOT NULL,
  campaign_id uuid,
  template_id uuid,
  author text NOT NULL,
  direction text NOT NULL,
  sent bigint NOT NULL DEFAULT 0,
  delivered bigint NOT NULL DEFAULT 0,
  read bigint NOT NULL DEFAULT 0,
  failed bigint NOT NULL DEFAULT 0,
  received bigint NOT NULL DEFAULT 0,
  replied bigint NOT NULL DEFAULT 0,
  clicked bigint NOT NULL DEFAULT 0,
  cost bigint NOT NULL DEFAULT 0,
  run_no bigint,
  delivered_from timestamptz
) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000);
--> statement-breakpoint
SELECT guard_workspace('message_rollup_deltas');
--> statement-breakpoint
CREATE TABLE inbox_rollups (
  workspace_id uuid NOT NULL REFERENCES workspaces ON DELETE CASCADE,
  quarter timestamptz NOT NULL,
  channel_id uuid NOT NULL,
  -- Who answered first, or resolved; null where no member did.
  agent_id uuid,
  team_id uuid,
  first_responses bigint NOT NULL DEFAULT 0,
  -- Sums, from the opening of the conversation.
  first_response_ms bigint NOT NULL DEFAULT 0,
  first_responses_in_time bigint NOT NULL DEFAULT 0,
  first_responses_late bigint NOT NULL DEFAULT 0,
  resolutions bigint NOT NULL DEFAULT 0,
  resolution_ms bigint NOT NULL DEFAULT 0,
  resolutions_in_time bigint NOT NULL DEFAULT 0,
  resolutions_late bigint NOT NULL DEFAULT 0,
  UNIQUE NULLS NOT DISTINCT (workspace_id, quarter, channel_id, agent_id, team_id)
) WITH (fillfactor = 70);
--> statement-breakpoint
SELECT guard_workspace('inbox_rollups');
--> statement-breakpoint
CREATE TABLE inbox_rollup_deltas (LIKE inbox_rollups INCLUDING DEFAULTS)
  WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000);
--> statement-breakpoint
SELECT guard_workspace('inbox_rollup_deltas');
--> statement-breakpoint
CREATE TABLE contact_rollups (
  workspace_id uuid NOT NULL REFERENCES workspaces ON DELETE CASCADE,
  quarter timestamptz NOT NULL,
  kind text NOT NULL CHECK (kind IN ('new', 'opt_in', 'opt_out')),
  -- Of new contacts: form, api, automation, bot, integration, import, conversation. Of consent: keyword, platform, staff, import.
  source text NOT NULL,
  contacts bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (workspace_id, quarter, kind, source)
) WITH (fillfactor = 70);
--> statement-breakpoint
SELECT guard_workspace('contact_rollups');
--> statement-breakpoint
CREATE TABLE contact_rollup_deltas (LIKE contact_rollups INCLUDING DEFAULTS)
  WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000);
--> statement-breakpoint
SELECT guard_workspace('contact_rollup_deltas');
--> statement-breakpoint
-- What a campaign or a template was called that is deleted by now.
CREATE TABLE rollup_names (
  id uuid PRIMARY KEY,
  workspace_id uuid NOT NULL REFERENCES workspaces ON DELETE CASCADE,
  kind text NOT NULL CHECK (kind IN ('campaign', 'template')),
  name text NOT NULL
);
--> statement-breakpoint
SELECT guard_workspace('rollup_names');
--> statement-breakpoint
-- What is to be compared for replies: a message that arrived, a single message that was delivered, or what a run delivered since then. It is
-- written in the transaction of the event and read behind its commit, so that of two events at the same time one sees the other.
CREATE TABLE reply_checks (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  workspace_id uuid NOT NULL REFERENCES workspaces ON DELETE CASCADE,
  -- Whether recipients of runs or single messages are compared: no transaction locks both.
  of_runs boolean NOT NULL,
  message_id uuid,
  run_no bigint,
  -- What was delivered since then, or, of what came late, which recipients got it.
  since timestamptz,
  seqs integer[]
);
--> statement-breakpoint
SELECT guard_workspace('reply_checks');
--> statement-breakpoint
-- How far the counting of what was stored before this migration is. A message counts by itself when it was stored later, or when its id is
-- not below the place; recipients below delivery_runs.rolled_up_below do.
CREATE TABLE rollup_backfill (
  source text PRIMARY KEY CHECK (source IN ('runs', 'messages', 'charges')),
  begun_at timestamptz NOT NULL,
  place text,
  rows_done bigint NOT NULL DEFAULT 0,
  finished_at timestamptz
);
--> statement-breakpoint
SELECT guard_system('rollup_backfill');
--> statement-breakpoint
-- Everybody's transactions ask how far it is; only the system moves it.
CREATE POLICY everybody_reads ON rollup_backfill FOR SELECT USING (true);
--> statement-breakpoint
-- When somebody replied to it within 24 hours; the first time.
ALTER TABLE delivery_recipients ADD COLUMN replied_at timestamptz;
--> statement-breakpoint
ALTER TABLE messages ADD COLUMN replied_at timestamptz;
--> statement-breakpoint
-- rolled_up_below: recipients with smaller numbers are counted when something happens to them, the others are yet to be counted.
ALTER TABLE delivery_runs ADD COLUMN template_id uuid, ADD COLUMN rolled_up_below integer NOT NULL DEFAULT 0;
--> statement-breakpoint
ALTER TABLE delivery_runs ALTER COLUMN rolled_up_below SET DEFAULT 2147483647;
--> statement-breakpoint
CREATE INDEX delivery_runs_to_roll_up ON delivery_runs (run_no) WHERE rolled_up_below < 2147483647;
--> statement-breakpoint
UPDATE delivery_runs r SET template_id = c.template_id FROM campaigns c WHERE c.id = r.campaign_id AND c.template_id IS NOT NULL;
--> statement-breakpoint
-- The template of a run is that of its campaign when it began, also when the template is deleted later.
CREATE FUNCTION note_template_of_run() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.template_id := coalesce(NEW.template_id, (SELECT template_id FROM campaigns WHERE id = NEW.campaign_id));
  RETURN NEW;
END $$;
--> statement-breakpoint
CREATE TRIGGER note_template_of_run BEFORE INSERT ON delivery_runs FOR EACH ROW EXECUTE FUNCTION note_template_of_run();
--> statement-breakpoint
-- When it was charged; null until that is found out for what was charged before.
ALTER TABLE budget_charges ADD COLUMN charged_at timestamptz;
--> statement-breakpoint
ALTER TABLE budget_charges ALTER COLUMN charged_at SET DEFAULT now();
--> statement-breakpoint
-- Rows that come back (a contact is restored, contacts part, an archive brings its own rollups) were counted when they came first.
CREATE FUNCTION counts_rollups() RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT current_setting('app.rollups', true) IS DISTINCT FROM 'off'
$$;
--> statement-breakpoint
-- Whether what happens to a message is counted when it happens. While the backfill is under way it waits for the slice that is being
-- counted, or keeps the next one waiting until it commits.
CREATE FUNCTION is_rolled_up(p_id uuid, p_received_at timestamptz) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  state rollup_backfill;
BEGIN
  SELECT * INTO state FROM rollup_backfill WHERE source = 'messages';
  IF state.finished_at IS NOT NULL OR p_received_at >= state.begun_at THEN RETURN true; END IF;
  -- advisoryLocks.messageBackfill
  PERFORM pg_advisory_xact_lock_shared(7302161);
  SELECT * INTO state FROM rollup_backfill WHERE source = 'messages';
  RETURN state.finished_at IS NOT NULL OR p_id >= state.place::uuid;
END $$;
--> statement-breakpoint
CREATE FUNCTION message_author(m messages) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN m.direction = 'in' THEN 'contact' WHEN m.purpose = 'bot' OR m.author = 'bot' THEN 'bot'
    WHEN m.author = 'api-key' THEN 'api' WHEN m.author = 'person' THEN 'agent' WHEN m.author = 'app' THEN 'app' ELSE 'automation' END
$$;
--> statement-breakpoint
CREATE FUNCTION message_template(m messages) RETURNS uuid LANGUAGE sql STABLE AS $$
  SELECT CASE WHEN m.direction = 'out' AND m.type = 'template' THEN (SELECT t.id FROM templates t WHERE t.workspace_id = m.workspace_id
    AND t.platform_name = m.content->>'name' AND t.language = m.content->>'language') END
$$;
--> statement-breakpoint
-- The times at which a message was sent, delivered (read implies it), read, failed for good, received and replied to; null for what did not
-- happen. Recipients of runs have the same rules (recipient_times).
CREATE FUNCTION message_times(m messages) RETURNS TABLE (sent timestamptz, delivered timestamptz, read timestamptz, failed timestamptz,
  received timestamptz, replied timestamptz) LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN m.direction = 'out' AND m.state IS NULL THEN m.occurred_at WHEN m.state = 'accepted' THEN m.accepted_at END,
    CASE WHEN m.state = 'accepted' THEN least(m.delivered_at, m.read_at) END,
    CASE WHEN m.state = 'accepted' THEN m.read_at END,
    CASE WHEN m.state = 'refused' OR m.state = 'accepted' AND m.delivered_at IS NULL AND m.read_at IS NULL THEN m.failed_at END,
    CASE WHEN m.direction = 'in' THEN m.occurred_at END,
    CASE WHEN m.state = 'accepted' THEN m.replied_at END
  WHERE is_said(m) AND m.purpose IS DISTINCT FROM 'test'
$$;
--> statement-breakpoint
CREATE FUNCTION recipient_times(r delivery_recipients) RETURNS TABLE (sent timestamptz, delivered timestamptz, read timestamptz,
  failed timestamptz, replied timestamptz) LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN r.state = 2 THEN r.accepted_at END,
    CASE WHEN r.state = 2 THEN least(r.delivered_at, r.read_at) END,
    CASE WHEN r.state = 2 THEN r.read_at END,
    CASE WHEN r.state = 3 OR r.state = 2 AND r.delivered_at IS NULL AND r.read_at IS NULL THEN r.failed_at END,
    CASE WHEN r.state = 2 THEN r.replied_at END
$$;
--> statement-breakpoint
-- What arrives, or is known to be sent from the first. Most messages of our own are queued here and count later.
CREATE FUNCTION roll_up_new_messages() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT counts_rollups() THEN RETURN NULL; END IF;
  IF NOT EXISTS (SELECT FROM new_rows WHERE direction = 'in' OR state IS NULL OR state IN ('accepted', 'refused')) THEN RETURN NULL; END IF;
  INSERT INTO message_rollup_deltas (workspace_id, channel_id, template_id, author, direction, quarter, sent, delivered, read, failed,
    received, replied)
  SELECT m.workspace_id, m.channel_id, message_template(m), message_author(m), m.direction, quarter_of(e.at),
    sum(e.sent), sum(e.delivered), sum(e.read), sum(e.failed), sum(e.received), sum(e.replied)
  FROM new_rows AS m CROSS JOIN LATERAL message_times(m) AS t CROSS JOIN LATERAL (VALUES (t.sent, 1, 0, 0, 0, 0, 0),
    (t.delivered, 0, 1, 0, 0, 0, 0), (t.read, 0, 0, 1, 0, 0, 0), (t.failed, 0, 0, 0, 1, 0, 0), (t.received, 0, 0, 0, 0, 1, 0),
    (t.replied, 0, 0, 0, 0, 0, 1)) AS e (at, sent, delivered, read, failed, received, replied)
  WHERE e.at IS NOT NULL AND is_rolled_up(m.id, m.received_at)
  GROUP BY 1, 2, 3, 4, 5, 6;
  INSERT INTO reply_checks (workspace_id, of_runs, message_id)
  SELECT m.workspace_id, k.of_runs, m.id FROM new_rows AS m CROSS JOIN (VALUES (true), (false)) AS k (of_runs)
  WHERE is_said(m) AND (m.direction = 'in' OR NOT k.of_runs AND m.state = 'accepted' AND coalesce(m.delivered_at, m.read_at) IS NOT NULL);
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER roll_up_new_messages AFTER INSERT ON messages REFERENCING NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION roll_up_new_messages();
--> statement-breakpoint
CREATE FUNCTION roll_up_changed_message() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT counts_rollups() OR NOT is_rolled_up(NEW.id, NEW.received_at) THEN RETURN NULL; END IF;
  INSERT INTO message_rollup_deltas (workspace_id, channel_id, template_id, author, direction, quarter, sent, delivered, read, failed,
    received, replied)
  SELECT NEW.workspace_id, NEW.channel_id, message_template(NEW), message_author(NEW), NEW.direction, c.*
  FROM (
    SELECT quarter_of(e.at), sum(one * e.sent), sum(one * e.delivered), sum(one * e.read), sum(one * e.failed), sum(one * e.received),
      sum(one * e.replied)
    FROM (SELECT -1 AS one, o.* FROM message_times(OLD) AS o UNION ALL SELECT 1, n.* FROM message_times(NEW) AS n) AS t
    CROSS JOIN LATERAL (VALUES (t.sent, 1, 0, 0, 0, 0, 0), (t.delivered, 0, 1, 0, 0, 0, 0), (t.read, 0, 0, 1, 0, 0, 0),
      (t.failed, 0, 0, 0, 1, 0, 0), (t.received, 0, 0, 0, 0, 1, 0), (t.replied, 0, 0, 0, 0, 0, 1))
      AS e (at, sent, delivered, read, failed, received, replied)
    WHERE e.at IS NOT NULL GROUP BY 1
  ) AS c (quarter, sent, delivered, read, failed, received, replied)
  WHERE (c.sent, c.delivered, c.read, c.failed, c.received, c.replied) <> (0, 0, 0, 0, 0, 0);
  IF least(NEW.delivered_at, NEW.read_at) IS DISTINCT FROM least(OLD.delivered_at, OLD.read_at) AND NEW.state = 'accepted' THEN
    INSERT INTO reply_checks (workspace_id, of_runs, message_id) VALUES (NEW.workspace_id, false, NEW.id);
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER roll_up_changed_message AFTER UPDATE ON messages FOR EACH ROW
  WHEN ((OLD.state, OLD.accepted_at, OLD.delivered_at, OLD.read_at, OLD.failed_at, OLD.replied_at)
    IS DISTINCT FROM (NEW.state, NEW.accepted_at, NEW.delivered_at, NEW.read_at, NEW.failed_at, NEW.replied_at)
    AND (NEW.state IN ('accepted', 'refused') OR OLD.state IN ('accepted', 'refused')))
  EXECUTE FUNCTION roll_up_changed_message();
--> statement-breakpoint
CREATE FUNCTION round_results(r conversation_rounds) RETURNS TABLE (resolves boolean, workspace_id uuid, quarter timestamptz, channel_id uuid,
  agent_id uuid, team_id uuid, ms bigint, in_time boolean) LANGUAGE sql IMMUTABLE AS $$
  SELECT false, r.workspace_id, quarter_of(r.first_answered_at), r.channel_id, r.first_answer_by, r.team_id,
    (extract(epoch FROM r.first_answered_at - r.opened_at) * 1000)::bigint, r.is_answered_in_time WHERE r.first_answered_at IS NOT NULL
  UNION ALL
  SELECT true, r.workspace_id, quarter_of(r.resolved_at), r.channel_id, r.resolved_by, r.team_id,
    (extract(epoch FROM r.resolved_at - r.opened_at) * 1000)::bigint, r.is_resolved_in_time WHERE r.resolved_at IS NOT NULL
$$;
--> statement-breakpoint
CREATE FUNCTION roll_up_round() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT counts_rollups() THEN RETURN NULL; END IF;
  INSERT INTO inbox_rollup_deltas (workspace_id, quarter, channel_id, agent_id, team_id, first_responses, first_response_ms,
    first_responses_in_time, first_responses_late, resolutions, resolution_ms, resolutions_in_time, resolutions_late)
  SELECT workspace_id, quarter, channel_id, agent_id, team_id,
    sum(one * (NOT resolves)::integer), sum(one * ms * (NOT resolves)::integer), sum(one * (NOT resolves AND in_time IS TRUE)::integer),
    sum(one * (NOT resolves AND in_time IS FALSE)::integer), sum(one * resolves::integer), sum(one * ms * resolves::integer),
    sum(one * (resolves AND in_time IS TRUE)::integer), sum(one * (resolves AND in_time IS FALSE)::integer)
  FROM (SELECT 1 AS one, n.* FROM round_results(NEW) AS n
        UNION ALL SELECT -1, o.* FROM round_results(OLD) AS o WHERE TG_OP = 'UPDATE') AS changes
  GROUP BY 1, 2, 3, 4, 5;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER roll_up_round AFTER INSERT OR UPDATE ON conversation_rounds FOR EACH ROW EXECUTE FUNCTION roll_up_round();
--> statement-breakpoint
INSERT INTO inbox_rollups (workspace_id, quarter, channel_id, agent_id, team_id, first_responses, first_response_ms,
  first_responses_in_time, first_responses_late, resolutions, resolution_ms, resolutions_in_time, resolutions_late)
SELECT e.workspace_id, quarter, e.channel_id, agent_id, e.team_id, count(*) FILTER (WHERE NOT resolves),
  coalesce(sum(ms) FILTER (WHERE NOT resolves), 0), count(*) FILTER (WHERE NOT resolves AND in_time),
  count(*) FILTER (WHERE NOT resolves AND NOT in_time), count(*) FILTER (WHERE resolves), coalesce(sum(ms) FILTER (WHERE resolves), 0),
  count(*) FILTER (WHERE resolves AND in_time), count(*) FILTER (WHERE resolves AND NOT in_time)
FROM conversation_rounds r CROSS JOIN LATERAL round_results(r) AS e GROUP BY 1, 2, 3, 4, 5;
--> statement-breakpoint
-- From whom a contact came: an import, a conversation, or who made it (app.contact_source), else a form.
CREATE FUNCTION contact_source(c contacts) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT CASE WHEN c.import_id IS NOT NULL THEN 'import'
    ELSE coalesce(nullif(current_setting('app.contact_source', true), ''),
      CASE WHEN c.platform_user_id IS NOT NULL OR c.last_message_at IS NOT NULL THEN 'conversation' ELSE 'form' END) END
$$;
--> statement-breakpoint
CREATE FUNCTION roll_up_new_contacts() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT counts_rollups() THEN RETURN NULL; END IF;
  INSERT INTO contact_rollup_deltas (workspace_id, quarter, kind, source, contacts)
    SELECT c.workspace_id, quarter_of(c.created_at), 'new', contact_source(c), count(*) FROM new_rows c GROUP BY 1, 2, 4;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER roll_up_new_contacts AFTER INSERT ON contacts REFERENCING NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION roll_up_new_contacts();
--> statement-breakpoint
CREATE FUNCTION consent_source(c contact_consents) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN c.import_id IS NOT NULL THEN 'import' WHEN c.source = 'staff' THEN 'staff' WHEN c.text <> '' THEN 'keyword' ELSE 'platform' END
$$;
--> statement-breakpoint
CREATE FUNCTION roll_up_new_consents() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT counts_rollups() THEN RETURN NULL; END IF;
  INSERT INTO contact_rollup_deltas (workspace_id, quarter, kind, source, contacts)
    SELECT c.workspace_id, quarter_of(c.occurred_at), c.kind, consent_source(c), count(*) FROM new_rows c GROUP BY 1, 2, 3, 4;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER roll_up_new_consents AFTER INSERT ON contact_consents REFERENCING NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION roll_up_new_consents();
--> statement-breakpoint
INSERT INTO contact_rollups (workspace_id, quarter, kind, source, contacts)
SELECT c.workspace_id, quarter_of(c.created_at), 'new', contact_source(c), count(*) FROM contacts c GROUP BY 1, 2, 4
UNION ALL
SELECT c.workspace_id, quarter_of(c.occurred_at), c.kind, consent_source(c), count(*) FROM contact_consents c GROUP BY 1, 2, 3, 4;
--> statement-breakpoint
CREATE FUNCTION keep_rollup_names() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO rollup_names (id, workspace_id, kind, name)
    SELECT o.id, o.workspace_id, TG_ARGV[0], o.name FROM old_rows o WHERE EXISTS (SELECT FROM workspaces w WHERE w.id = o.workspace_id)
    ON CONFLICT (id) DO UPDATE SET name = excluded.name;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER keep_rollup_names AFTER DELETE ON campaigns REFERENCING OLD TABLE AS old_rows
  FOR EACH STATEMENT EXECUTE FUNCTION keep_rollup_names('campaign');
--> statement-breakpoint
CREATE TRIGGER keep_rollup_names AFTER DELETE ON templates REFERENCING OLD TABLE AS old_rows
  FOR EACH STATEMENT EXECUTE FUNCTION keep_rollup_names('template');
--> statement-breakpoint
-- Charges of the budget, by the run or the message that the reference names.
CREATE FUNCTION roll_up_charges() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    PERFORM add_charges(array_agg(ref), array_agg(amount), array_agg(charged_at), array_agg(workspace_id)) FROM new_rows
      WHERE given_back_for IS NULL AND charged_at IS NOT NULL;
  ELSE
    PERFORM add_charges(array_agg(ref), array_agg(amount), array_agg(charged_at), array_agg(workspace_id)) FROM (
      SELECT ref, amount, charged_at, workspace_id FROM new_rows WHERE given_back_for IS NULL AND charged_at IS NOT NULL
      UNION ALL SELECT ref, -amount, charged_at, workspace_id FROM old_rows WHERE given_back_for IS NULL AND charged_at IS NOT NULL) AS c;
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE FUNCTION add_charges(p_refs text[], p_amounts bigint[], p_at timestamptz[], p_workspaces uuid[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF p_refs IS NULL THEN RETURN; END IF;
  INSERT INTO message_rollup_deltas (workspace_id, channel_id, campaign_id, template_id, author, direction, quarter, cost)
  SELECT r.workspace_id, r.channel_id, r.campaign_id, r.template_id, 'campaign', 'out', c.quarter, c.cost
  FROM (SELECT split_part(substr(ref, 2), '.', 1)::bigint AS run_no, workspace_id, quarter_of(at) AS quarter, sum(amount) AS cost
        FROM unnest(p_refs, p_amounts, p_at, p_workspaces) AS u (ref, amount, at, workspace_id) WHERE ref LIKE 'r%' GROUP BY 1, 2, 3) AS c
  JOIN delivery_runs r ON r.run_no = c.run_no AND r.workspace_id = c.workspace_id WHERE c.cost <> 0
  UNION ALL
  SELECT m.workspace_id, m.channel_id, NULL, message_template(m), message_author(m), 'out', c.quarter, c.cost
  FROM (SELECT split_part(substr(ref, 2), '.', 1)::uuid AS id, workspace_id, quarter_of(at) AS quarter, sum(amount) AS cost
        FROM unnest(p_refs, p_amounts, p_at, p_workspaces) AS u (ref, amount, at, workspace_id) WHERE ref LIKE 'm%' GROUP BY 1, 2, 3) AS c
  JOIN messages m ON m.id = c.id AND m.workspace_id = c.workspace_id WHERE c.cost <> 0 AND m.purpose IS DISTINCT FROM 'test';
END $$;
--> statement-breakpoint
CREATE TRIGGER roll_up_new_charges AFTER INSERT ON budget_charges REFERENCING NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION roll_up_charges();
--> statement-breakpoint
CREATE TRIGGER roll_up_changed_charges AFTER UPDATE ON budget_charges REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION roll_up_charges();
