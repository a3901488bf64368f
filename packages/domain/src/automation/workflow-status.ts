/** A draft was never published. A paused workflow starts no runs; those in progress go on. */
export const flowStatuses = ['draft', 'active', 'paused'] as const;
export type FlowStatus = (typeof flowStatuses)[number];

/** What a run in progress waits for. */
export const runWaits = ['delay', 'time', 'reply', 'event', 'effect'] as const;

/** What becomes of runs in progress when a new version is published: they finish on the version that they began with, or move to the new one. */
export const publishModes = ['finish', 'move'] as const;

export const workflowLimits = {
  /** Of one workspace. */
  workflows: 500,
  /** Old versions stay as long as runs are on them, and the last so many in any case. */
  versionsKept: 50,
} as const;
