/** How an operation of a person stands: an import, the deletion of many, an export. */
export const operationStates = [
  'queued',
  'running',
  'cancelling',
  'interrupted',
  'cancelled',
  'done',
  'failed',
] as const;
export type OperationState = (typeof operationStates)[number];

/**
 * What may follow what. `interrupted`: its process is gone and the next one goes on. What is being cancelled may still come to its end,
 * when that was committed first. What failed left nothing and may be begun anew under its id.
 */
const FOLLOWS: Record<OperationState, readonly OperationState[]> = {
  queued: ['running', 'cancelling', 'failed'],
  running: ['cancelling', 'interrupted', 'done', 'failed'],
  cancelling: ['cancelled', 'done', 'failed'],
  interrupted: ['running', 'cancelling', 'failed'],
  cancelled: [],
  done: [],
  failed: ['queued'],
};

export function mayFollow(from: OperationState, to: OperationState): boolean {
  return FOLLOWS[from].includes(to);
}

/** From where an act may come to this state, for the condition of the statement that moves it. */
export function statesBefore(to: OperationState): OperationState[] {
  return operationStates.filter((from) => mayFollow(from, to));
}

export const overStates = ['cancelled', 'done', 'failed'] as const satisfies readonly OperationState[];
export type OverState = (typeof overStates)[number];

/** Nobody works on it any more. */
export function isOver(state: OperationState): state is OverState {
  return overStates.some((over) => over === state);
}

export type Pace = { done: number; total: number | null; phaseDone: number; phaseMs: number };

/** An earlier guess would jump. */
const FIRST_GUESS_MS = 2_000;

/** Seconds until the end of the present phase at the rate of this phase; null while nobody can tell. */
export function findSecondsLeft({ done, total, phaseDone, phaseMs }: Pace): number | null {
  const moved = done - phaseDone;
  if (total === null || moved <= 0 || phaseMs < FIRST_GUESS_MS) return null;
  return Math.round((Math.max(0, total - done) * phaseMs) / moved / 1_000);
}
