import type { CustomFieldType } from '../custom-fields/custom-field.ts';
import {
  findFieldProblem,
  isDuration,
  isFieldShown,
  isReference,
  isRules,
  textsOf,
  type FieldDefinition,
  type FieldProblem,
  type ReferenceKind,
} from './field.ts';
import { FLOW_ID, type FlowConfig, type FlowFile, type FlowStep, type Json } from './flow-file.ts';
import type { SegmentRules } from '../segments/segment-rules.ts';
import { contactValueNames, findReferences, workspaceValueNames } from './flow-values.ts';
import type { StepType } from './step-type.ts';
import { findStepType } from './step-types.ts';
import { findTriggerType } from './trigger-types.ts';

/** What keeps a flow from being published, as codes. */
export const flowProblemCodes = [
  ...['flow_empty', 'trigger_missing', 'trigger_unknown', 'trigger_doubled'],
  ...['step_unknown', 'step_doubled', 'step_unreachable', 'next_unknown', 'exit_unknown', 'delay_invalid'],
  ...[
    'field_missing',
    'field_invalid',
    'field_too_long',
    'field_unknown',
    'value_unknown',
    'conditions_invalid',
  ],
  ...['goal_invalid', 'reference_gone', 'id_invalid', 'loop_without_wait', 'template_not_approved'],
  ...['field_of_other_type', 'contact_missing', 'time_past'],
] as const;
export type FlowProblemCode = (typeof flowProblemCodes)[number];

export type FlowProblem = {
  code: FlowProblemCode;
  /** `flow`, `trigger`, `step` or `goal`; with the id of the trigger or step. */
  place: 'flow' | 'trigger' | 'step' | 'goal';
  id: string | null;
  field: string | null;
  /** The value, tag or name that is wrong, where that helps. */
  value: string | null;
};

/** Everything that keeps the flow from being published; empty for a flow that may be. References to templates and the like are looked up by the server. */
export function findFlowProblems(flow: FlowFile): FlowProblem[] {
  const steps = new Map(flow.steps.map((step) => [step.id, step]));
  return [
    ...checkStart(flow, steps),
    ...flow.triggers.flatMap((trigger) => checkTrigger(flow, trigger)),
    ...flow.steps.flatMap((step) => checkStep(flow, step, steps)),
    ...checkDoubles(flow),
    ...checkReach(flow, steps),
    ...checkContact(flow, steps),
    ...checkGoal(flow),
  ];
}

type Steps = ReadonlyMap<string, FlowStep>;

function problem(
  code: FlowProblemCode,
  place: FlowProblem['place'],
  id: string | null = null,
  field: string | null = null,
  value: string | null = null,
): FlowProblem {
  return { code, place, id, field, value };
}

function checkStart({ start, steps, triggers }: FlowFile, known: Steps): FlowProblem[] {
  const found: FlowProblem[] = [];
  if (steps.length === 0) found.push(problem('flow_empty', 'flow'));
  else if (start === null || !known.has(start))
    found.push(problem('next_unknown', 'flow', null, 'start', start));
  if (triggers.length === 0) found.push(problem('trigger_missing', 'flow'));
  return found;
}

function checkTrigger(
  { kind }: FlowFile,
  { id, type, config, conditions }: FlowFile['triggers'][number],
): FlowProblem[] {
  const known = findTriggerType(type);
  if (!known?.kinds.includes(kind)) return [problem('trigger_unknown', 'trigger', id, null, type)];
  const found = checkFields(known.fields, config, 'trigger', id);
  if (!FLOW_ID.test(id)) found.push(problem('id_invalid', 'trigger', id));
  // The chatbot compares words with each message, and looks at nothing else.
  const takesNone = kind === 'bot' || known.takesConditions === false;
  if (conditions !== null && (takesNone || !isRules(conditions)))
    found.push(problem('conditions_invalid', 'trigger', id, 'conditions'));
  return found;
}

function checkStep(flow: FlowFile, step: FlowStep, steps: Steps): FlowProblem[] {
  const { id, type, config, delay, next } = step;
  const known = findStepType(type);
  if (!known?.kinds.includes(flow.kind)) return [problem('step_unknown', 'step', id, null, type)];
  const found = [...checkFields(known.fields, config, 'step', id), ...checkValues(flow, step, known)];
  if (!FLOW_ID.test(id)) found.push(problem('id_invalid', 'step', id));
  if (delay !== null && !isDuration(delay)) found.push(problem('delay_invalid', 'step', id, 'delay'));
  const exits = known.exits(config);
  for (const [exit, target] of Object.entries(next)) {
    if (!exits.includes(exit)) found.push(problem('exit_unknown', 'step', id, null, exit));
    else if (target !== null && !steps.has(target))
      found.push(problem('next_unknown', 'step', id, exit, target));
  }
  return found;
}

