import type { FlowFile, FlowStep } from '@app/domain/flows/flow-file';
import { exitsOf, type FlowPlace } from '../editor/flow-draft.ts';
import { PLAIN_EXIT, stepsInOrder } from '../editor/step-tree.ts';

/** What stands on the canvas: the start with all triggers, each step, and the open end of each way that a step can be put at. */
export type CanvasItem = { x: number; y: number } & (
  | { kind: 'start'; id: typeof START }
  | { kind: 'step'; id: string; step: FlowStep; number: number }
  | { kind: 'end'; id: string; place: FlowPlace }
);
/**
 * The way from one item to another. `place` is where a step goes that is put between the two. `lane`: where a way that passes other rows goes up or
 * down, so that no step stands in front of it.
 */
export type CanvasWay = {
  id: string;
  from: string;
  to: string;
  exit: string;
  place: FlowPlace;
  lane?: number;
};
export type Canvas = { items: readonly CanvasItem[]; ways: readonly CanvasWay[] };

/** No id of a step has a dot. */
export const START = 'start.';
/** Pixels at a zoom of 1. */
export const canvasSizes = {
  width: 244,
  height: 76,
  column: 284,
  row: 148,
  end: 28,
  lane: 48,
  namedLane: 168,
} as const;

type Node = { id: string; place: FlowPlace | null; step: FlowStep | null };

/**
 * Lays a flow out from top to bottom. A step stands below the lowest step that leads to it, ways of one step stand beside each other in
 * their own order, and steps that no way leads to stand at the right. A step that was moved by hand stays where it was put; what follows it and
 * was not moved goes along. Ways that pass a row, or lead back, have a lane between the steps.
 */
export function layOutFlow(flow: FlowFile): Canvas {
  const nodes = new Map<string, Node>([[START, { id: START, place: null, step: null }]]);
  for (const step of flow.steps) nodes.set(step.id, { id: step.id, place: null, step });
  const ways: CanvasWay[] = [];
  const leadTo = (from: string, exit: string, target: string | null, place: FlowPlace) => {
    const isThere = target !== null && nodes.get(target)?.step;
    const to = isThere ? target : `${from}.${exit}`;
    if (!isThere) nodes.set(to, { id: to, place, step: null });
    ways.push({ id: `${from} ${exit}`, from, to, exit, place });
  };
  leadTo(START, 'done', flow.start, { after: null });
  for (const step of flow.steps)
    for (const exit of exitsOf(step))
      if (exit !== 'failed' || step.next[exit])
        leadTo(step.id, exit, step.next[exit] ?? null, { after: step.id, exit });
  const onward = Map.groupBy(ways, ({ from }) => from);

  const ordered = stepsInOrder(flow);
  const ranks = rankNodes([START, ...ordered.map(({ id }) => id)], onward);
  const below = ownBelow(ways, ranks);
  const children = new Map(
    [...below].map(([id, parts]) => [id, parts.flatMap((part) => ('node' in part ? part.node : []))]),
  );
  const owned = new Set([...children.values()].flat());
  const roots = [START, ...ordered.map(({ id }) => id).filter((id) => !owned.has(id))];
  const { places, lanes } = placeTrees(roots, below, ranks.rank);

  const numbers = new Map(ordered.map(({ id }, index) => [id, index + 1]));
  const moved = new Map<string, { x: number; y: number }>();
  const settle = (id: string, by: { x: number; y: number }) => {
    const own = places.get(id)!; // every node was placed
    const { x, y } = flow.layout[id] ?? { x: own.x + by.x, y: own.y + by.y };
    moved.set(id, { x, y });
    for (const child of children.get(id) ?? []) settle(child, { x: x - own.x, y: y - own.y });
  };
  for (const root of roots) settle(root, { x: 0, y: 0 });

  const items = [...nodes.values()].map(({ id, step, place }): CanvasItem => {
    const at = moved.get(id)!; // every node belongs to a root
    if (step) return { kind: 'step', id, step, number: numbers.get(id) ?? 0, ...at };
    return place ? { kind: 'end', id, place, ...at } : { kind: 'start', id: START, ...at };
  });
  // A step that was moved by hand has left its row: its ways are plain lines.
  const isInRow = (id: string) =>
    moved.get(id)!.x === places.get(id)!.x && moved.get(id)!.y === places.get(id)!.y;
  const laid = ways.map((way) => {
    const lane = lanes.get(way.id);
    return lane === undefined || !isInRow(way.from) || !isInRow(way.to) ? way : { ...way, lane };
  });
  return { items, ways: laid };
}

type Onward = ReadonlyMap<string, readonly CanvasWay[]>;
type Ranks = { rank: ReadonlyMap<string, number>; back: ReadonlySet<string> };

/** The row of each node: one below the lowest that leads to it. Ways that lead back to where a run came from are set aside. */
function rankNodes(ids: readonly string[], onward: Onward): Ranks {
  const back = new Set<string>();
  const state = new Map<string, 'open' | 'done'>();
  const finished: string[] = [];
  const visit = (id: string) => {
    state.set(id, 'open');
    for (const way of onward.get(id) ?? []) {
      if (state.get(way.to) === 'open') back.add(way.id);
      else if (!state.has(way.to)) visit(way.to);
    }
    state.set(id, 'done');
    finished.push(id);
  };
  for (const id of ids) if (!state.has(id)) visit(id);
  const rank = new Map<string, number>();
  for (const id of finished.toReversed()) {
    const own = rank.get(id) ?? 0;
    rank.set(id, own);
    for (const way of onward.get(id) ?? [])
      if (!back.has(way.id)) rank.set(way.to, Math.max(rank.get(way.to) ?? 0, own + 1));
  }
  return { rank, back };
}

