-- The first instant of a day in a time zone, for a day and a zone that the query names. Being immutable it is computed once, while the query is planned: the
-- plan then knows how many rows the period has, and no row computes it again. day_start is for days that come from a table.
CREATE FUNCTION instant_of_day(day date, zone text) RETURNS timestamptz LANGUAGE sql IMMUTABLE AS $$
  SELECT day_start(day, zone)
$$;
--> statement-breakpoint
-- The first whole day of UTC from an instant on, and the same of thirty days (thirty_days_of).
CREATE FUNCTION next_day_of(at timestamptz) RETURNS timestamptz LANGUAGE sql IMMUTABLE AS $$
  SELECT day_of(at + interval '24 hours' - interval '1 microsecond')
$$;
--> statement-breakpoint
CREATE FUNCTION next_thirty_days_of(at timestamptz) RETURNS timestamptz LANGUAGE sql IMMUTABLE AS $$
  SELECT thirty_days_of(at + interval '720 hours' - interval '1 microsecond')
$$;
