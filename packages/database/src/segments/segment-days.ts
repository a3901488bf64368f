/** Days as the business counts them. Each part is a scalar subquery, so that it is worked out once and not for each contact. */
export type Days = {
  /** Today, a date. */
  today: string;
  /** The moment at which a date begins. */
  start: (day: string) => string;
};

/** Days in the time zone that the settings of a workspace name. `workspaceId` gives a bound value. */
export function daysSql(workspaceId: () => string): Days {
  const zoneOf = (day: (zone: string) => string) =>
    `(SELECT ${day(`coalesce(w.settings->>'timeZone', 'UTC')`)} FROM workspaces w WHERE w.id = ${workspaceId()})`;
  return {
    get today() {
      return zoneOf((zone) => `(now() AT TIME ZONE ${zone})::date`);
    },
    start: (day) => zoneOf((zone) => `${day}::timestamp AT TIME ZONE ${zone}`),
  };
}

/**
 * The days of a year, as `02-29`, that come around between two dates, both among them. Where a year has no 29 February, what happened on one
 * comes around on the 28th: still in its month, and never left out.
 */
export function anniversariesSql(from: string, to: string): string {
  return `SELECT to_char(d, 'MM-DD') FROM generate_series((${from})::timestamp, (${to})::timestamp, interval '1 day') AS d
    UNION SELECT '02-29' FROM generate_series((${from})::timestamp, (${to})::timestamp, interval '1 day') AS d
           WHERE to_char(d, 'MM-DD') = '02-28' AND to_char(d + interval '1 day', 'MM-DD') = '03-01'`;
}
