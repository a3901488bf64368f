import { Handle, Position, type Node, type NodeProps } from '@xyflow/react';
import { CircleAlert, Plus, TriangleAlert, Zap } from 'lucide-react';
import {
  createContext,
  useContext,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  type MouseEvent,
  type ReactNode,
} from 'react';
import { t } from '../../../shared/messages.ts';
import { classNames } from '../../../ui/class-names.ts';
import { durationText, exitName, stepName, triggerName } from '../flow-words.ts';
import { exitsOf, type FlowPlace } from '../editor/flow-draft.ts';
import type { EditorParts } from '../editor/editor-parts.ts';
import { stepSummary } from '../editor/flow-summary.ts';
import { stepIcon } from '../editor/step-icons.tsx';
import { canvasSizes, exitShare, START, type CanvasItem } from './canvas-layout.ts';

/** How many runs reached a step, and how many left it by each exit. */
export type StepFigures = { reached: number; waiting: number; failed: number };

/** What the items share. They read it from here, so that the canvas does not have to make new ones for each change. */
export type CanvasState = {
  parts: EditorParts;
  /** The one that the Tab key reaches. */
  current: string;
  /** Which items a press would connect to. */
  isConnecting: boolean;
  figures: ReadonlyMap<string, StepFigures> | null;
  /** `isMany`: in addition to those that are selected. */
  press: (id: string, isMany: boolean) => void;
  onFocus: (id: string) => void;
  add: (place: FlowPlace) => void;
  /** An item is there, or is gone: the focus goes to it, or back to one that is left. */
  onThere: (id: string) => void;
  onGone: () => void;
};

export const CanvasContext = createContext<CanvasState | null>(null);

export function useCanvasState(): CanvasState {
  const state = useContext(CanvasContext);
  if (!state) throw new Error('An item of the canvas stands outside of it.');
  return state;
}

export type CanvasNode = Node<{ item: CanvasItem }>;

/** React Flow draws items some time after the canvas has changed. */
function usePresence(id: string): void {
  const { onThere, onGone } = useCanvasState();
  const come = useEffectEvent(() => onThere(id));
  const go = useEffectEvent(() => onGone());
  useEffect(() => come(), []);
  useLayoutEffect(() => () => go(), []);
}

/** How the focus finds an item. */
export const itemElementId = (id: string) => `canvas-item-${id}`;

export function StartNode(_props: NodeProps<CanvasNode>) {
  const { parts } = useCanvasState();
  const { triggers } = parts.flow;
  const names = triggers.map(({ type }) => triggerName(type)).join(', ');
  const hasProblem = parts.problems.some(({ place }) => place === 'trigger');
  return (
    <>
      <ItemCard
        id={START}
        icon={<Zap />}
        name={t('automation.triggers')}
        summary={names === '' ? t('automation.noTrigger') : names}
        hasProblem={hasProblem}
      />
      <Handle type="source" position={Position.Bottom} id="done" isConnectable={!parts.isReadOnly} />
    </>
  );
}

export function StepNode({ data: { item }, selected }: NodeProps<CanvasNode>) {
  const { parts, figures } = useCanvasState();
  if (item.kind !== 'step') return null;
  const { step, number } = item;
  const hasProblem = parts.problems.some(({ place, id }) => place === 'step' && id === step.id);
  const isDelayed = step.delay !== null && step.delay.amount > 0;
  const exits = exitsOf(step);
  const counted = figures && (figures.get(step.id) ?? { reached: 0, waiting: 0, failed: 0 });
  return (
    <>
      <Handle type="target" position={Position.Top} isConnectable={!parts.isReadOnly} />
      <ItemCard
        id={step.id}
        icon={stepIcon(step.type)}
        name={t('automation.stepTitle', { n: number, name: stepName(step.type) })}
        summary={[
          isDelayed && step.delay ? t('automation.afterDelay', { time: durationText(step.delay) }) : '',
          stepSummary(step, parts.names),
        ]
          .filter(Boolean)
          .join(' · ')}
        hasProblem={hasProblem}
        isAtRisk={parts.risks.some(({ stepId }) => stepId === step.id)}
        isSelected={selected}
      />
      {exits.map((exit) => (
        <Handle
          key={exit}
          type="source"
          position={Position.Bottom}
          id={exit}
          title={exitName(exit, step)}
          isConnectable={!parts.isReadOnly}
          className={exit === 'failed' ? 'bg-danger!' : undefined}
          style={{ left: `${exitShare(exits, exit) * 100}%` }}
        />
      ))}
      {counted ? (
        <p className="pointer-events-none absolute top-full left-1/2 mt-2 ml-3 rounded border border-border bg-raised px-1.5 text-xs whitespace-nowrap text-muted tabular-nums">
          {t('canvas.figures.step', { reached: counted.reached, waiting: counted.waiting })}
          {counted.failed > 0 ? (
            <span className="text-danger"> · {t('canvas.figures.failed', { n: counted.failed })}</span>
          ) : null}
        </p>
      ) : null}
    </>
  );
}

