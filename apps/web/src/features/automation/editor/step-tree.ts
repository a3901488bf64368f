import type { FlowFile, FlowStep } from '@app/domain/flows/flow-file';
import { exitsOf } from './flow-draft.ts';

/** A step as it is listed: its number, and the ways out of it that are ways of their own. */
export type TreeStep = { step: FlowStep; number: number; ways: readonly TreeWay[] };
export type TreeWay = { exit: string; chain: TreeChain };
/** Steps one after the other. `last` is where the next one is put; `goesTo` is a step that is listed elsewhere. */
export type TreeChain = { steps: readonly TreeStep[]; last: Place; goesTo: string | null };
export type Place = { after: string | null; exit?: string };

export type FlowTree = {
  main: TreeChain;
  /** What nothing leads to. */
  apart: readonly TreeStep[];
};

/** The way that goes on in the same list; of a step whose ways are equal, none. */
export const PLAIN_EXIT = 'done';

/** The steps as a reader follows them: ways that leave the list first, each to its end, then what comes after the step. */
export function readTree({ start, steps }: FlowFile): FlowTree {
  const byId = new Map(steps.map((step) => [step.id, step]));
  const seen = new Set<string>();
  let number = 0;

  function readStep(step: FlowStep): TreeStep {
    seen.add(step.id);
    number += 1;
    const own = number;
    const ways = exitsOf(step)
      .filter((exit) => exit !== PLAIN_EXIT && !(exit === 'failed' && !step.next[exit]))
      .map((exit) => ({ exit, chain: readChain(step.next[exit] ?? null, { after: step.id, exit }) }));
    return { step, number: own, ways };
  }

  function readChain(first: string | null, from: Place): TreeChain {
    const listed: TreeStep[] = [];
    let last: Place | null = from;
    let next = first;
    while (next !== null && last !== null) {
      const step = byId.get(next);
      if (!step || seen.has(next)) return { steps: listed, last, goesTo: step ? next : null };
      listed.push(readStep(step));
      const goesOn = exitsOf(step).includes(PLAIN_EXIT);
      last = goesOn ? { after: step.id, exit: PLAIN_EXIT } : null;
      next = goesOn ? (step.next[PLAIN_EXIT] ?? null) : null;
    }
    return { steps: listed, last: last ?? { after: null }, goesTo: null };
  }

  const main = readChain(start, { after: null });
  const apart = steps.flatMap((step) => (seen.has(step.id) ? [] : [readStep(step)]));
  return { main, apart };
}

/** Whether a step can be put behind the last of the chain: behind one whose ways are equal it is put into one of them. */
export function isOpenEnd({ steps, last }: TreeChain): boolean {
  return steps.length === 0 || last.after !== null;
}

/** Every step in the order of the list. */
export function stepsInOrder(flow: FlowFile): FlowStep[] {
  const { main, apart } = readTree(flow);
  const flat = (steps: readonly TreeStep[]): FlowStep[] =>
    steps.flatMap(({ step, ways }) => [step, ...ways.flatMap(({ chain }) => flat(chain.steps))]);
  return [...flat(main.steps), ...flat(apart)];
}
