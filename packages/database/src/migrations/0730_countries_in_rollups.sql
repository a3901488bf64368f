-- Figures of messages by the country of the number, for reports narrowed to a country (docs/decisions/158-countries-in-rollups.md). A number keeps the
-- country that it had when the message was stored, whatever becomes of the contact.
CREATE FUNCTION calling_codes() RETURNS jsonb LANGUAGE sql IMMUTABLE AS $$
  SELECT '{
    "1":"US","7":"RU","20":"EG","27":"ZA","30":"GR","31":"NL","32":"BE","33":"FR","34":"ES","36":"HU","39":"IT","40":"RO","41":"CH",
    "43":"AT","44":"GB","45":"DK","46":"SE","47":"NO","48":"PL","49":"DE","51":"PE","52":"MX","53":"CU","54":"AR","55":"BR","56":"CL",
    "57":"CO","58":"VE","60":"MY","61":"AU","62":"ID","63":"PH","64":"NZ","65":"SG","66":"TH","76":"KZ","77":"KZ","81":"JP","82":"KR",
    "84":"VN","86":"CN","90":"TR","91":"IN","92":"PK","93":"AF","94":"LK","95":"MM","98":"IR","211":"SS","212":"MA","213":"DZ","216":"TN",
    "218":"LY","220":"GM","221":"SN","222":"MR","223":"ML","224":"GN","225":"CI","226":"BF","227":"NE","228":"TG","229":"BJ","230":"MU",
    "231":"LR","232":"SL","233":"GH","234":"NG","235":"TD","236":"CF","237":"CM","238":"CV","239":"ST","240":"GQ","241":"GA","242":"CG",
    "243":"CD","244":"AO","245":"GW","246":"IO","247":"AC","248":"SC","249":"SD","250":"RW","251":"ET","252":"SO","253":"DJ","254":"KE",
    "255":"TZ","256":"UG","257":"BI","258":"MZ","260":"ZM","261":"MG","262":"RE","263":"ZW","264":"NA","265":"MW","266":"LS","267":"BW",
    "268":"SZ","269":"KM","290":"SH","291":"ER","297":"AW","298":"FO","299":"GL","350":"GI","351":"PT","352":"LU","353":"IE","354":"IS",
    "355":"AL","356":"MT","357":"CY","358":"FI","359":"BG","370":"LT","371":"LV","372":"EE","373":"MD","374":"AM","375":"BY","376":"AD",
    "377":"MC","378":"SM","380":"UA","381":"RS","382":"ME","383":"XK","385":"HR","386":"SI","387":"BA","389":"MK","420":"CZ","421":"SK",
    "423":"LI","500":"FK","501":"BZ","502":"GT","503":"SV","504":"HN","505":"NI","506":"CR","507":"PA","508":"PM","509":"HT","590":"GP",
    "591":"BO","592":"GY","593":"EC","594":"GF","595":"PY","596":"MQ","597":"SR","598":"UY","599":"CW","670":"TL","672":"NF","673":"BN",
    "674":"NR","675":"PG","676":"TO","677":"SB","678":"VU","679":"FJ","680":"PW","681":"WF","682":"CK","683":"NU","685":"WS","686":"KI",
    "687":"NC","688":"TV","689":"PF","690":"TK","691":"FM","692":"MH","850":"KP","852":"HK","853":"MO","855":"KH","856":"LA","880":"BD",
    "886":"TW","960":"MV","961":"LB","962":"JO","963":"SY","964":"IQ","965":"KW","966":"SA","967":"YE","968":"OM","970":"PS","971":"AE",
    "972":"IL","973":"BH","974":"QA","975":"BT","976":"MN","977":"NP","992":"TJ","993":"TM","994":"AZ","995":"GE","996":"KG","998":"UZ"
  }'::jsonb
