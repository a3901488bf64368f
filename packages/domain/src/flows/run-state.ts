import type { FlowConfig, Json } from './flow-file.ts';

/** Something that happens to a contact and that flows begin with, wait for or aim at, in the terms of the triggers. */
export type FlowEvent = {
  /** The type of a trigger. */
  type: string;
  values: { readonly [name: string]: Json };
  /** When it happened, in milliseconds. */
  at: number;
};

/** What a run waits for; times in milliseconds. */
export type RunWait =
  /** `since`: of a wait for a time of the clock. It is checked again whenever the run is looked at, because the time zone may have changed. */
  | { kind: 'time'; until: number; since?: number }
  /** A message of the contact, to the time if there is one. */
  | { kind: 'reply'; since: number; until: number | null }
  | { kind: 'event'; event: { type: string; config: FlowConfig }; since: number; until: number | null }
  /** What an effect comes to; past the time nobody knows. */
  | { kind: 'effect'; number: number; until: number };

export type RunState = {
  /** The form of this value: a later version of the product reads older ones. */
  schema: 1;
  /** The step where the run is; null before the first and after the last. */
  at: string | null;
  /** Every arrival at a step counts, also at one that was visited before. */
  visit: number;
  /** Effects of this visit so far. */
  effects: number;
  /** When the run arrived at the step, in milliseconds. */
  arrivedAt: number;
  /** When the delay before the step was over; missing before that. */
  enteredAt?: number | undefined;
  wait: RunWait | null;
  /** Whether the delay before the step is over. */
  isDelayed: boolean;
  trigger: { readonly [name: string]: Json };
  steps: { readonly [stepId: string]: { readonly [name: string]: Json } };
  /** What the step remembers within this visit, such as how often it asked. */
  memo?: { readonly [name: string]: Json } | undefined;
  /** The step at which it begins in place of the first one: a run that tries another one again. */
  from?: string;
  end: RunEnd | null;
};

export const runOutcomes = ['completed', 'failed', 'cancelled'] as const;
export type RunEnd = {
  outcome: (typeof runOutcomes)[number];
  /** Why, where it is not simply the end of the flow: `goal_reached`, `stopped`, the code of an error. */
  code: string | null;
};

/** What moves a run. */
export type RunInput =
  | { kind: 'start' }
  /** The time of the wait has come: a delay is over, a reply did not come, an effect has no outcome. */
  | { kind: 'time' }
  | { kind: 'reply'; messageId: string; text: string; button: string | null; at: number }
  | { kind: 'event'; event: FlowEvent }
  | { kind: 'outcome'; visit: number; number: number; outcome: EffectOutcome }
  | { kind: 'goal' }
  /** A person ends the wait. */
  | { kind: 'skip'; visit?: number }
  | { kind: 'cancel'; code: string }
  /** The shell refuses to go on: a limit, a database error after all attempts. */
  | { kind: 'fail'; code: string };

/** What became of an effect. */
export type EffectOutcome =
  /** `exit` where the step has several. */
  | { status: 'done'; exit?: string; values?: { readonly [name: string]: Json } }
  | { status: 'failed'; code: string; values?: { readonly [name: string]: Json } }
  /** Nobody knows whether it happened; it is never done again by itself. */
  | { status: 'unknown'; code: string };

/** What a step asks of the world. The key of it is the run with `visit` and `number`. */
export type FlowEffect = {
  visit: number;
  number: number;
  stepId: string;
  kind: string;
  request: { readonly [name: string]: Json };
};

/** What a run knows of the world when it moves; it is read anew each time. */
export type Known = {
  contact: { readonly [name: string]: Json };
  workspace: { readonly [name: string]: Json };
  /** Names of time zones. */
  contactZone: string;
  workspaceZone: string;
  /** A number of the run from 0 to 2^32, drawn once: what is random in it follows from this. */
  seed: number;
};

/** One visit of one step that is over, or something that was not for the run. */
export type LogEntry = {
  visit: number;
  stepId: string | null;
  type: string;
  /** When the step began to work: the delay before it does not count. */
  beganAt: number;
  endedAt: number;
  /** `left` by an exit; `ended` the run; `failed` it; `ignored` came too late. */
  event: 'left' | 'ended' | 'failed' | 'ignored';
  exit: string | null;
  code: string | null;
  details: { readonly [name: string]: Json };
};

export function newRunState(trigger: RunState['trigger'], now: number): RunState {
  return {
    ...{ schema: 1, at: null, visit: 0, effects: 0, arrivedAt: now, wait: null, isDelayed: false },
    ...{ trigger, steps: {}, end: null },
  };
}
