import '@xyflow/react/dist/base.css';
import './flow-canvas.css';
import { Background, ReactFlow, ReactFlowProvider, type Connection, type NodeChange } from '@xyflow/react';
import { Suspense, useEffect, useEffectEvent, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { usePageShortcuts } from '../../../shared/actions/page-shortcuts.ts';
import { t } from '../../../shared/messages.ts';
import { useLoadAhead } from '../../../shared/use-load-ahead.ts';
import { useMediaQuery } from '../../../ui/use-media-query.ts';
import type { EditorParts, EditorProps } from '../editor/editor-parts.ts';
import { GeneralProblems } from '../editor/general-problems.tsx';
import { addStep, exitsOf, removeStep, setNext, type FlowPlace } from '../editor/flow-draft.ts';
import { useEditorParts } from '../editor/use-editor-parts.ts';
import { stepName } from '../flow-words.ts';
import {
  CanvasContext,
  itemElementId,
  type CanvasNode,
  type CanvasState,
  type StepFigures,
} from './canvas-item.tsx';
import { canvasShortcuts, directionOf, keyOf } from './canvas-keys.ts';
import { findNeighbour, layOutFlow, START } from './canvas-layout.ts';
import { AddPanel, KeysPanel, loadPanels, StartPanel, StepPanel, WhenShown } from './late-panels.tsx';
import { CanvasTools } from './canvas-tools.tsx';
import { ArrowTip } from './canvas-way.tsx';
import { canvasManner } from './canvas-manner.ts';
import { ConnectBar } from './connect-bar.tsx';
import { useAreaEvents } from './use-area-events.ts';
import { useSight } from './use-sight.ts';
import { drawItems, drawWays, readChanges } from './draw-canvas.ts';
import { copySteps, pasteSteps, readCopiedSteps, type CopiedSteps } from './copied-steps.ts';

const panelsAhead = [loadPanels];
const FIRST_FIELD =
  '[data-canvas-panel] :is(fieldset, ul) :is(input, textarea, select, button):not(:disabled)';

/** What was copied here last, for pages that may not read the clipboard by themselves. */
let lastCopied: CopiedSteps | null = null;

type Beside = { kind: 'item'; id: string } | { kind: 'add'; place: FlowPlace } | { kind: 'keys' } | null;
type Connecting = { from: string; exit: string } | null;

export type FlowCanvasProps = EditorProps & {
  figures: ReadonlyMap<string, StepFigures> | null;
  /** The button that shows or hides the figures; without it there is none. */
  onToggleFigures?: (() => void) | undefined;
};

/** A flow as a drawing. It changes the same draft as the list, with the same fields of steps. */
export function FlowCanvas(props: FlowCanvasProps) {
  return (
    <ReactFlowProvider>
      <Canvas {...props} />
    </ReactFlowProvider>
  );
}

function Canvas({ figures, onToggleFigures, ...props }: FlowCanvasProps) {
  const { flow, isReadOnly, onChange } = props;
  const canvas = useMemo(() => layOutFlow(flow), [flow]);
  const [current, setCurrent] = useState<string>(START);
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const [beside, setBeside] = useState<Beside>(null);
  const [connecting, setConnecting] = useState<Connecting>(null);
  const [said, setSaid] = useState('');
  const [dragged, setDragged] = useState<ReadonlyMap<string, { x: number; y: number }>>(new Map());
  const area = useRef<HTMLDivElement>(null);
  const view = useRef<HTMLDivElement>(null);
  const wantsFocus = useRef<string | null>(null);
  const isStill = useMediaQuery('(prefers-reduced-motion: reduce)');
  usePageShortcuts(canvasShortcuts);
  useLoadAhead(panelsAhead);
  const wantsField = useRef(false);

  const base = useEditorParts(props);
  const parts: EditorParts = {
    ...base,
    // A step opens beside the canvas, a trigger in the panel of the start.
    isOpen: (key) =>
      beside?.kind === 'item' && (key === beside.id || key === `step ${beside.id}` || base.isOpen(key)),
    setOpen: (key, open) => {
      if (key.startsWith('step ')) setBeside(open ? { kind: 'item', id: key.slice(5) } : null);
      else base.setOpen(key, open);
    },
  };
  const byId = useMemo(() => new Map(canvas.items.map((item) => [item.id, item])), [canvas]);
  const { bringIntoSight, showAll, startInSight } = useSight(view, canvas, isStill);
  const isStep = (id: string) => byId.get(id)?.kind === 'step';
  const titleOf = (id: string) => {
    const item = byId.get(id);
    return item?.kind === 'step'
      ? t('automation.stepTitle', { n: item.number, name: stepName(item.step.type) })
      : t('automation.triggers');
  };
  const here = byId.has(current) ? current : START;
  const opened = beside?.kind === 'item' ? byId.get(beside.id) : undefined;

  // A step that was added, pasted or left gets the focus, now or once it is drawn.
  useEffect(() => {
    const id = wantsFocus.current;
    if (id !== null && document.getElementById(itemElementId(id))) onThere(id);
  });
  const showHere = useRef(() => {});
  useLayoutEffect(() => {
    showHere.current = () => show(here);
  });
  const seeCurrent = useEffectEvent(() => bringIntoSight(here));
  const isNarrowed = `${beside !== null} ${connecting !== null}`;
  useEffect(() => {
    const frame = requestAnimationFrame(() => seeCurrent());
    return () => cancelAnimationFrame(frame);
  }, [isNarrowed]);

  function onThere(id: string) {
    if (wantsFocus.current !== id) return;
    wantsFocus.current = null;
    show(id);
  }

  /** Undo can take the step away that has the focus. At once: a moment later the page gives the focus to its heading. */
  function onGone() {
    queueMicrotask(() => {
      if (area.current && document.activeElement === document.body) showHere.current();
    });
  }

  function show(id: string) {
    setCurrent(id);
    document.getElementById(itemElementId(id))?.focus({ preventScroll: true });
    bringIntoSight(id);
  }

  function press(id: string, isMany: boolean) {
    wantsField.current = false;
    setCurrent(id);
    if (connecting) return finishConnecting(id);
    if (isMany && isStep(id)) {
      setSelected((now) =>
        now.has(id) ? new Set([...now].filter((one) => one !== id)) : new Set([...now, id]),
      );
      return;
    }
    setSelected(isStep(id) ? new Set([id]) : new Set());
    setBeside({ kind: 'item', id });
  }

  function open(id: string) {
    press(id, false);
    wantsField.current = true;
    requestAnimationFrame(focusField);
  }

  function focusField() {
    const field = wantsField.current ? document.querySelector<HTMLElement>(FIRST_FIELD) : null;
    field?.focus();
    // While a panel loads, the hidden one before it takes no focus: its successor asks again.
    if (document.activeElement === field) wantsField.current = false;
  }

  function close() {
    setBeside(null);
    show(here);
  }

  function add(place: FlowPlace) {
    setBeside({ kind: 'add', place });
  }

  function addAt(type: string, place: FlowPlace) {
    const added = addStep(flow, type, place);
    wantsFocus.current = added.id;
    setSelected(new Set([added.id]));
    setBeside({ kind: 'item', id: added.id });
    onChange(added.flow);
  }

  /** Behind a step by its main way; at the start, before all others. */
  function placeAfter(id: string): FlowPlace | null {
    const item = byId.get(id);
    if (!item || item.kind === 'start') return { after: null };
    if (item.kind === 'end') return item.place;
    return exitsOf(item.step).length === 0 ? null : { after: id };
  }

  function chosen(): ReadonlySet<string> {
    if (selected.has(here) || (selected.size > 1 && !isStep(here))) return selected;
    return new Set(isStep(here) ? [here] : []);
  }

  function remove(ids: ReadonlySet<string>) {
    if (ids.size === 0 || isReadOnly) return;
    const next = [...ids].reduce((changed, id) => removeStep(changed, id), flow);
    const above = canvas.ways.find(({ to, from }) => ids.has(to) && !ids.has(from))?.from ?? START;
    wantsFocus.current = next.steps.some(({ id }) => id === above) ? above : START;
    setSelected(new Set());
    if (beside?.kind === 'item' && ids.has(beside.id)) setBeside(null);
    setSaid(t('canvas.deleted', { n: ids.size }));
    onChange(next);
  }

  function copy(ids: ReadonlySet<string>): CopiedSteps | null {
    const copied = copySteps(flow, ids);
    if (copied) {
      lastCopied = copied;
      setSaid(t('canvas.copied', { n: copied.steps.length }));
    }
    return copied;
  }

  function paste(copied: CopiedSteps, place: FlowPlace | null) {
    if (isReadOnly || !place) return;
    const pasted = pasteSteps(flow, copied, place);
    setSaid(
      [
        t('canvas.pasted', { n: pasted.ids.length }),
        pasted.left > 0 ? t('canvas.leftOut', { n: pasted.left }) : '',
      ].join(' '),
    );
    const [first] = pasted.ids;
    if (first === undefined) return;
    wantsFocus.current = first;
    setSelected(new Set(pasted.ids));
    setBeside(null);
    onChange(pasted.flow);
  }

  function beginConnecting(id: string) {
    const item = byId.get(id);
    if (isReadOnly || !item || item.kind === 'end') return;
    const exits = item.kind === 'start' ? ['done'] : exitsOf(item.step);
    const [exit] = exits;
    if (exit !== undefined) setConnecting({ from: id, exit });
    wantsFocus.current = id;
  }

  function connect(from: string, exit: string, to: string) {
    if (isReadOnly || !isStep(to) || from === to) return;
    onChange(from === START ? { ...flow, start: to } : setNext(flow, from, exit, to));
    setSaid(t('canvas.connected', { name: titleOf(to) }));
  }

  function finishConnecting(id: string) {
    if (!connecting || !isStep(id) || id === connecting.from) return;
    connect(connecting.from, connecting.exit, id);
    setConnecting(null);
  }

  function onConnect({ source, sourceHandle, target }: Connection) {
    connect(source, sourceHandle ?? 'done', target);
  }

  /** Dragging moves steps; where they are left is saved with the draft. */
  function onNodesChange(changes: NodeChange<CanvasNode>[]) {
    const { places, picked, isLeft } = readChanges(changes, { dragged, selected }, isStep);
    setSelected(picked);
    setDragged(isLeft ? new Map() : places);
    const moved = Object.fromEntries([...places].filter(([id]) => isStep(id)));
    if (isLeft && !isReadOnly) onChange({ ...flow, layout: { ...flow.layout, ...moved } });
  }

  const keyActs: Record<string, (() => void) | undefined> = {
    Enter: () => {
      const item = byId.get(here);
      if (connecting) finishConnecting(here);
      else if (item?.kind === 'end') add(item.place);
      else open(here);
    },
    ' ': () => press(here, isStep(here)),
    Home: () => show(START),
    'mod+a': () => setSelected(new Set(flow.steps.map(({ id }) => id))),
    Escape: () => {
      if (connecting) setConnecting(null);
      else if (beside) setBeside(null);
      else setSelected(new Set());
    },
    Delete: () => remove(chosen()),
    Backspace: () => remove(chosen()),
    a: () => {
      const place = placeAfter(here);
      if (place && !isReadOnly) add(place);
    },
    t: () => beginConnecting(here),
    f: () => showAll(),
  };

  function onCopy(event: ClipboardEvent) {
    const ids = chosen();
    const copied = copy(ids);
    if (!copied) return;
    event.preventDefault();
    event.clipboardData?.setData('text/plain', JSON.stringify(copied));
    if (event.type === 'cut') remove(ids);
  }

  function onPaste(event: ClipboardEvent) {
    const copied = readCopiedSteps(event.clipboardData?.getData('text/plain') ?? '') ?? lastCopied;
    if (!copied) return;
    event.preventDefault();
    paste(copied, placeAfter(here));
  }

  const nodes = drawItems(canvas, { selected, dragged, isReadOnly });
  const edges = drawWays(canvas);
  const state: CanvasState = {
    ...{ parts, current: here, isConnecting: connecting !== null, figures, press, add },
    ...{ onThere, onGone, onFocus: setCurrent },
  };

  useAreaEvents(area, {
    keydown: (event) => {
      const direction = directionOf(event);
      const next = direction && findNeighbour(canvas, here, direction);
      const act = direction ? () => next && show(next) : keyActs[keyOf(event)];
      if (!act) return;
      event.preventDefault();
      event.stopPropagation();
      act();
    },
    copy: onCopy,
    cut: onCopy,
    paste: onPaste,
  });

  return (
    <CanvasContext value={state}>
      <GeneralProblems problems={props.problems} />
      <div className="flex h-[max(28rem,calc(100dvh-20rem))] overflow-hidden rounded-card border border-border">
        <div
          ref={area}
          role="group"
          aria-label={t('canvas.label')}
          className="flow-canvas flex min-w-0 flex-1 flex-col bg-surface"
        >
          <p id="canvas-hint" className="sr-only">
            {t('canvas.hint')}
          </p>
          <ArrowTip />
          <div ref={view} className="relative min-h-0 flex-1">
            <ReactFlow
              nodes={nodes}
              edges={edges}
              onNodesChange={onNodesChange}
              onConnect={onConnect}
              onInit={startInSight}
              {...canvasManner}
              onPaneClick={() => setSelected(new Set())}
            >
              <Background gap={24} />
            </ReactFlow>
            <CanvasTools
              hasLayout={Object.keys(flow.layout).length > 0 && !isReadOnly}
              onTidy={() => onChange({ ...flow, layout: {} })}
              onKeys={() => setBeside({ kind: 'keys' })}
              hasFigures={figures !== null}
              onToggleFigures={onToggleFigures}
              isStill={isStill}
            />
          </div>
          {connecting ? (
            <ConnectBar
              from={byId.get(connecting.from)}
              exit={connecting.exit}
              name={titleOf(connecting.from)}
              onChange={setConnecting}
            />
          ) : null}
          <p role="status" className="sr-only">
            {said}
          </p>
        </div>
        <Suspense>
          {beside?.kind === 'add' ? (
            <AddPanel
              parts={parts}
              mayPaste={lastCopied !== null}
              onAdd={(type) => addAt(type, beside.place)}
              onPaste={() => lastCopied && paste(lastCopied, beside.place)}
              onClose={close}
            />
          ) : null}
          {beside?.kind === 'keys' ? <KeysPanel onClose={close} /> : null}
          {opened?.kind === 'start' ? <StartPanel parts={parts} onClose={close} /> : null}
          {opened?.kind === 'step' ? (
            <StepPanel
              parts={parts}
              item={opened}
              onClose={close}
              onConnect={() => beginConnecting(opened.id)}
              onCopy={() => copy(new Set([opened.id]))}
            />
          ) : null}
          {opened ? <WhenShown key={opened.id} act={focusField} /> : null}
        </Suspense>
      </div>
    </CanvasContext>
  );
}
