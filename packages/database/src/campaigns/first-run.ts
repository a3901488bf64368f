import type { BindValue } from '../bind-value.ts';

/** Large runs are numbered from here on; each has a partition of its own, smaller ones share theirs. */
const FIRST_LARGE_RUN = 1_000_000_000_000;

/** Columns with the first and the last run among rows `n`, of small and of large ones: the first that `matters`, and the last that `hasBegun`. */
export function runBoundsSql(matters = 'true', hasBegun = 'true'): string {
  const bound = (end: 'first' | 'last', size: 'small' | 'large') =>
    `${end === 'first' ? 'min' : 'max'}(n.run_no) FILTER (WHERE n.run_no ${size === 'small' ? '<' : '>='} ${FIRST_LARGE_RUN}
      AND (${end === 'first' ? matters : hasBegun})) AS ${end}_${size}`;
  return (['small', 'large'] as const)
    .flatMap((size) => [bound('first', size), bound('last', size)])
    .join(', ');
}

/**
 * A condition on `delivery_recipients r`: not before the first run of the workspace that matters, and not behind the last one that had begun, by
 * conditions on `delivery_runs n`. Runs are numbered as they start, and partitions lie in that order: the others are not read, however much was ever
 * sent. It includes more than the runs that matter, so the caller states what is wanted of each recipient.
 */
export function fromFirstRunSql(workspaceId: string, matters: string, hasBegun = 'true'): string {
  const run = (which: 'min' | 'max', part: string, condition: string) =>
    `(SELECT ${which}(n.run_no) FROM delivery_runs n WHERE n.workspace_id = ${workspaceId} AND n.run_no ${part} ${FIRST_LARGE_RUN} AND (${condition}))`;
  const between = (part: string) =>
    `r.run_no >= ${run('min', part, matters)}${hasBegun === 'true' ? '' : ` AND r.run_no <= ${run('max', part, hasBegun)}`}`;
  return `((r.run_no < ${FIRST_LARGE_RUN} AND ${between('<')}) OR (r.run_no >= ${FIRST_LARGE_RUN} AND ${between('>=')}))`;
}

/** Runs from the first to the last of small ones, and of large ones; null where there is none. */
export type RunStretch = {
  firstSmall: number | null;
  lastSmall: number | null;
  firstLarge: number | null;
  lastLarge: number | null;
};

/** The condition of `fromFirstRunSql` with numbers that were read before: the planner then knows how many recipients there are. */
export function inRunsSql(
  { firstSmall, lastSmall, firstLarge, lastLarge }: RunStretch,
  bind: BindValue,
): string {
  const between = (first: number | null, last: number | null) =>
    first === null || last === null || first > last
      ? []
      : [`r.run_no >= ${bind(first, 'bigint')} AND r.run_no <= ${bind(last, 'bigint')}`];
  const stretches = [...between(firstSmall, lastSmall), ...between(firstLarge, lastLarge)];
  return stretches.length === 0 ? 'false' : `(${stretches.join(' OR ')})`;
}