function checkFields(
  fields: readonly FieldDefinition[],
  config: FlowConfig,
  place: FlowProblem['place'],
  id: string | null,
): FlowProblem[] {
  const unknown = Object.keys(config).filter((name) => !fields.some((field) => field.name === name));
  return [
    ...fields.flatMap((field) => {
      const code: FieldProblem | null = findFieldProblem(field, config);
      return code ? [problem(code, place, id, field.name)] : [];
    }),
    ...unknown.map((name) => problem('field_unknown', place, id, name, name)),
  ];
}

/** Values that no trigger and no step before this one brings. */
function checkValues(flow: FlowFile, step: FlowStep, { fields }: StepType): FlowProblem[] {
  const shown = fields.filter((field) => field.takesValues && isFieldShown(field, step.config));
  return shown.flatMap(({ name }) =>
    textsOf(step.config[name])
      .flatMap(findReferences)
      .filter((path) => !isValueKnown(flow, path) && !(name === 'headers' && path.startsWith('secret.')))
      .map((path) => problem('value_unknown', 'step', step.id, name, path)),
  );
}

/** The values that texts of the flow may hold, by their paths; the editor offers them. Custom fields of contacts and what a webhook brings are added where they are known. */
export function listFlowValues(flow: FlowFile): string[] {
  return [
    ...contactValueNames.map((name) => `contact.${name}`),
    ...workspaceValueNames.map((name) => `workspace.${name}`),
    ...new Set(
      flow.triggers.flatMap(({ type, config }) =>
        (findTriggerType(type)?.values(config) ?? []).map((name) => `trigger.${name}`),
      ),
    ),
    ...flow.steps.flatMap(({ id, type, config }) =>
      (findStepType(type)?.values(config) ?? []).map((name) => `steps.${id}.${name}`),
    ),
  ];
}

/** A name that ends with `.*` among the values of a trigger or step stands for all that lies below it. */
function isValueKnown(flow: FlowFile, path: string): boolean {
  if (path.startsWith('contact.fields.')) return true;
  return listFlowValues(flow).some(
    (known) => known === path || (known.endsWith('.*') && path.startsWith(known.slice(0, -1))),
  );
}

function checkDoubles({ triggers, steps }: FlowFile): FlowProblem[] {
  const doubled = (ids: readonly string[]) => ids.filter((id, index) => ids.indexOf(id) !== index);
  return [
    ...doubled(triggers.map(({ id }) => id)).map((id) => problem('trigger_doubled', 'trigger', id)),
    ...doubled(steps.map(({ id }) => id)).map((id) => problem('step_doubled', 'step', id)),
  ];
}

/** Steps that no way leads to, and circles that no wait interrupts. */
function checkReach({ start, steps }: FlowFile, known: Steps): FlowProblem[] {
  const seen = new Set<string>();
  const open = start === null ? [] : [start];
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    const step = known.get(id);
    if (!step || seen.has(id)) continue;
    seen.add(id);
    open.push(...targetsOf(step));
  }
  return [
    ...steps.filter(({ id }) => !seen.has(id)).map(({ id }) => problem('step_unreachable', 'step', id)),
    ...findHotLoop(steps, known),
  ];
}

/** A circle of steps without a delay or wait would run until a limit stops it. */
function findHotLoop(steps: readonly FlowStep[], known: Steps): FlowProblem[] {
  const state = new Map<string, 'open' | 'done'>();
  const isHot = ({ delay, type }: FlowStep) =>
    (delay === null || delay.amount === 0) && !findStepType(type)?.isWait;
  const visit = (id: string): boolean => {
    const step = known.get(id);
    if (!step || !isHot(step) || state.get(id) === 'done') return false;
    if (state.get(id) === 'open') return true;
    state.set(id, 'open');
    const isLoop = targetsOf(step).some(visit);
    state.set(id, 'done');
    return isLoop;
  };
  const looping = steps.find(({ id }) => visit(id));
  return looping ? [problem('loop_without_wait', 'step', looping.id)] : [];
}