/** What stands below a node, in the order of its exits: a node that it owns, or the lane of a way, by its id. */
type Below = { node: string } | Lane;
/** `lane`: the id of its way. */
type Lane = { lane: string; isBack: boolean; hasName: boolean };

/** A node stands under the first that leads to it from the row above. Other ways that pass a row, or lead back, need a lane. */
function ownBelow(ways: readonly CanvasWay[], { rank, back }: Ranks): Map<string, Below[]> {
  const below = new Map<string, Below[]>();
  const taken = new Set<string>();
  for (const { id, from, to, exit } of ways) {
    const rows = rank.get(to)! - rank.get(from)!;
    const isBack = back.has(id);
    const isOwn = !isBack && rows === 1 && !taken.has(to);
    if (isOwn) taken.add(to);
    else if (!isBack && rows === 1) continue;
    below.set(from, [
      ...(below.get(from) ?? []),
      isOwn ? { node: to } : { lane: id, isBack, hasName: exit !== PLAIN_EXIT },
    ]);
  }
  return below;
}

/** Trees beside each other; each node stands above the middle of what it owns. Lanes lie between trees, those that lead back at the right. */
function placeTrees(
  roots: readonly string[],
  below: ReadonlyMap<string, readonly Below[]>,
  rank: ReadonlyMap<string, number>,
): { places: Map<string, { x: number; y: number }>; lanes: Map<string, number> } {
  const places = new Map<string, { x: number; y: number }>();
  const lanes = new Map<string, number>();
  const { column, row, width, lane, namedLane } = canvasSizes;
  let next = 0;
  let back: Lane[] = [];
  const takeLane = ({ lane: id, hasName }: Lane) => {
    const wide = hasName ? namedLane : lane;
    // The middle between the step at its left and the one at its right.
    lanes.set(id, next * column + (wide + width - column) / 2);
    next += wide / column;
  };
  const place = (id: string): number => {
    const parts = below.get(id) ?? [];
    const isLeaf = !parts.some((part) => 'node' in part);
    const own = isLeaf ? next++ : null;
    let isFree = isLeaf;
    const at: number[] = [];
    for (const part of parts) {
      if ('node' in part) at.push(place(part.node));
      else if (part.isBack) back.push(part);
      else if (isFree) {
        // Below a step that owns none nothing stands.
        lanes.set(part.lane, own! * column + width / 2);
        isFree = false;
      } else takeLane(part);
    }
    const middle = own ?? (at[0]! + at.at(-1)!) / 2;
    places.set(id, { x: middle * column, y: rank.get(id)! * row });
    return middle;
  };
  for (const root of roots) {
    place(root);
    back.forEach(takeLane);
    back = [];
  }
  const { x } = places.get(START)!; // it is the first root
  for (const [id, at] of places) places.set(id, { x: at.x - x, y: at.y });
  for (const [id, at] of lanes) lanes.set(id, at - x);
  return { places, lanes };
}

type Point = readonly [x: number, y: number];

/** The corners of a way: from below a step to above the next, through its lane, and across only where no step stands. */
export function cornersOf(from: Point, to: Point, lane: number): Point[] {
  const across = (canvasSizes.row - canvasSizes.height) / 2;
  const [out, back] = [from[1] + across, to[1] - across];
  return [from, [from[0], out], [lane, out], [lane, back], [to[0], back], to];
}

export type Direction = 'up' | 'down' | 'left' | 'right';

/** The item that an arrow key leads to: along the ways up and down, to the nearest of the same row to the sides. */
export function findNeighbour({ items, ways }: Canvas, id: string, direction: Direction): string | null {
  const byId = new Map(items.map((item) => [item.id, item]));
  const own = byId.get(id);
  if (!own) return null;
  const isAlong = direction === 'up' || direction === 'down';
  const along = ways.flatMap((way) => {
    if (direction === 'down' && way.from === id) return [byId.get(way.to)!];
    return direction === 'up' && way.to === id ? [byId.get(way.from)!] : [];
  });
  const sign = direction === 'left' ? -1 : 1;
  const beside = items.filter(
    ({ x, y }) => sign * (x - own.x) > 0 && Math.abs(y - own.y) < canvasSizes.row / 2,
  );
  const found = isAlong ? along.filter((item) => item.id !== id) : beside;
  return found.toSorted((a, b) => Math.abs(a.x - own.x) - Math.abs(b.x - own.x))[0]?.id ?? null;
}

/** Where a way leaves a step, as a share of its width: that of failures at the right, the others evenly. */
export function exitShare(exits: readonly string[], exit: string): number {
  if (exit === 'failed') return 0.86;
  const others = exits.filter((one) => one !== 'failed');
  return (others.indexOf(exit) + 1) / (others.length + 1);
}
