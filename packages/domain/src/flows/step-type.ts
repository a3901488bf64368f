import type { FieldDefinition } from './field.ts';
import type { FlowConfig, FlowKind, FlowStep, Json } from './flow-file.ts';
import type { FlowValues } from './flow-values.ts';
import type { EffectOutcome, Known, RunInput, RunState, RunWait } from './run-state.ts';

/** Where the editor offers a step. */
export const stepGroups = ['message', 'contact', 'team', 'logic', 'wait', 'other'] as const;

/**
 * One type of step, all of it: what it is set to, where it leads, and what it does. A new one is a file in `steps`, a line in
 * `step-types.ts`, and where it asks something of the world its effect in the API: see docs/guides/flows.md.
 */
export type StepType = {
  /** For ever: flows are stored with it. */
  type: string;
  kinds: readonly FlowKind[];
  group: (typeof stepGroups)[number];
  /** Without a contact, as after a webhook call that names none, the run fails here with `contact_missing`. */
  needsContact: boolean;
  /** Time passes in it whatever it is set to: a circle of steps needs one such, or a delay. */
  isWait?: true;
  /** It only reads or changes the contact, and so the run does it also for a contact who is at the goal: a flow may take its goal back first. */
  worksOnContactOnly?: true;
  fields: readonly FieldDefinition[];
  /** The names of the ways out; the first is where a new step is put. */
  exits(config: FlowConfig): readonly string[];
  /** The names under which later steps find what came of it, as `{{steps.<id>.<name>}}`. */
  values(config: FlowConfig): readonly string[];
  /** What the step does when its delay is over. */
  enter(visit: StepVisit): StepMove;
  /** What it makes of what it waited for; null where that is not for it. Steps that only ask for effects have none. */
  resume?(visit: StepVisit, input: RunInput): StepMove | null;
  /**
   * What the step makes of the outcome of its effect, where it has more to do then; null, as for steps without it: `done` goes on, and any other
   * outcome is a failure with its code.
   */
  settle?(visit: StepVisit, outcome: EffectOutcome): StepMove | null;
};

/** A step as its rule sees it: its configuration with all values filled in. */
export type StepVisit = {
  step: FlowStep;
  config: FlowConfig;
  state: RunState;
  values: FlowValues;
  known: Known;
  now: number;
};

export type StepMove =
  | { go: string; values?: { readonly [name: string]: Json }; details?: { readonly [name: string]: Json } }
  /** With `meanwhile` the run waits for that while the effect is on its way; its outcome, too, comes to `resume`. */
  | {
      ask: string;
      request: { readonly [name: string]: Json };
      waitMs?: number;
      meanwhile?: RunWait;
      memo?: Memo;
    }
  | { wait: RunWait; memo?: Memo }
  | { end: 'completed' | 'failed'; code: string | null }
  | { fail: string; details?: { readonly [name: string]: Json } };

type Memo = NonNullable<RunState['memo']>;

export const DONE = ['done'] as const;
/** For what may not come off: without a step behind `failed` the run has failed. */
export const DONE_OR_FAILED = ['done', 'failed'] as const;

export function textOf(config: FlowConfig, name: string): string {
  const value = config[name];
  return typeof value === 'string' ? value : '';
}

/** A list of texts, empty where there is none. */
export function listOfTexts(config: FlowConfig, name: string): string[] {
  const value = config[name];
  return Array.isArray(value) ? value.filter((item: Json): item is string => typeof item === 'string') : [];
}
