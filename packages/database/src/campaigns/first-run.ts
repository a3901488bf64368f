/** Large runs are numbered from here on; each has a partition of its own, smaller ones share theirs. */
const FIRST_LARGE_RUN = 1_000_000_000_000;

/**
 * A condition on `delivery_recipients r`: not before the first run of the workspace that matters, by a condition on `delivery_runs n`. Runs are numbered as
 * they start, and partitions lie in that order: all earlier ones are left alone, whatever was ever sent. It looks at more than the runs that matter, so whoever
 * asks says of each recipient what is wanted.
 */
export function fromFirstRunSql(workspaceId: string, matters: string): string {
  const first = (part: string) =>
    `(SELECT min(n.run_no) FROM delivery_runs n WHERE n.workspace_id = ${workspaceId} AND n.run_no ${part} ${FIRST_LARGE_RUN} AND (${matters}))`;
  return `((r.run_no < ${FIRST_LARGE_RUN} AND r.run_no >= ${first('<')}) OR r.run_no >= ${first('>=')})`;
}
