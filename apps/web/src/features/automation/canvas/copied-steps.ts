import type { FlowConfig, FlowFile, FlowStep, Json } from '@app/domain/flows/flow-file';
import { findStepType } from '@app/domain/flows/step-types';
import { exitsOf, freeId, putStep, type FlowPlace } from '../editor/flow-draft.ts';
import { stepsInOrder } from '../editor/step-tree.ts';

/** Steps as they lie on the clipboard: also as text, for another window or a message to a colleague. */
export type CopiedSteps = { format: 'flow-steps'; steps: readonly FlowStep[] };

/** The steps with these ids, in the order of the flow. */
export function copySteps(flow: FlowFile, ids: ReadonlySet<string>): CopiedSteps | null {
  const steps = stepsInOrder(flow).filter(({ id }) => ids.has(id));
  return steps.length === 0 ? null : { format: 'flow-steps', steps };
}

/** What a text of the clipboard holds; null where it holds no steps. */
export function readCopiedSteps(text: string): CopiedSteps | null {
  try {
    const value: unknown = JSON.parse(text);
    if (!isObject(value) || value['format'] !== 'flow-steps' || !Array.isArray(value['steps'])) return null;
    const steps = value['steps'].flatMap((step: unknown) => readStep(step) ?? []);
    return steps.length === 0 ? null : { format: 'flow-steps', steps };
  } catch {
    return null;
  }
}

function readStep(value: unknown): FlowStep | null {
  if (!isObject(value)) return null;
  const { id, type, config, delay = null, next = {} } = value;
  const isStep = typeof id === 'string' && typeof type === 'string' && isObject(config) && isObject(next);
  return isStep ? ({ id, type, config, delay, next } as FlowStep) : null;
}

export type Pasted = {
  flow: FlowFile;
  /** Of the new steps. */
  ids: readonly string[];
  /** Steps whose type this kind of flow does not have. */
  left: number;
};

/**
 * The flow with copies of the steps at the place; what followed there follows the last of them. Ways between them stay, ways to other steps
 * end. Values that one of them takes from another come from the copy.
 */
export function pasteSteps(flow: FlowFile, { steps }: CopiedSteps, place: FlowPlace): Pasted {
  const fitting = steps.filter(({ type }) => findStepType(type)?.kinds.includes(flow.kind));
  const left = steps.length - fitting.length;
  const [first] = fitting;
  if (!first) return { flow, ids: [], left };
  const names = new Map<string, string>();
  const taken = [...flow.steps];
  for (const step of fitting) {
    const id = freeId(step.type, taken);
    names.set(step.id, id);
    taken.push({ ...step, id });
  }
  const renamed = fitting.map((step): FlowStep => {
    const next = Object.entries(step.next).flatMap(([exit, to]) =>
      to !== null && names.has(to) ? [[exit, names.get(to)!] as const] : [],
    );
    const config = renameValues(step.config, names) as FlowConfig;
    return { ...step, id: names.get(step.id)!, config, next: Object.fromEntries(next) };
  });
  const added = { ...flow, steps: [...flow.steps, ...renamed] };
  const entry = names.get(first.id)!;
  return { flow: putStep(added, entry, place, findTail(renamed, entry)), ids: [...names.values()], left };
}

/** The last step on the main way from the first; what comes after the place follows it. */
function findTail(steps: readonly FlowStep[], entry: string): string {
  const seen = new Set<string>();
  let at = entry;
  for (;;) {
    seen.add(at);
    const step = steps.find(({ id }) => id === at)!; // ways lead to copies alone
    const next = step.next[exitsOf(step)[0] ?? 'done'];
    if (!next || seen.has(next)) return at;
    at = next;
  }
}

function renameValues(value: Json, names: ReadonlyMap<string, string>): Json {
  if (typeof value === 'string')
    return value.replaceAll(
      /(\{\{\s*steps\.)([A-Za-z0-9_-]+)/g,
      (_, before: string, id: string) => before + (names.get(id) ?? id),
    );
  if (Array.isArray(value)) return value.map((item: Json) => renameValues(item, names));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, renameValues(item, names)]));
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
