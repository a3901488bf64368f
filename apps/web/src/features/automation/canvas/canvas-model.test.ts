import { emptyFlow, type FlowFile, type FlowStep } from '@app/domain/flows/flow-file';
import { describe, expect, test } from 'vitest';
import { addStep, exitsOf, setNext } from '../editor/flow-draft.ts';
import {
  canvasSizes,
  cornersOf,
  exitShare,
  findNeighbour,
  layOutFlow,
  START,
  type CanvasItem,
} from './canvas-layout.ts';
import { copySteps, pasteSteps, readCopiedSteps } from './copied-steps.ts';

const step = (
  id: string,
  type: string,
  next: FlowStep['next'] = {},
  config: FlowStep['config'] = {},
): FlowStep => ({
  ...{ id, type, next, config, delay: null },
});

/** ask → replied → yes/no of a branch → end; silence leads to the same end, and the end back to ask. */
const flow: FlowFile = {
  ...emptyFlow('workflow', 'Asks'),
  start: 'ask',
  steps: [
    step('ask', 'wait_for_reply', { replied: 'check', timed_out: 'end' }),
    step('check', 'branch', { yes: 'tag', no: 'end' }),
    step('tag', 'add_tag', { done: 'end' }, { tag: 'said {{steps.ask.text}}' }),
    step('end', 'add_note', { done: 'ask' }),
    step('lost', 'add_tag'),
  ],
};

const at = (of: FlowFile) => new Map(layOutFlow(of).items.map(({ id, x, y }) => [id, { x, y }]));

/** Ways that a step stands in front of. */
function findCovered(of: FlowFile): string[] {
  const { items, ways } = layOutFlow(of);
  const { width, height, row } = canvasSizes;
  const cards = items.filter(({ kind }) => kind !== 'end');
  return ways.flatMap((way) => {
    const [from, to] = [way.from, way.to].map((id) => items.find((item) => item.id === id)!) as [
      CanvasItem,
      CanvasItem,
    ];
    const exits = from.kind === 'step' ? exitsOf(from.step) : ['done'];
    const begin = [from.x + width * exitShare(exits, way.exit), from.y + height] as const;
    const end = [to.x + width / 2, to.y] as const;
    // A plain way goes across in the middle between two rows that follow each other.
    if (way.lane === undefined && to.y - from.y !== row) return [`${way.id}: no lane`];
    const corners = cornersOf(begin, end, way.lane ?? end[0]);
    const isCovered = corners.slice(1).some(([x, y], index) => {
      const [beforeX, beforeY] = corners[index]!;
      return cards.some(
        (card) =>
          Math.max(x, beforeX) > card.x &&
          Math.min(x, beforeX) < card.x + width &&
          Math.max(y, beforeY) > card.y &&
          Math.min(y, beforeY) < card.y + height,
      );
    });
    return isCovered ? [way.id] : [];
  });
}

describe('the layout', () => {
  test('a step stands below all that lead to it, and ways stand in their own order', () => {
    const places = at(flow);
    const y = (id: string) => places.get(id)!.y;
    expect([y(START), y('ask'), y('check'), y('tag'), y('end')]).toEqual(
      [0, 1, 2, 3, 4].map((row) => row * y('ask')),
    );
    const branched = at({
      ...flow,
      steps: flow.steps.map((one) => (one.id === 'check' ? { ...one, next: { no: 'end' } } : one)),
    });
    expect(branched.get('check.yes')!.x).toBeLessThanOrEqual(branched.get('end')!.x);
  });

  test('no two steps overlap, for any shape of a flow', () => {
    let grown = flow;
    for (let n = 0; n < 40; n += 1) {
      const after = grown.steps[(n * 7) % grown.steps.length]!;
      grown = addStep(grown, n % 3 === 0 ? 'branch' : 'add_tag', { after: after.id }).flow;
    }
    const { items } = layOutFlow(grown);
    const taken = new Set(items.map(({ x, y }) => `${x} ${y}`));
    expect(taken.size).toBe(items.length);
  });

  test('no way passes behind a step, for any shape of a flow', () => {
    let grown = flow;
    for (let n = 0; n < 60; n += 1) {
      const { steps } = grown;
      const [one, other] = [steps[(n * 7) % steps.length]!, steps[(n * 13 + 5) % steps.length]!];
      grown =
        n % 2 === 0
          ? addStep(grown, n % 3 === 0 ? 'branch' : 'add_tag', { after: one.id }).flow
          : setNext(grown, one.id, exitsOf(one).at(-1)!, other.id);
      expect(findCovered(grown)).toEqual([]);
    }
  });

  test('a step that was moved stays there, and what follows it goes along', () => {
    const before = at(flow);
    const moved = at({ ...flow, layout: { check: { x: 900, y: 40 } } });
    expect(moved.get('check')).toEqual({ x: 900, y: 40 });
    const by = { x: 900 - before.get('check')!.x, y: 40 - before.get('check')!.y };
    expect(moved.get('tag')).toEqual({ x: before.get('tag')!.x + by.x, y: before.get('tag')!.y + by.y });
  });

  test('arrow keys follow the ways and find what stands beside', () => {
    const canvas = layOutFlow(flow);
    expect(findNeighbour(canvas, START, 'down')).toBe('ask');
    expect(findNeighbour(canvas, 'ask', 'up')).not.toBeNull();
    expect(findNeighbour(canvas, 'tag', 'down')).toBe('end');
    const [left, right] = [findNeighbour(canvas, 'lost', 'left'), findNeighbour(canvas, START, 'right')];
    expect(left).toBe(START);
    expect(right).toBe('lost');
    // Every step can be reached from the start by arrows alone.
    const seen = new Set([START as string]);
    for (const id of seen)
      for (const direction of ['up', 'down', 'left', 'right'] as const) {
        const next = findNeighbour(canvas, id, direction);
        if (next !== null) seen.add(next);
      }
    expect(flow.steps.map(({ id }) => id).filter((id) => !seen.has(id))).toEqual([]);
  });
});

describe('copies', () => {
  test('copied steps keep the ways between them, and values of each other', () => {
    const copied = copySteps(flow, new Set(['ask', 'check', 'tag']))!;
    const text = readCopiedSteps(JSON.stringify(copied))!;
    const { flow: pasted, ids, left } = pasteSteps(flow, text, { after: 'end' });
    expect(left).toBe(0);
    const [ask, check, tag] = ids.map((id) => pasted.steps.find((one) => one.id === id)!);
    expect(ask!.next).toEqual({ replied: check!.id });
    expect(check!.next).toEqual({ yes: tag!.id });
    expect(tag!.config).toEqual({ tag: `said {{steps.${ask!.id}.text}}` });
    // What followed the place follows the last of them.
    expect(pasted.steps.find(({ id }) => id === 'end')!.next).toEqual({ done: ask!.id });
    expect(tag!.next).toEqual({ done: 'ask' });
    expect(new Set(pasted.steps.map(({ id }) => id)).size).toBe(pasted.steps.length);
  });

  test('what a kind of flow does not have stays out, and other texts are no steps', () => {
    const copied = {
      format: 'flow-steps' as const,
      steps: [step('c', 'add_to_campaign'), step('t', 'add_tag')],
    };
    const { ids, left } = pasteSteps(emptyFlow('bot', 'Bot'), copied, { after: null });
    expect([ids.length, left]).toEqual([1, 1]);
    for (const text of [
      '',
      'hello',
      '[]',
      '{"format":"flow-steps"}',
      '{"format":"flow-steps","steps":[{"id":1}]}',
    ])
      expect(readCopiedSteps(text)).toBeNull();
  });
});
