/**
 * SQL: whether a moment lies in the quiet hours of the campaign of the run `r`, as `quietUntil` says: nothing of it goes on by itself then, whatever
 * it waited for.
 */
export function isQuietSql(at: string): string {
  return `EXISTS (SELECT FROM campaigns c CROSS JOIN LATERAL (
      SELECT (${at} AT TIME ZONE (c.quiet_hours->>'timeZone'))::time AS now,
             (c.quiet_hours->>'from')::time AS begins, (c.quiet_hours->>'to')::time AS ends) q
     WHERE c.run_no = r.run_no AND c.quiet_hours IS NOT NULL AND q.begins <> q.ends
       AND CASE WHEN q.begins < q.ends THEN q.now >= q.begins AND q.now < q.ends
                ELSE q.now >= q.begins OR q.now < q.ends END)`;
}
