-- Reads what is due for one consumer of facts; replaces the version of 0041 (docs/decisions/040-due-facts-by-one-plan.md). A consumer that wants few
-- types used to read all facts of the last minute again at each check, because its cursor moved only when it was a minute old. While a sync or a script
-- adds thousands of contacts, every consumer then read tens of thousands of facts many times a second. `is_stale` is now also set when the check passed
-- 500 facts that the consumer does not want: its cursor moves behind them, so that each fact is passed about once. A check (`lately`) stops there.
CREATE OR REPLACE FUNCTION read_due_events(consumer text, wanted text[], most integer, lately boolean)
RETURNS TABLE (is_ours boolean, is_open boolean, is_stale boolean, has_number boolean, upto text, fact jsonb)
LANGUAGE plpgsql STABLE SET enable_seqscan = off SET enable_bitmapscan = off SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  many CONSTANT integer := 500;
  reader event_consumers;
  here pg_snapshot := pg_current_snapshot();
  since timestamptz;
  next xid8;
  running xid8[];
  end_of_batch pg_snapshot;
  ids bigint[];
  times timestamptz[];
  passed bigint;
BEGIN
  SELECT * INTO reader FROM event_consumers c WHERE c.name = consumer;
  IF NOT FOUND THEN RETURN; END IF;
  next := pg_snapshot_xmax(reader.seen);
  end_of_batch := coalesce(reader.batch, here);
  is_open := reader.batch IS NOT NULL;
  is_stale := reader.moved_at < now() - interval '1 minute';
  is_ours := next <= pg_snapshot_xmax(here) AND reader.cluster = (SELECT system_identifier::text FROM pg_control_system());
  has_number := pg_current_xact_id_if_assigned() IS NOT NULL;
  upto := end_of_batch::text;
  since := CASE WHEN lately AND NOT is_stale THEN now() - interval '2 days' ELSE '-infinity' END;
  IF NOT is_ours THEN RETURN NEXT; RETURN; END IF;
  -- Those that began since.
  WITH due AS MATERIALIZED (
    SELECT e.id, e.recorded_at, (wanted IS NULL OR e.type = ANY (wanted)) AS is_wanted FROM events e
     WHERE e.recorded_at >= since AND e.txid >= next AND e.id + 0 > reader.last_id AND pg_visible_in_snapshot(e.txid, end_of_batch)
     LIMIT CASE WHEN lately THEN many END),
  page AS (SELECT * FROM due WHERE is_wanted ORDER BY id LIMIT most)
  SELECT array_agg(page.id), array_agg(page.recorded_at), (SELECT count(*) FROM due) INTO ids, times, passed FROM page;
  is_stale := is_stale OR (ids IS NULL AND passed >= many);
  -- And those that were running then.
  running := ARRAY(SELECT pg_snapshot_xip(reader.seen));
  IF running <> '{}' THEN
    WITH due AS MATERIALIZED (
      SELECT e.id, e.recorded_at FROM events e
       WHERE e.recorded_at >= since AND e.txid = ANY (running) AND e.id + 0 > reader.last_id AND pg_visible_in_snapshot(e.txid, end_of_batch)
         AND (wanted IS NULL OR e.type = ANY (wanted))),
    page AS (SELECT * FROM due ORDER BY id LIMIT most)
    SELECT ids || array_agg(page.id), times || array_agg(page.recorded_at) INTO ids, times FROM page;
  END IF;
  IF ids IS NULL THEN RETURN NEXT; RETURN; END IF;
  RETURN QUERY
    WITH page AS (SELECT * FROM unnest(ids, times) AS due (id, recorded_at) ORDER BY id LIMIT most)
    SELECT is_ours, is_open, is_stale, has_number, upto, found.fact
      FROM page CROSS JOIN LATERAL (
        SELECT jsonb_build_object('id', e.id, 'workspaceId', e.workspace_id, 'type', e.type, 'version', e.version,
                 'subjectKind', e.subject_kind, 'subject', e.subject_id, 'actor', e.actor, 'values', e."values", 'depth', e.depth,
                 'occurredAt', to_char(e.occurred_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) AS fact
          FROM events e WHERE e.id = page.id AND e.recorded_at = page.recorded_at LIMIT 1) AS found
     ORDER BY page.id;
END $$;
