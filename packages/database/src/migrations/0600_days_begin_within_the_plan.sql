-- As in 0520, written so that the planner puts it into each query that calls it: as a function of its own it took longer than the sums that it bounds.
CREATE OR REPLACE FUNCTION day_start(day date, zone text) RETURNS timestamptz LANGUAGE sql STABLE AS $$
  SELECT CASE WHEN ((day::timestamp AT TIME ZONE zone) - interval '1 hour') AT TIME ZONE zone >= day::timestamp
    THEN (day::timestamp AT TIME ZONE zone) - interval '1 hour' ELSE day::timestamp AT TIME ZONE zone END
$$;