/** Where a way has no step yet. */
export function EndNode({ data: { item } }: NodeProps<CanvasNode>) {
  const { parts, current, add, onFocus } = useCanvasState();
  usePresence(item.id);
  if (item.kind !== 'end') return null;
  return (
    <>
      <Handle type="target" position={Position.Top} isConnectable={false} className="opacity-0" />
      {parts.isReadOnly ? (
        <span className="mx-auto mt-2 block size-2 rounded-full bg-control" />
      ) : (
        <button
          type="button"
          id={itemElementId(item.id)}
          tabIndex={current === item.id ? 0 : -1}
          aria-label={t('automation.addStep')}
          title={t('automation.addStep')}
          onFocus={() => onFocus(item.id)}
          onClick={() => add(item.place)}
          className="nodrag nopan pointer-events-auto grid size-7 place-items-center rounded-full border border-dashed border-control bg-raised text-muted hover:border-primary hover:text-primary-text [&_svg]:size-4"
        >
          <Plus aria-hidden />
        </button>
      )}
    </>
  );
}

function ItemCard({
  id,
  icon,
  name,
  summary,
  hasProblem,
  isAtRisk = false,
  isSelected = false,
}: {
  id: string;
  icon: ReactNode;
  name: string;
  summary: string;
  hasProblem: boolean;
  /** Its text may not be delivered. */
  isAtRisk?: boolean;
  isSelected?: boolean;
}) {
  const { current, isConnecting, press, onFocus, parts } = useCanvasState();
  usePresence(id);
  const isOpen = parts.isOpen(id === START ? START : `step ${id}`);
  return (
    <button
      type="button"
      id={itemElementId(id)}
      tabIndex={current === id ? 0 : -1}
      aria-pressed={isSelected || isOpen}
      aria-describedby="canvas-hint"
      data-problem={hasProblem || undefined}
      onFocus={() => onFocus(id)}
      onClick={(event: MouseEvent) => press(id, event.shiftKey || event.ctrlKey || event.metaKey)}
      style={{ width: canvasSizes.width, height: canvasSizes.height }}
      className={classNames(
        // React Flow lets presses through to what stands behind items that nobody can drag or select.
        'pointer-events-auto flex items-center gap-3 rounded-card border bg-raised px-3 text-left shadow-xs transition-colors',
        hasProblem ? 'border-danger' : isSelected || isOpen ? 'border-primary' : 'border-border',
        isSelected || isOpen ? 'bg-selected' : 'hover:bg-hover',
        isConnecting && 'cursor-crosshair',
      )}
    >
      <span
        aria-hidden
        className="grid size-8 shrink-0 place-items-center rounded-lg bg-primary-soft text-primary-text [&_svg]:size-4"
      >
        {icon}
      </span>
      <span className="min-w-0 flex-1">
        <span className="block truncate font-medium">{name}</span>
        {summary === '' ? null : (
          <span dir="auto" className="line-clamp-2 text-sm leading-tight text-muted">
            {summary}
          </span>
        )}
      </span>
      {hasProblem ? (
        <span className="shrink-0 text-danger">
          <CircleAlert aria-hidden className="size-5" />
          <span className="sr-only">{t('automation.needsAttention')}</span>
        </span>
      ) : isAtRisk ? (
        <span className="shrink-0 text-warning" title={t('automation.window.badge')}>
          <TriangleAlert aria-hidden className="size-5" />
          <span className="sr-only">{t('automation.window.badge')}</span>
        </span>
      ) : null}
    </button>
  );
}