$$;
--> statement-breakpoint
-- As countryOfNumber of the domain: the longest code with which the number begins.
CREATE FUNCTION country_of_number(phone text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN phone LIKE '+%' THEN coalesce(calling_codes()->>substr(phone, 2, 3), calling_codes()->>substr(phone, 2, 2),
    calling_codes()->>substr(phone, 2, 1)) END
$$;
--> statement-breakpoint
CREATE TABLE country_rollups (
  workspace_id uuid NOT NULL REFERENCES workspaces ON DELETE CASCADE,
  country text NOT NULL,
  quarter timestamptz NOT NULL,
  channel_id uuid NOT NULL,
  campaign_id uuid,
  template_id uuid,
  sent bigint NOT NULL,
  -- Of these, by ways of which the platform reports what became of it.
  reported bigint NOT NULL,
  delivered bigint NOT NULL,
  read bigint NOT NULL,
  failed bigint NOT NULL,
  received bigint NOT NULL,
  replied bigint NOT NULL,
  UNIQUE NULLS NOT DISTINCT (workspace_id, country, quarter, channel_id, campaign_id, template_id)
) WITH (fillfactor = 70);
--> statement-breakpoint
SELECT guard_workspace('country_rollups');
--> statement-breakpoint
-- The same by days of UTC; a channel of null is all of them together. A trigger keeps them equal to country_rollups.
CREATE TABLE country_rollup_sums (
  workspace_id uuid NOT NULL REFERENCES workspaces ON DELETE CASCADE,
  country text NOT NULL,
  channel_id uuid,
  -- When the day begins.
  at timestamptz NOT NULL,
  sent bigint NOT NULL,
  reported bigint NOT NULL,
  delivered bigint NOT NULL,
  read bigint NOT NULL,
  failed bigint NOT NULL,
  received bigint NOT NULL,
  replied bigint NOT NULL,
  UNIQUE NULLS NOT DISTINCT (workspace_id, country, channel_id, at)
) WITH (fillfactor = 70);
--> statement-breakpoint
SELECT guard_workspace('country_rollup_sums');
--> statement-breakpoint
CREATE FUNCTION sum_up_country_rollups() RETURNS trigger LANGUAGE plpgsql SET jit = off AS $$
BEGIN
  EXECUTE format($sums$
    INSERT INTO country_rollup_sums AS s
    SELECT * FROM (
      SELECT r.workspace_id, r.country, c.channel_id, day_of(r.quarter) AS at, sum(r.one * r.sent) AS sent, sum(r.one * r.reported) AS reported,
        sum(r.one * r.delivered) AS delivered, sum(r.one * r.read) AS read, sum(r.one * r.failed) AS failed, sum(r.one * r.received) AS received,
        sum(r.one * r.replied) AS replied
      FROM (%s) AS r CROSS JOIN LATERAL (VALUES (NULL::uuid), (r.channel_id)) AS c (channel_id) GROUP BY 1, 2, 3, 4) AS n
    WHERE (sent, reported, delivered, read, failed, received, replied) <> (0, 0, 0, 0, 0, 0, 0)
    -- In one order, so that no two writers wait for each other.
    ORDER BY 1, 2, 3, 4
    ON CONFLICT (workspace_id, country, channel_id, at) DO UPDATE SET sent = s.sent + excluded.sent, reported = s.reported + excluded.reported,
      delivered = s.delivered + excluded.delivered, read = s.read + excluded.read, failed = s.failed + excluded.failed,
      received = s.received + excluded.received, replied = s.replied + excluded.replied $sums$,
    'SELECT 1 AS one, n.* FROM new_rows n' || CASE TG_OP WHEN 'UPDATE' THEN ' UNION ALL SELECT -1, o.* FROM old_rows o' ELSE '' END);
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER sum_up_new_country_rollups AFTER INSERT ON country_rollups REFERENCING NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION sum_up_country_rollups();
--> statement-breakpoint
CREATE TRIGGER sum_up_changed_country_rollups AFTER UPDATE ON country_rollups REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION sum_up_country_rollups();
--> statement-breakpoint
ALTER TABLE message_rollup_deltas ADD COLUMN country text;
--> statement-breakpoint
-- Of the number of the contact when the message was stored. Null: not counted by country.
ALTER TABLE messages ADD COLUMN country text;
--> statement-breakpoint
-- Recipients with smaller numbers are counted by country when something happens to them, the others are yet to be counted.
ALTER TABLE delivery_runs ADD COLUMN countries_below integer NOT NULL DEFAULT 0;
--> statement-breakpoint
ALTER TABLE delivery_runs ALTER COLUMN countries_below SET DEFAULT 2147483647;
--> statement-breakpoint
CREATE INDEX delivery_runs_to_count_by_country ON delivery_runs (run_no) WHERE countries_below < 2147483647;
--> statement-breakpoint
-- What comes back and was counted before keeps what it had.
CREATE FUNCTION note_country_of_message() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF counts_rollups() THEN NEW.country := (SELECT country_of_number(c.phone) FROM contacts c WHERE c.id = NEW.contact_id); END IF;
  RETURN NEW;
END $$;
--> statement-breakpoint
CREATE TRIGGER note_country_of_message BEFORE INSERT ON messages FOR EACH ROW
  WHEN (NEW.contact_id IS NOT NULL AND NEW.country IS NULL) EXECUTE FUNCTION note_country_of_message();
--> statement-breakpoint
-- The functions below are as before, by the country of each message.
CREATE OR REPLACE FUNCTION roll_up_new_messages() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT counts_rollups() THEN RETURN NULL; END IF;
  IF NOT EXISTS (SELECT FROM new_rows WHERE direction = 'in' OR state IS NULL OR state IN ('accepted', 'refused')) THEN RETURN NULL; END IF;
  INSERT INTO message_rollup_deltas (workspace_id, channel_id, template_id, author, direction, country, quarter, sent, delivered, read,
    failed, received, replied)
  SELECT m.workspace_id, m.channel_id, message_template(m), message_author(m), m.direction, m.country, quarter_of(e.at),
    sum(e.sent), sum(e.delivered), sum(e.read), sum(e.failed), sum(e.received), sum(e.replied)
  FROM new_rows AS m CROSS JOIN LATERAL message_times(m) AS t CROSS JOIN LATERAL (VALUES (t.sent, 1, 0, 0, 0, 0, 0),
    (t.delivered, 0, 1, 0, 0, 0, 0), (t.read, 0, 0, 1, 0, 0, 0), (t.failed, 0, 0, 0, 1, 0, 0), (t.received, 0, 0, 0, 0, 1, 0),
    (t.replied, 0, 0, 0, 0, 0, 1)) AS e (at, sent, delivered, read, failed, received, replied)
  WHERE e.at IS NOT NULL AND is_rolled_up(m.id, m.received_at)
  GROUP BY 1, 2, 3, 4, 5, 6, 7;
  INSERT INTO reply_checks (workspace_id, of_runs, message_id)
  SELECT m.workspace_id, k.of_runs, m.id FROM new_rows AS m CROSS JOIN (VALUES (true), (false)) AS k (of_runs)
  WHERE is_said(m) AND (m.direction = 'in' OR NOT k.of_runs AND m.state = 'accepted' AND coalesce(m.delivered_at, m.read_at) IS NOT NULL);
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION roll_up_changed_message() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT counts_rollups() OR NOT is_rolled_up(NEW.id, NEW.received_at) THEN RETURN NULL; END IF;
  INSERT INTO message_rollup_deltas (workspace_id, channel_id, template_id, author, direction, country, quarter, sent, delivered, read,
    failed, received, replied)
  SELECT NEW.workspace_id, NEW.channel_id, message_template(NEW), message_author(NEW), NEW.direction, NEW.country, c.*
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
CREATE OR REPLACE FUNCTION apply_status_reports(p_run bigint, p_workspace uuid, p_seqs integer[], p_message_ids text[], p_sent double precision[], p_delivered double precision[], p_read double precision[], p_failed double precision[], p_codes text[], p_details text[], OUT missing integer[], OUT newly_failed integer[])
 RETURNS record
 LANGUAGE plpgsql
 SET enable_nestloop TO 'off'
 SET enable_mergejoin TO 'off'
 SET jit TO 'off'
AS $$
#variable_conflict use_column
DECLARE
  run delivery_runs;
  live integer;
  counted_below integer;
  late timestamptz := now() - interval '5 minutes';
BEGIN
  SELECT * INTO run FROM delivery_runs WHERE run_no = p_run;
  live := run.rolled_up_below;
  counted_below := run.countries_below;
  -- While its past is being counted: behind the slice that is under way, and before the next one.
  IF live < 2147483647 THEN SELECT rolled_up_below INTO live FROM delivery_runs WHERE run_no = p_run FOR KEY SHARE; END IF;
  IF counted_below < 2147483647 THEN SELECT countries_below INTO counted_below FROM delivery_runs WHERE run_no = p_run FOR KEY SHARE; END IF;
  WITH input AS MATERIALIZED (
    SELECT seq, message_id, to_timestamp(sent / 1000) AS sent, to_timestamp(delivered / 1000) AS delivered,
      to_timestamp(read / 1000) AS read, to_timestamp(failed / 1000) AS failed, code, detail
    FROM unnest(p_seqs, p_message_ids, p_sent, p_delivered, p_read, p_failed, p_codes, p_details)
      AS i(seq, message_id, sent, delivered, read, failed, code, detail)
  ), found AS MATERIALIZED (
    SELECT seq, state, accepted_at, sent_at, delivered_at, read_at, failed_at, variant, address FROM delivery_recipients
    WHERE run_no = p_run AND seq = ANY(p_seqs) AND workspace_id = p_workspace ORDER BY seq FOR UPDATE
  ), known AS MATERIALIZED (
    SELECT i.*, f.state, f.accepted_at AS was_accepted, f.sent_at AS was_sent, f.delivered_at AS was_delivered,
      f.read_at AS was_read, f.failed_at AS refused_at, CASE WHEN f.state = 2 THEN f.failed_at END AS was_failed,
      run_template(run, f.variant) AS template_id, CASE WHEN i.seq < counted_below THEN country_of_number(f.address) END AS country
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
    SELECT p_run, run.workspace_id, run.channel_id, hour, sum(accepted), sum(refused), sum(cancelled), sum(unknown), sum(sent),
      sum(delivered), sum(read), sum(failed)
    FROM parts GROUP BY hour
  ), moves AS (
    -- Each time as recipient_times says it, where it is another one now. Most reports say one thing that nobody knew.
    SELECT least(delivered_at, read_at) AS at, 0 AS sent, 1 AS delivered, 0 AS read, 0 AS failed, template_id, country FROM new
    WHERE seq < live AND (state <> 2 OR least(delivered_at, read_at) IS DISTINCT FROM least(was_delivered, was_read))
    UNION ALL
    SELECT read_at, 0, 0, 1, 0, template_id, country FROM new WHERE seq < live AND read_at IS NOT NULL AND (state <> 2 OR read_at IS DISTINCT FROM was_read)
    UNION ALL
    SELECT e.at, e.sent, e.delivered, e.read, e.failed, template_id, country FROM new CROSS JOIN LATERAL (VALUES
      (CASE WHEN state <> 2 THEN accepted_at END, 1, 0, 0, 0),
      (CASE WHEN state = 2 AND least(delivered_at, read_at) < least(was_delivered, was_read) THEN least(was_delivered, was_read) END, 0, -1, 0, 0),
      (CASE WHEN state = 2 AND read_at < was_read THEN was_read END, 0, 0, -1, 0),
      (CASE WHEN coalesce(delivered_at, read_at) IS NULL THEN failed_at END, 0, 0, 0, 1),
      (CASE WHEN state = 3 THEN refused_at WHEN coalesce(was_delivered, was_read) IS NULL THEN was_failed END, 0, 0, 0, -1))
      AS e (at, sent, delivered, read, failed)
    WHERE e.at IS NOT NULL AND seq < live AND (state <> 2 OR failed_at IS NOT NULL
      OR least(delivered_at, read_at) < least(was_delivered, was_read) OR read_at < was_read)
  ), rolled_up AS (
    INSERT INTO message_rollup_deltas (run_no, workspace_id, channel_id, campaign_id, template_id, author, direction, country, quarter, sent,
      delivered, read, failed, delivered_from)
    SELECT p_run, run.workspace_id, run.channel_id, run.campaign_id, template_id, 'campaign', 'out', country, quarter_of(at), sum(sent),
      sum(delivered), sum(read), sum(failed), min(at) FILTER (WHERE delivered > 0 AND at >= late)
    FROM moves WHERE at IS NOT NULL GROUP BY quarter_of(at), template_id, country
  ), came_late AS (
    -- The contact may have replied long before this is known.
    INSERT INTO reply_checks (workspace_id, of_runs, run_no, seqs)
    SELECT p_workspace, true, p_run, l.seqs FROM (SELECT array_agg(seq) AS seqs FROM new WHERE seq < live
      AND least(delivered, read) < late AND (state <> 2 OR least(delivered, read) < coalesce(least(was_delivered, was_read), 'infinity'))) AS l
    WHERE l.seqs IS NOT NULL
  )
  SELECT (SELECT array_agg(i.seq) FROM input i WHERE i.seq NOT IN (SELECT seq FROM known)),
    (SELECT array_agg(n.seq) FROM new n WHERE n.failed IS NOT NULL AND n.was_failed IS NULL) INTO missing, newly_failed;
END $$;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION settle_recipients(p_run bigint, p_owner text, p_epoch bigint, p_seqs integer[], p_attempts smallint[], p_states smallint[], p_released boolean[], p_at double precision[], p_message_ids text[], p_codes text[], p_details text[], p_not_before double precision[], p_retries integer[], p_give_back date[])
 RETURNS void
 LANGUAGE plpgsql
 SET enable_nestloop TO 'off'
 SET enable_mergejoin TO 'off'
 SET jit TO 'off'
AS $$
#variable_conflict use_column
DECLARE
  run delivery_runs;
  p_workspace uuid;
  p_channel uuid;
  p_campaign uuid;
  live integer;
  counted_below integer;
BEGIN
  -- Held until the commit: a new owner of the run waits for this write, or this write sees the new owner.
  SELECT * INTO run FROM delivery_runs WHERE run_no = p_run AND owner = p_owner AND epoch = p_epoch FOR KEY SHARE;
  IF NOT FOUND THEN RETURN; END IF;
  p_workspace := run.workspace_id;
  p_channel := run.channel_id;
  p_campaign := run.campaign_id;
  live := run.rolled_up_below;
  counted_below := run.countries_below;
  -- Before the recipients, as every claim does.
  IF p_give_back IS NOT NULL THEN
    PERFORM FROM delivery_usage WHERE workspace_id = p_workspace AND day = ANY(p_give_back) ORDER BY day FOR UPDATE;
  END IF;
  WITH known AS MATERIALIZED (
    SELECT seq, state, attempt, variant, address FROM delivery_recipients
    WHERE run_no = p_run AND seq = ANY(p_seqs) ORDER BY seq FOR UPDATE
  ), won AS MATERIALIZED (
    SELECT i.seq, i.attempt, i.state, i.is_released, to_timestamp(i.at_ms / 1000) AS at, i.message_id, i.code, i.detail,
      to_timestamp(i.not_before_ms / 1000) AS not_before, i.give_back, run_template(run, k.variant) AS template_id,
      CASE WHEN k.seq < counted_below THEN country_of_number(k.address) END AS country
    FROM unnest(p_seqs, p_attempts, p_states, p_released, p_at, p_message_ids, p_codes, p_details, p_not_before, p_give_back)
      AS i(seq, attempt, state, is_released, at_ms, message_id, code, detail, not_before_ms, give_back)
    JOIN known k ON k.seq = i.seq
    WHERE (k.state = 0 AND k.attempt = i.attempt - 1) OR (k.state = 1 AND k.attempt = i.attempt)
  ), written AS (
    UPDATE delivery_recipients r SET state = w.state, attempt = w.attempt - w.is_released::integer,
      accepted_at = CASE WHEN w.state = 2 THEN w.at END, failed_at = CASE WHEN w.state IN (3, 4) THEN w.at END,
      provider_message_id = w.message_id, error_code = w.code, error_detail = w.detail
    FROM won w WHERE r.run_no = p_run AND r.seq = ANY(p_seqs) AND r.seq = w.seq
  ), unqueued AS (
    -- Only the try that is settled here: a repeated statement must not drop the one that it queued itself before.
    DELETE FROM delivery_retries q USING unnest(p_seqs, p_attempts) AS i(seq, attempt)
    WHERE q.run_no = p_run AND q.seq = ANY(p_retries) AND i.seq = q.seq AND q.claimed_attempt = i.attempt
      AND NOT EXISTS (SELECT FROM won w WHERE w.seq = q.seq AND w.state = 6)
  ), queued AS (
    INSERT INTO delivery_retries (run_no, seq, workspace_id, not_before)
    SELECT p_run, w.seq, p_workspace, w.not_before FROM won w WHERE w.state = 6
    ON CONFLICT (run_no, seq) DO UPDATE SET not_before = excluded.not_before, claimed_attempt = NULL
  ), given_back AS (
    UPDATE delivery_usage u SET used = greatest(0, u.used - g.count),
      kinds = count_of_kind(u.kinds, (SELECT c.kind FROM channels c WHERE c.id = p_channel), -g.count)
    FROM (SELECT w.give_back AS day, count(*)::integer AS count FROM won w WHERE w.give_back IS NOT NULL GROUP BY 1) g
    WHERE u.workspace_id = p_workspace AND u.day = g.day
  ), rolled_up AS (
    INSERT INTO message_rollup_deltas (workspace_id, channel_id, campaign_id, template_id, author, direction, country, quarter, sent, failed)
    SELECT p_workspace, p_channel, p_campaign, w.template_id, 'campaign', 'out', w.country, quarter_of(w.at), count(*) FILTER (WHERE w.state = 2),
      count(*) FILTER (WHERE w.state = 3)
    FROM won w WHERE w.state IN (2, 3) AND w.seq < live GROUP BY 4, 7, 8
  )
  INSERT INTO delivery_deltas (run_no, workspace_id, channel_id, hour, accepted, refused, cancelled, unknown)
  SELECT p_run, p_workspace, p_channel, date_trunc('hour', w.at, 'UTC'), count(*) FILTER (WHERE w.state = 2),
    count(*) FILTER (WHERE w.state = 3), count(*) FILTER (WHERE w.state = 4), count(*) FILTER (WHERE w.state = 5)
  FROM won w WHERE w.state <> 6 GROUP BY 4;
END $$;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION check_replies_to_runs(p_lock bigint) RETURNS boolean LANGUAGE plpgsql
  SET enable_hashjoin = off SET enable_mergejoin = off SET jit = off AS $$
DECLARE
  taken bigint[];
BEGIN
  IF NOT pg_try_advisory_xact_lock(p_lock) THEN RETURN false; END IF;
  SELECT array_agg(id) INTO taken FROM (SELECT id FROM reply_checks WHERE of_runs ORDER BY id LIMIT 50) AS k;
  IF taken IS NULL THEN RETURN false; END IF;
  WITH checks AS MATERIALIZED (
    DELETE FROM reply_checks WHERE id = ANY (taken) RETURNING *
  ), places AS MATERIALIZED (
    SELECT r.run_no, r.seq FROM checks k JOIN messages m ON m.id = k.message_id AND m.direction = 'in' AND is_said(m)
      JOIN delivery_recipients r ON r.contact_id = m.contact_id AND r.workspace_id = m.workspace_id AND r.state = 2
       AND least(r.delivered_at, r.read_at) >= m.occurred_at - interval '24 hours' AND least(r.delivered_at, r.read_at) < m.occurred_at
    UNION
    SELECT run_no, unnest(seqs) FROM checks
    UNION
    SELECT r.run_no, r.seq FROM (SELECT run_no, workspace_id, min(since) AS since FROM checks WHERE since IS NOT NULL GROUP BY 1, 2) AS k
      JOIN delivery_runs d ON d.run_no = k.run_no
      JOIN conversations v ON v.workspace_id = k.workspace_id AND v.is_archived = ANY ('{true,false}'::boolean[])
       AND v.last_activity_at > k.since AND v.channel_id = d.channel_id
      JOIN delivery_recipients r ON r.contact_id = v.contact_id AND r.run_no = k.run_no AND r.state = 2
       AND least(r.delivered_at, r.read_at) >= k.since
  ), known AS MATERIALIZED (
    SELECT r.run_no, r.seq, r.contact_id, least(r.delivered_at, r.read_at) AS delivered, r.replied_at, r.variant, r.address
    FROM places p JOIN delivery_recipients r ON r.run_no = p.run_no AND r.seq = p.seq AND r.state = 2 ORDER BY r.run_no, r.seq FOR NO KEY UPDATE OF r
  ), found AS MATERIALIZED (
    SELECT k.run_no, k.seq, k.replied_at AS was, first_reply(k.contact_id, d.channel_id, k.delivered, k.replied_at) AS is,
      d.workspace_id, d.channel_id, d.campaign_id, run_template(d, k.variant) AS template_id,
      CASE WHEN k.seq < d.countries_below THEN country_of_number(k.address) END AS country
    FROM known k JOIN delivery_runs d ON d.run_no = k.run_no WHERE k.seq < d.rolled_up_below AND k.contact_id IS NOT NULL
  ), written AS (
    UPDATE delivery_recipients r SET replied_at = f.is FROM found f
    WHERE r.run_no = f.run_no AND r.seq = f.seq AND f.is IS DISTINCT FROM f.was
  )
  INSERT INTO message_rollup_deltas (workspace_id, channel_id, campaign_id, template_id, author, direction, country, quarter, replied)
  SELECT f.workspace_id, f.channel_id, f.campaign_id, f.template_id, 'campaign', 'out', f.country, quarter_of(e.at), sum(e.one)
  FROM found f CROSS JOIN LATERAL (VALUES (f.is, 1), (f.was, -1)) AS e (at, one)
  WHERE f.is IS DISTINCT FROM f.was AND e.at IS NOT NULL GROUP BY 1, 2, 3, 4, 7, 8;
  RETURN cardinality(taken) = 50;
END $$;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION backfill_runs(p_lock bigint, p_rows integer) RETURNS boolean LANGUAGE plpgsql
  SET enable_nestloop = off SET enable_mergejoin = off SET jit = off AS $$
DECLARE
  run delivery_runs;
  until integer;
  done bigint;
BEGIN
  PERFORM pg_advisory_xact_lock(p_lock);
  SELECT * INTO run FROM delivery_runs WHERE rolled_up_below < 2147483647 ORDER BY run_no DESC LIMIT 1 FOR UPDATE;
  IF NOT FOUND THEN
    UPDATE rollup_backfill SET finished_at = now() WHERE source = 'runs' AND finished_at IS NULL;
    RETURN false;
  END IF;
  until := CASE WHEN run.total - run.rolled_up_below > p_rows THEN run.rolled_up_below + p_rows ELSE 2147483647 END;
  WITH slice AS MATERIALIZED (
    SELECT r.seq, run_template(run, r.variant) AS template_id, t.*,
      CASE WHEN r.seq < run.countries_below THEN country_of_number(r.address) END AS country, r.replied_at, CASE WHEN t.delivered IS NOT NULL AND r.contact_id IS NOT NULL
      THEN first_reply(r.contact_id, run.channel_id, t.delivered, r.replied_at) ELSE r.replied_at END AS is_replied
    FROM delivery_recipients r CROSS JOIN LATERAL recipient_times(r) AS t
    WHERE r.run_no = run.run_no AND r.seq >= run.rolled_up_below AND r.seq < until
  ), locked AS MATERIALIZED (
    SELECT r.seq FROM delivery_recipients r WHERE r.run_no = run.run_no
      AND r.seq = ANY (ARRAY(SELECT seq FROM slice WHERE is_replied IS DISTINCT FROM replied_at)) ORDER BY r.seq FOR NO KEY UPDATE
  ), written AS (
    UPDATE delivery_recipients r SET replied_at = s.is_replied FROM locked l JOIN slice s ON s.seq = l.seq
    WHERE r.run_no = run.run_no AND r.seq = ANY (ARRAY(SELECT seq FROM locked)) AND r.seq = l.seq
  ), added AS (
    INSERT INTO message_rollup_deltas (workspace_id, channel_id, campaign_id, template_id, author, direction, country, quarter, sent, delivered,
      read, failed, replied)
    SELECT run.workspace_id, run.channel_id, run.campaign_id, s.template_id, 'campaign', 'out', s.country, quarter_of(e.at), sum(e.sent),
      sum(e.delivered), sum(e.read), sum(e.failed), sum(e.replied)
    FROM slice s CROSS JOIN LATERAL (VALUES (s.sent, 1, 0, 0, 0, 0), (s.delivered, 0, 1, 0, 0, 0), (s.read, 0, 0, 1, 0, 0),
      (s.failed, 0, 0, 0, 1, 0), (s.is_replied, 0, 0, 0, 0, 1)) AS e (at, sent, delivered, read, failed, replied)
    WHERE e.at IS NOT NULL GROUP BY 4, 7, 8
  ) SELECT count(*) INTO done FROM slice;
  UPDATE delivery_runs SET rolled_up_below = until WHERE run_no = run.run_no;
  UPDATE rollup_backfill SET rows_done = rows_done + done WHERE source = 'runs';
  RETURN true;
END $$;
--> statement-breakpoint
-- It gives up sooner than PostgreSQL looks for a deadlock: who replaces or clears a workspace holds rows of several rollups for long, and in another order.
CREATE OR REPLACE FUNCTION apply_rollups(p_lock bigint) RETURNS boolean LANGUAGE plpgsql SET lock_timeout = '500ms' AS $$
DECLARE
  moved bigint;
  more boolean := false;
BEGIN
  IF NOT pg_try_advisory_xact_lock(p_lock) THEN RETURN false; END IF;
  WITH taken AS (
    DELETE FROM message_rollup_deltas WHERE ctid = ANY (ARRAY(SELECT ctid FROM message_rollup_deltas LIMIT 5000)) RETURNING *
  ), delivered AS (
    INSERT INTO reply_checks (workspace_id, of_runs, run_no, since)
    SELECT t.workspace_id, true, t.run_no, min(t.delivered_from) FROM taken t JOIN delivery_runs r USING (run_no)
    WHERE t.delivered_from IS NOT NULL GROUP BY 1, 3
  ), added AS (
    INSERT INTO message_rollups AS r (workspace_id, quarter, channel_id, campaign_id, template_id, author, direction, sent, delivered, read,
      failed, received, replied, clicked, cost)
    SELECT * FROM (
      SELECT t.workspace_id, t.quarter, t.channel_id, t.campaign_id, t.template_id, t.author, t.direction, sum(t.sent) AS sent,
        sum(t.delivered) AS delivered, sum(t.read) AS read, sum(t.failed) AS failed, sum(t.received) AS received, sum(t.replied) AS replied,
        sum(t.clicked) AS clicked, sum(t.cost) AS cost
      FROM taken t JOIN workspaces w ON w.id = t.workspace_id GROUP BY 1, 2, 3, 4, 5, 6, 7) AS s
    WHERE (sent, delivered, read, failed, received, replied, clicked, cost) <> (0, 0, 0, 0, 0, 0, 0, 0)
    ON CONFLICT (workspace_id, quarter, channel_id, campaign_id, template_id, author, direction) DO UPDATE SET
      sent = r.sent + excluded.sent, delivered = r.delivered + excluded.delivered, read = r.read + excluded.read,
      failed = r.failed + excluded.failed, received = r.received + excluded.received, replied = r.replied + excluded.replied,
      clicked = r.clicked + excluded.clicked, cost = r.cost + excluded.cost
  ), added_by_country AS (
    INSERT INTO country_rollups AS r
    SELECT * FROM (
      SELECT t.workspace_id, t.country, t.quarter, t.channel_id, t.campaign_id, t.template_id, sum(t.sent) AS sent,
        coalesce(sum(t.sent) FILTER (WHERE t.author <> 'app'), 0) AS reported, sum(t.delivered) AS delivered, sum(t.read) AS read,
        sum(t.failed) AS failed, sum(t.received) AS received, sum(t.replied) AS replied
      FROM taken t JOIN workspaces w ON w.id = t.workspace_id WHERE t.country IS NOT NULL GROUP BY 1, 2, 3, 4, 5, 6) AS s
    WHERE (sent, reported, delivered, read, failed, received, replied) <> (0, 0, 0, 0, 0, 0, 0)
    ON CONFLICT (workspace_id, country, quarter, channel_id, campaign_id, template_id) DO UPDATE SET sent = r.sent + excluded.sent,
      reported = r.reported + excluded.reported, delivered = r.delivered + excluded.delivered, read = r.read + excluded.read,
      failed = r.failed + excluded.failed, received = r.received + excluded.received, replied = r.replied + excluded.replied
  ) SELECT count(*) INTO moved FROM taken;
  more := moved = 5000;
  WITH taken AS (
    DELETE FROM inbox_rollup_deltas WHERE ctid = ANY (ARRAY(SELECT ctid FROM inbox_rollup_deltas LIMIT 5000)) RETURNING *
  ), added AS (
    INSERT INTO inbox_rollups AS r (workspace_id, quarter, channel_id, agent_id, team_id, first_responses, first_response_ms,
      first_responses_in_time, first_responses_late, resolutions, resolution_ms, resolutions_in_time, resolutions_late, asked, rated_good,
      rated_okay, rated_bad)
    SELECT t.workspace_id, t.quarter, t.channel_id, t.agent_id, t.team_id, sum(t.first_responses), sum(t.first_response_ms),
      sum(t.first_responses_in_time), sum(t.first_responses_late), sum(t.resolutions), sum(t.resolution_ms), sum(t.resolutions_in_time),
      sum(t.resolutions_late), sum(t.asked), sum(t.rated_good), sum(t.rated_okay), sum(t.rated_bad)
    FROM taken t JOIN workspaces w ON w.id = t.workspace_id GROUP BY 1, 2, 3, 4, 5
    ON CONFLICT (workspace_id, quarter, channel_id, agent_id, team_id) DO UPDATE SET
      first_responses = r.first_responses + excluded.first_responses, first_response_ms = r.first_response_ms + excluded.first_response_ms,
      first_responses_in_time = r.first_responses_in_time + excluded.first_responses_in_time,
      first_responses_late = r.first_responses_late + excluded.first_responses_late, resolutions = r.resolutions + excluded.resolutions,
      resolution_ms = r.resolution_ms + excluded.resolution_ms, resolutions_in_time = r.resolutions_in_time + excluded.resolutions_in_time,
      resolutions_late = r.resolutions_late + excluded.resolutions_late, asked = r.asked + excluded.asked,
      rated_good = r.rated_good + excluded.rated_good, rated_okay = r.rated_okay + excluded.rated_okay, rated_bad = r.rated_bad + excluded.rated_bad
  ) SELECT count(*) INTO moved FROM taken;
  more := more OR moved = 5000;
  WITH taken AS (
    DELETE FROM contact_rollup_deltas WHERE ctid = ANY (ARRAY(SELECT ctid FROM contact_rollup_deltas LIMIT 5000)) RETURNING *
  ), added AS (
    INSERT INTO contact_rollups AS r (workspace_id, quarter, kind, source, contacts)
    SELECT t.workspace_id, t.quarter, t.kind, t.source, sum(t.contacts) FROM taken t JOIN workspaces w ON w.id = t.workspace_id
    GROUP BY 1, 2, 3, 4
    ON CONFLICT (workspace_id, quarter, kind, source) DO UPDATE SET contacts = r.contacts + excluded.contacts
  ) SELECT count(*) INTO moved FROM taken;
  RETURN more OR moved = 5000;
EXCEPTION WHEN lock_not_available THEN
  RETURN false;
END $$;
--> statement-breakpoint
ALTER TABLE rollup_backfill DROP CONSTRAINT rollup_backfill_source_check;
--> statement-breakpoint
ALTER TABLE rollup_backfill ADD CONSTRAINT rollup_backfill_source_check CHECK (source IN ('runs', 'messages', 'charges', 'run_countries', 'message_countries'));
--> statement-breakpoint
INSERT INTO rollup_backfill (source, begun_at, place, finished_at) VALUES
  ('run_countries', clock_timestamp(), NULL, CASE WHEN NOT EXISTS (SELECT FROM delivery_runs) THEN now() END),
  ('message_countries', clock_timestamp(), 'ffffffff-ffff-ffff-ffff-ffffffffffff', CASE WHEN NOT EXISTS (SELECT FROM messages) THEN now() END);
--> statement-breakpoint
-- Counts recipients of before by country, those of the newest run first, as backfill_runs does. It adds to the rollups itself, with the lock of apply_rollups,
-- and gives up as soon: then the slice is counted the next time.
CREATE FUNCTION backfill_run_countries(p_lock bigint, p_rows integer) RETURNS boolean LANGUAGE plpgsql
  SET enable_nestloop = off SET enable_mergejoin = off SET jit = off SET lock_timeout = '500ms' AS $$
DECLARE
  run delivery_runs;
  until integer;
  done bigint;
BEGIN
  PERFORM pg_advisory_xact_lock(p_lock);
  SELECT * INTO run FROM delivery_runs WHERE countries_below < 2147483647 AND rolled_up_below = 2147483647 ORDER BY run_no DESC LIMIT 1 FOR UPDATE;
  IF NOT FOUND THEN
    UPDATE rollup_backfill SET finished_at = now() WHERE source = 'run_countries' AND finished_at IS NULL
      AND NOT EXISTS (SELECT FROM delivery_runs WHERE countries_below < 2147483647);
    RETURN false;
  END IF;
  until := CASE WHEN run.total - run.countries_below > p_rows THEN run.countries_below + p_rows ELSE 2147483647 END;
  WITH slice AS MATERIALIZED (
    SELECT country_of_number(r.address) AS country, run_template(run, r.variant) AS template_id, t.*
    FROM delivery_recipients r CROSS JOIN LATERAL recipient_times(r) AS t
    WHERE r.run_no = run.run_no AND r.seq >= run.countries_below AND r.seq < until
  ), added AS (
    INSERT INTO country_rollups AS c
    SELECT run.workspace_id, s.country, quarter_of(e.at), run.channel_id, run.campaign_id, s.template_id, sum(e.sent), sum(e.sent), sum(e.delivered),
      sum(e.read), sum(e.failed), 0, sum(e.replied)
    FROM slice s CROSS JOIN LATERAL (VALUES (s.sent, 1, 0, 0, 0, 0), (s.delivered, 0, 1, 0, 0, 0), (s.read, 0, 0, 1, 0, 0),
      (s.failed, 0, 0, 0, 1, 0), (s.replied, 0, 0, 0, 0, 1)) AS e (at, sent, delivered, read, failed, replied)
    WHERE e.at IS NOT NULL AND s.country IS NOT NULL GROUP BY 2, 3, 6
    ON CONFLICT (workspace_id, country, quarter, channel_id, campaign_id, template_id) DO UPDATE SET sent = c.sent + excluded.sent,
      reported = c.reported + excluded.reported, delivered = c.delivered + excluded.delivered, read = c.read + excluded.read,
      failed = c.failed + excluded.failed, received = c.received + excluded.received, replied = c.replied + excluded.replied
  ) SELECT count(*) INTO done FROM slice;
  UPDATE delivery_runs SET countries_below = until WHERE run_no = run.run_no;
  UPDATE rollup_backfill SET rows_done = rows_done + done WHERE source = 'run_countries';
  RETURN true;
EXCEPTION WHEN lock_not_available THEN
  RETURN true;
END $$;
--> statement-breakpoint
-- Counts messages by country that have none yet, and gives it to them: they count by country from this moment on.
CREATE FUNCTION count_message_countries(p_ids uuid[]) RETURNS void LANGUAGE plpgsql SET jit = off AS $$
BEGIN
  WITH locked AS MATERIALIZED (
    SELECT m AS itself, m.id, m.contact_id FROM messages m WHERE m.id = ANY (p_ids) AND m.country IS NULL AND m.contact_id IS NOT NULL
     ORDER BY m.id FOR NO KEY UPDATE
  ), known AS MATERIALIZED (
    SELECT l.itself, l.id, country_of_number(c.phone) AS country FROM locked l JOIN contacts c ON c.id = l.contact_id
  ), written AS (
    UPDATE messages m SET country = k.country FROM known k WHERE m.id = ANY (p_ids) AND m.id = k.id AND k.country IS NOT NULL
  )
  INSERT INTO country_rollups AS c
  SELECT (k.itself).workspace_id, k.country, quarter_of(e.at), (k.itself).channel_id, NULL, message_template(k.itself), sum(e.sent),
    coalesce(sum(e.sent) FILTER (WHERE message_author(k.itself) <> 'app'), 0), sum(e.delivered), sum(e.read), sum(e.failed), sum(e.received),
    sum(e.replied)
  FROM known k CROSS JOIN LATERAL message_times(k.itself) AS t CROSS JOIN LATERAL (VALUES (t.sent, 1, 0, 0, 0, 0, 0),
    (t.delivered, 0, 1, 0, 0, 0, 0), (t.read, 0, 0, 1, 0, 0, 0), (t.failed, 0, 0, 0, 1, 0, 0), (t.received, 0, 0, 0, 0, 1, 0),
    (t.replied, 0, 0, 0, 0, 0, 1)) AS e (at, sent, delivered, read, failed, received, replied)
  WHERE e.at IS NOT NULL AND k.country IS NOT NULL GROUP BY 1, 2, 3, 4, 6
  ON CONFLICT (workspace_id, country, quarter, channel_id, campaign_id, template_id) DO UPDATE SET sent = c.sent + excluded.sent,
    reported = c.reported + excluded.reported, delivered = c.delivered + excluded.delivered, read = c.read + excluded.read,
    failed = c.failed + excluded.failed, received = c.received + excluded.received, replied = c.replied + excluded.replied;
END $$;
--> statement-breakpoint
-- The same for messages, after all of them are in the rollups.
CREATE FUNCTION backfill_message_countries(p_lock bigint, p_rows integer) RETURNS boolean LANGUAGE plpgsql SET jit = off SET lock_timeout = '500ms' AS $$
DECLARE
  state rollup_backfill;
  ids uuid[];
BEGIN
  PERFORM pg_advisory_xact_lock(p_lock);
  IF EXISTS (SELECT FROM rollup_backfill WHERE source = 'messages' AND finished_at IS NULL) THEN RETURN false; END IF;
  SELECT * INTO state FROM rollup_backfill WHERE source = 'message_countries' AND finished_at IS NULL FOR UPDATE;
  IF NOT FOUND THEN RETURN false; END IF;
  SELECT array_agg(id ORDER BY id) INTO ids FROM (SELECT id FROM messages WHERE id < state.place::uuid ORDER BY id DESC LIMIT p_rows) AS s;
  IF ids IS NULL THEN
    UPDATE rollup_backfill SET finished_at = now() WHERE source = 'message_countries';
    RETURN false;
  END IF;
  PERFORM count_message_countries(ids);
  UPDATE rollup_backfill SET place = ids[1]::text, rows_done = rows_done + cardinality(ids) WHERE source = 'message_countries';
  RETURN true;
EXCEPTION WHEN lock_not_available THEN
  RETURN true;
END $$;