/**
 * Steps that need a contact and that a run without one reaches. A step whose exit `failed` leads somewhere handles that, unless no trigger brings a
 * contact: then it can only fail.
 */
function checkContact({ start, triggers }: FlowFile, known: Steps): FlowProblem[] {
  const without = triggers.filter(
    ({ type, config }) => findTriggerType(type)?.bringsContact?.(config) === false,
  );
  if (without.length === 0) return [];
  const failing = new Set<string>();
  const seen = new Set<string>();
  const open = start === null ? [] : [start];
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    const step = known.get(id);
    if (!step || seen.has(id)) continue;
    seen.add(id);
    const { failed } = step.next;
    if (!findStepType(step.type)?.needsContact) open.push(...targetsOf(step));
    else if (failed && without.length < triggers.length) open.push(failed);
    else {
      failing.add(id);
      // What follows has the same problem; all of it is said at once.
      open.push(...targetsOf(step));
    }
  }
  return [...failing].map((id) => problem('contact_missing', 'step', id));
}

function targetsOf({ next }: FlowStep): string[] {
  return Object.values(next).filter((target) => target !== null);
}

function checkGoal({ settings: { goal } }: FlowFile): FlowProblem[] {
  if (!goal) return [];
  const known = findTriggerType(goal.type);
  return known?.isAwaitable
    ? checkFields(known.fields, goal.config, 'goal', null)
    : [problem('goal_invalid', 'goal', null, null, goal.type)];
}

/** The steps in the order in which a run meets them, depth first; those that no way leads to at the end. */
export function stepsInOrder({ start, steps }: Pick<FlowFile, 'start' | 'steps'>): FlowStep[] {
  const known = new Map(steps.map((step) => [step.id, step]));
  const seen = new Set<FlowStep>();
  const open = start === null ? [] : [start];
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    const step = known.get(id);
    if (!step || seen.has(step)) continue;
    seen.add(step);
    open.push(...targetsOf(step).toReversed());
  }
  return [...seen, ...steps.filter((step) => !seen.has(step))];
}

/** Every set of rules that asks something of the contact, with its place. */
export function listFlowRules({
  triggers,
  steps,
}: FlowFile): { rules: SegmentRules; place: FlowProblem['place']; of: string; field: string }[] {
  // `isRules` looked at each.
  const rulesOf = (value: Json | undefined) => (isRules(value) ? [value as unknown as SegmentRules] : []);
  return [
    ...triggers.flatMap(({ id, conditions }) =>
      rulesOf(conditions).map((rules) => ({ rules, place: 'trigger' as const, of: id, field: 'conditions' })),
    ),
    ...steps.flatMap(({ id, type, config }) =>
      (findStepType(type)?.fields ?? [])
        .filter((field) => field.kind === 'rules' && isFieldShown(field, config))
        .flatMap(({ name }) =>
          rulesOf(config[name]).map((rules) => ({ rules, place: 'step' as const, of: id, field: name })),
        ),
    ),
  ];
}

/** What the flow refers to by id, for the server to look up. */
export type FlowReference = {
  kind: ReferenceKind;
  id: string;
  place: FlowProblem['place'];
  of: string | null;
  field: string;
  /** The type that a custom field must have. */
  customFieldType?: CustomFieldType | undefined;
};

export function listFlowReferences({ triggers, steps, settings: { goal } }: FlowFile): FlowReference[] {
  const of = (
    fields: readonly FieldDefinition[] = [],
    config: FlowConfig,
    place: FlowReference['place'],
    id: string | null,
  ) =>
    fields.flatMap((field): FlowReference[] => {
      const value: Json | undefined = config[field.name];
      const counts =
        isReference(field.kind) && isFieldShown(field, config) && typeof value === 'string' && value !== '';
      const { name, customFieldType } = field;
      return counts
        ? [{ kind: field.kind as ReferenceKind, id: value, place, of: id, field: name, customFieldType }]
        : [];
    });
  return [
    ...triggers.flatMap(({ id, type, config }) => of(findTriggerType(type)?.fields, config, 'trigger', id)),
    ...steps.flatMap(({ id, type, config }) => of(findStepType(type)?.fields, config, 'step', id)),
    ...(goal ? of(findTriggerType(goal.type)?.fields, goal.config, 'goal', null) : []),
  ];
}
