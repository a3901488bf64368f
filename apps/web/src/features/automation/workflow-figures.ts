import type { Workflow } from './workflows-queries.ts';

type Figures = Pick<Workflow, 'stats' | 'steps'>;

/** Runs of several workflows together. */
export function sumStats(workflows: readonly Pick<Workflow, 'stats'>[]) {
  const sum = (name: 'triggered' | 'completed' | 'failed') =>
    workflows.reduce((total, { stats }) => total + stats[name], 0);
  return { triggered: sum('triggered'), completed: sum('completed'), failed: sum('failed') };
}

/** Seconds that completed runs saved: each step of theirs costs a person so many minutes. Waits and other logic cost nobody anything. */
export function secondsSaved(workflows: readonly Figures[], minutesPerStep: number): number {
  return workflows.reduce(
    (total, { stats, steps }) => total + stats.completed * steps.filter(isWork).length * minutesPerStep * 60,
    0,
  );
}

const NO_WORK = /^(wait|branch|random_split|stop)/;

function isWork(type: string): boolean {
  return !NO_WORK.test(type);
}
