import type { FieldDefinition } from '@app/domain/flows/field';
import type { FlowConfig, FlowFile, FlowStep, FlowTrigger } from '@app/domain/flows/flow-file';
import { findStepType } from '@app/domain/flows/step-types';
import { findTriggerType } from '@app/domain/flows/trigger-types';

/** What fields begin with. */
export function initialConfig(fields: readonly FieldDefinition[] = []): FlowConfig {
  return Object.fromEntries(
    fields.flatMap(({ name, initial }) => (initial === undefined ? [] : [[name, initial]])),
  );
}

/** `add_tag`, `add_tag_2`: ids stand in values, so people read them. */
export function freeId(type: string, taken: readonly { id: string }[]): string {
  const base = type.slice(0, 36);
  for (let n = 1; ; n += 1) {
    const id = n === 1 ? base : `${base}_${n}`;
    if (!taken.some((one) => one.id === id)) return id;
  }
}

export function newTrigger({ triggers }: FlowFile, type: string): FlowTrigger {
  const config = initialConfig(findTriggerType(type)?.fields);
  return { id: freeId(type, triggers), type, config, conditions: null };
}

/** The ways out of a step, the main one first; of a type that is not known those that it has. */
export function exitsOf({ type, config, next }: FlowStep): readonly string[] {
  return findStepType(type)?.exits(config) ?? Object.keys(next);
}

const mainExit = (step: FlowStep) => exitsOf(step)[0] ?? 'done';
const afterMain = (step: FlowStep) => step.next[mainExit(step)] ?? null;

function setStep(flow: FlowFile, id: string, change: (step: FlowStep) => FlowStep): FlowFile {
  return { ...flow, steps: flow.steps.map((step) => (step.id === id ? change(step) : step)) };
}

export function changeStep(flow: FlowFile, id: string, part: Partial<FlowStep>): FlowFile {
  return setStep(flow, id, (step) => ({ ...step, ...part }));
}

export function setNext(flow: FlowFile, id: string, exit: string, target: string | null): FlowFile {
  return setStep(flow, id, (step) => ({ ...step, next: { ...step.next, [exit]: target } }));
}

export function changeTrigger(flow: FlowFile, id: string, part: Partial<FlowTrigger>): FlowFile {
  const triggers = flow.triggers.map((one) => (one.id === id ? { ...one, ...part } : one));
  return { ...flow, triggers };
}

/** Where a step goes: at the start, or behind an exit of another, whose next step then follows it. */
export type FlowPlace = { after: string | null; exit?: string };

/** The flow with a new step at the place, and the id of that step. */
export function addStep(flow: FlowFile, type: string, place: FlowPlace): { flow: FlowFile; id: string } {
  const id = freeId(type, flow.steps);
  const step: FlowStep = {
    id,
    type,
    config: initialConfig(findStepType(type)?.fields),
    delay: null,
    next: {},
  };
  return { flow: putStep({ ...flow, steps: [...flow.steps, step] }, id, place), id };
}

/** Ties a step that nothing leads to into the way at the place, or a chain of steps that ends with `tail`. */
export function putStep(flow: FlowFile, id: string, { after, exit }: FlowPlace, tail = id): FlowFile {
  const last = flow.steps.find((step) => step.id === tail);
  if (!last) return flow;
  const before = after === null ? undefined : flow.steps.find((step) => step.id === after);
  const lead = (from: FlowFile, target: string | null) =>
    exitsOf(last).length === 0 ? from : setNext(from, tail, mainExit(last), target);
  if (!before) return lead({ ...flow, start: id }, flow.start);
  const way = exit ?? mainExit(before);
  return lead(setNext(flow, before.id, way, id), before.next[way] ?? null);
}

/** What led to the step leads to what came after it. */
function detach(flow: FlowFile, id: string): FlowFile {
  const own = flow.steps.find((step) => step.id === id);
  const follower = own ? afterMain(own) : null;
  const target = follower === id ? null : follower;
  return {
    ...flow,
    start: flow.start === id ? target : flow.start,
    steps: flow.steps.map((step) => ({
      ...step,
      next: Object.fromEntries(
        Object.entries(step.next).map(([exit, to]) => [exit, to === id ? target : to]),
      ),
    })),
  };
}

export function removeStep(flow: FlowFile, id: string): FlowFile {
  const { [id]: _place, ...layout } = flow.layout;
  const detached = detach(flow, id);
  return { ...detached, layout, steps: detached.steps.filter((step) => step.id !== id) };
}

/** The step on the main way before this one. */
function stepBefore({ steps }: FlowFile, id: string): FlowStep | undefined {
  return steps.find((step) => step.id !== id && afterMain(step) === id);
}

export function mayMove(flow: FlowFile, id: string, direction: 'up' | 'down'): boolean {
  return moveStep(flow, id, direction) !== flow;
}

/** Changes places with the neighbour on the main way; without one the flow stays as it is. */
export function moveStep(flow: FlowFile, id: string, direction: 'up' | 'down'): FlowFile {
  const own = flow.steps.find((step) => step.id === id);
  if (direction === 'down') {
    const follower = own && afterMain(own);
    return follower ? moveStep(flow, follower, 'up') : flow;
  }
  const before = stepBefore(flow, id);
  if (!own || !before) return flow;
  const without = detach(flow, id);
  const moved: FlowFile = {
    ...without,
    start: without.start === before.id ? id : without.start,
    steps: without.steps.map((step) => ({
      ...step,
      next: Object.fromEntries(
        Object.entries(step.next).map(([exit, to]) => [exit, to === before.id && step.id !== id ? id : to]),
      ),
    })),
  };
  return setNext(moved, id, mainExit(own), before.id);
}
