import { BaseEdge, EdgeLabelRenderer, getSmoothStepPath, type Edge, type EdgeProps } from '@xyflow/react';
import { Plus } from 'lucide-react';
import { t } from '../../../shared/messages.ts';
import { PLAIN_EXIT } from '../editor/step-tree.ts';
import { exitName } from '../flow-words.ts';
import { useCanvasState } from './canvas-item.tsx';
import { cornersOf, type CanvasWay } from './canvas-layout.ts';

export type CanvasEdge = Edge<{ way: CanvasWay; isOpenEnd: boolean }>;

/** A way with its name where it has one, and a button that puts a step into it. By keyboard the same is a key of the step. */
export function WayEdge(props: EdgeProps<CanvasEdge>) {
  const { id, sourceX, sourceY, targetX, targetY, sourcePosition, targetPosition, data } = props;
  const { parts, add } = useCanvasState();
  const lane = data?.way.lane;
  const [path, labelX, labelY] =
    lane === undefined
      ? getSmoothStepPath({
          ...{ sourceX, sourceY, targetX, targetY, sourcePosition, targetPosition, borderRadius: RADIUS },
        })
      : lanePath(cornersOf([sourceX, sourceY], [targetX, targetY], lane));
  if (!data) return null;
  const { way, isOpenEnd } = data;
  const hasName = way.exit !== PLAIN_EXIT;
  return (
    <>
      <BaseEdge id={id} path={path} {...(isOpenEnd ? {} : { markerEnd: 'url(#canvas-arrow)' })} />
      <EdgeLabelRenderer>
        <div
          className="pointer-events-none absolute flex items-center gap-1"
          style={{ transform: `translate(-50%, -50%) translate(${labelX}px, ${labelY}px)` }}
        >
          {hasName ? (
            <span className="max-w-44 truncate rounded-full border border-border bg-raised px-2 text-xs text-muted">
              {exitName(
                way.exit,
                parts.flow.steps.find(({ id: of }) => of === way.place.after),
              )}
            </span>
          ) : null}
          {isOpenEnd || parts.isReadOnly ? null : (
            <button
              type="button"
              tabIndex={-1}
              aria-label={t('canvas.addHere')}
              title={t('canvas.addHere')}
              onClick={() => add(way.place)}
              className="nodrag nopan pointer-events-auto grid size-6 place-items-center rounded-full border border-border bg-raised text-muted hover:border-primary hover:text-primary-text [&_svg]:size-3.5"
            >
              <Plus aria-hidden />
            </button>
          )}
        </div>
      </EdgeLabelRenderer>
    </>
  );
}

const RADIUS = 10;

/** The path through corners, which are rounded, and where its name stands: at the beginning of its lane. */
function lanePath(corners: ReturnType<typeof cornersOf>): [path: string, labelX: number, labelY: number] {
  const path = corners.map(([x, y], index) => {
    const [before, after] = [corners[index - 1], corners[index + 1]];
    if (!before) return `M ${x} ${y}`;
    if (!after) return `L ${x} ${y}`;
    const [beginX, beginY] = towards([x, y], before);
    const [endX, endY] = towards([x, y], after);
    return `L ${beginX} ${beginY} Q ${x} ${y} ${endX} ${endY}`;
  });
  const [labelX, labelY] = corners[2]!; // a way has six
  return [path.join(' '), labelX, labelY];
}

/** The point near a corner where its rounding begins. */
function towards([x, y]: readonly [number, number], [otherX, otherY]: readonly [number, number]) {
  const length = Math.hypot(otherX - x, otherY - y);
  const share = length === 0 ? 0 : Math.min(RADIUS, length / 2) / length;
  return [x + (otherX - x) * share, y + (otherY - y) * share] as const;
}

/** The tip of a way. The library's own has its colour from a style that themes do not reach. */
export function ArrowTip() {
  return (
    <svg aria-hidden className="absolute size-0">
      <defs>
        <marker
          id="canvas-arrow"
          viewBox="0 0 10 10"
          refX="9"
          refY="5"
          markerWidth="7"
          markerHeight="7"
          orient="auto"
        >
          <path d="M 0 1 L 9 5 L 0 9 z" className="fill-control" />
        </marker>
      </defs>
    </svg>
  );
}
