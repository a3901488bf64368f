/** Large runs are numbered from here on; each has a partition of its own, smaller ones share theirs. */
const FIRST_LARGE_RUN = 1_000_000_000_000;

/**
 * A condition on `delivery_recipients r`: not before the first run of the workspace that matters, and not behind the last one that had begun, by conditions on `delivery_runs n`. Runs are numbered as
 * they start, and partitions lie in that order: all earlier ones are left alone, whatever was ever sent. It looks at more than the runs that matter, so whoever
 * asks says of each recipient what is wanted.
 */
export function fromFirstRunSql(workspaceId: string, matters: string, hasBegun = 'true'): string {
  const run = (which: 'min' | 'max', part: string, condition: string) =>
    `(SELECT ${which}(n.run_no) FROM delivery_runs n WHERE n.workspace_id = ${workspaceId} AND n.run_no ${part} ${FIRST_LARGE_RUN} AND (${condition}))`;
  const between = (part: string) =>
    `r.run_no >= ${run('min', part, matters)}${hasBegun === 'true' ? '' : ` AND r.run_no <= ${run('max', part, hasBegun)}`}`;
  return `((r.run_no < ${FIRST_LARGE_RUN} AND ${between('<')}) OR (r.run_no >= ${FIRST_LARGE_RUN} AND ${between('>=')}))`;
}
