/** The version of the format that this product writes, and the newest that it reads. */
export const FLOW_FORMAT_VERSION = 1;

export const flowKinds = ['workflow', 'bot'] as const;
export type FlowKind = (typeof flowKinds)[number];

export const flowLimits = {
  name: 120,
  description: 1000,
  steps: 200,
  triggers: 10,
  text: 4096,
  /** Bytes of one flow file as JSON. */
  file: 256 * 1024,
} as const;

export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };
/** What a step or a trigger is set to, by the names of the fields of its type. */
export type FlowConfig = { readonly [field: string]: Json };

/** `weeks` and the like are lengths of time, not calendar steps: a day is 24 hours. */
export const durationUnits = ['seconds', 'minutes', 'hours', 'days', 'weeks'] as const;
export type DurationUnit = (typeof durationUnits)[number];
export type Duration = { amount: number; unit: DurationUnit };

/** The longest delay or wait, in milliseconds: one year. */
export const LONGEST_WAIT_MS = 366 * 24 * 60 * 60_000;

const unitMs: Record<DurationUnit, number> = {
  seconds: 1000,
  minutes: 60_000,
  hours: 3_600_000,
  days: 86_400_000,
  weeks: 604_800_000,
};

/** The length in milliseconds. */
export function durationMs({ amount, unit }: Duration): number {
  return amount * unitMs[unit];
}

export type FlowTrigger = {
  id: string;
  type: string;
  config: FlowConfig;
  /** Rules of the segment builder: the contact must meet them when the run starts. Null for no condition. */
  conditions: Json;
};

export type FlowStep = {
  id: string;
  type: string;
  config: FlowConfig;
  /** How long the run waits before the step is done; null for no delay. */
  delay: Duration | null;
  /** The next step by the name of the exit. An exit that is missing or null ends the run. */
  next: { readonly [exit: string]: string | null };
};

/** How often one contact may enter: once for ever, one run at a time, or whenever a trigger fires. */
export const reentryModes = ['once', 'one_at_a_time', 'always'] as const;
export type Reentry = (typeof reentryModes)[number];

export type FlowGoal = { type: string; config: FlowConfig };

export type FlowSettings = {
  reentry: Reentry;
  /** A trigger that ends the run of its contact early, as reached. */
  goal: FlowGoal | null;
  /** Starts per minute; null for the limit of the product. */
  runsPerMinute: number | null;
};

/** Where a step stands on the canvas, in pixels; a step without a place is laid out automatically. */
export type FlowLayout = { readonly [stepId: string]: { x: number; y: number } };

/** One flow as people exchange it: see docs/guides/flows.md. Ids are of the file, unique in it. */
export type FlowFile = {
  format: 'flow';
  formatVersion: number;
  kind: FlowKind;
  name: string;
  description: string;
  triggers: readonly FlowTrigger[];
  /** The first step; null while there is none. */
  start: string | null;
  steps: readonly FlowStep[];
  settings: FlowSettings;
  layout: FlowLayout;
};

export const defaultFlowSettings: FlowSettings = { reentry: 'always', goal: null, runsPerMinute: null };

/** An empty draft, as the editor begins with it. */
export function emptyFlow(kind: FlowKind, name: string, description = ''): FlowFile {
  return {
    ...{ format: 'flow', formatVersion: FLOW_FORMAT_VERSION, kind, name, description },
    ...{ triggers: [], start: null, steps: [], settings: defaultFlowSettings, layout: {} },
  };
}

/** Letters, digits, `-` and `_`: ids stand in values such as `{{steps.ask.reply}}`. */
export const FLOW_ID = /^[A-Za-z0-9_-]{1,40}$/;
