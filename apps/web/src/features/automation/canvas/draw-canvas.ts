import { Position, type NodeChange, type NodeHandle } from '@xyflow/react';
import { exitsOf } from '../editor/flow-draft.ts';
import type { CanvasNode } from './canvas-item.tsx';
import { canvasSizes, exitShare, type Canvas, type CanvasItem } from './canvas-layout.ts';
import type { CanvasEdge } from './canvas-way.tsx';

type Places = ReadonlyMap<string, { x: number; y: number }>;

/** The items as React Flow wants them; `dragged` are places of those that are being moved. */
export function drawItems(
  { items }: Canvas,
  { selected, dragged, isReadOnly }: { selected: ReadonlySet<string>; dragged: Places; isReadOnly: boolean },
): CanvasNode[] {
  return items.map((item) => ({
    ...{ id: item.id, type: item.kind, data: { item }, ...sizeOf(item) },
    ...{ measured: sizeOf(item), handles: handlesOf(item), selected: selected.has(item.id) },
    position: dragged.get(item.id) ?? placeOf(item),
    draggable: item.kind === 'step' && !isReadOnly,
    selectable: item.kind === 'step',
  }));
}

export function drawWays({ items, ways }: Canvas): CanvasEdge[] {
  const ends = new Set(items.flatMap(({ kind, id }) => (kind === 'end' ? [id] : [])));
  return ways.map((way) => {
    const isOpenEnd = ends.has(way.to);
    return {
      ...{ id: way.id, type: 'way', source: way.from, target: way.to, sourceHandle: way.exit },
      data: { way, isOpenEnd },
      className: way.exit === 'failed' ? 'way-failed' : isOpenEnd ? 'way-open' : '',
    };
  });
}

/** What React Flow says of dragging and selecting: where steps are now, which are selected, and whether dragging is over. */
export function readChanges(
  changes: readonly NodeChange<CanvasNode>[],
  before: { dragged: Places; selected: ReadonlySet<string> },
  isStep: (id: string) => boolean,
): { places: Places; picked: ReadonlySet<string>; isLeft: boolean } {
  const places = new Map(before.dragged);
  const picked = new Set(before.selected);
  let isLeft = false;
  for (const change of changes) {
    if (change.type === 'position' && change.position) {
      const { x, y } = change.position;
      places.set(change.id, { x: Math.round(x), y: Math.round(y) });
    }
    if (change.type === 'position' && change.dragging === false && places.size > 0) isLeft = true;
    if (change.type === 'select' && isStep(change.id)) {
      if (change.selected) picked.add(change.id);
      else picked.delete(change.id);
    }
  }
  return { places, picked, isLeft };
}

function sizeOf({ kind }: CanvasItem): { width: number; height: number } {
  const { width, height, end } = canvasSizes;
  return kind === 'end' ? { width: end, height: end } : { width, height };
}

/** Where ways begin and end: said here, so that nothing has to be measured. */
function handlesOf(item: CanvasItem): NodeHandle[] {
  const { width, height } = sizeOf(item);
  const size = { width: 10, height: 10 };
  const target: NodeHandle = { type: 'target', position: Position.Top, x: width / 2 - 5, y: -5, ...size };
  const exits = item.kind === 'start' ? ['done'] : item.kind === 'step' ? exitsOf(item.step) : [];
  const sources = exits.map((id): NodeHandle => ({
    ...{ id, type: 'source', position: Position.Bottom, y: height - 5, ...size },
    x: width * exitShare(exits, id) - 5,
  }));
  return item.kind === 'start' ? sources : [target, ...sources];
}

/** The round end stands below the middle of a step. */
function placeOf({ kind, x, y }: CanvasItem): { x: number; y: number } {
  return kind === 'end' ? { x: x + (canvasSizes.width - canvasSizes.end) / 2, y } : { x, y };
}
