import { cloneElement, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import {
  useSyncExternalStore,
  type KeyboardEvent as ReactKeyboardEvent,
  type ReactElement,
  type Ref,
  type RefObject,
  type SyntheticEvent,
} from 'react';
import { flushSync } from 'react-dom';
import { afterPaint } from '../after-paint.ts';
import { loadFile, whenSettled } from '../load-file.ts';
import type * as popupLayers from './popup-layers.tsx';
import { notify } from '../toast.ts';
import { t } from '../../shared/messages.ts';

type Layers = typeof popupLayers;
type Props = Record<string, unknown>;
type Handler = (event: SyntheticEvent<HTMLElement>) => void;

let layers: Layers | undefined;
let isPlanned = false;
const listeners = new Set<() => void>();

/** Loads the file of all popups. `onWait` is called when there is no connection; the file then comes with it. */
export async function loadPopupLayers(onWait?: () => void): Promise<void> {
  if (!layers) bring(await loadFile(() => import('./popup-layers.tsx'), onWait));
}

function bring(loaded: Layers): void {
  layers = loaded;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Once the first view has settled: popups then open at once, and without a connection too. */
function planLoading(): void {
  if (isPlanned) return;
  isPlanned = true;
  void whenSettled().then(() => {
    // What is pressed loads it again, and is told what is wrong.
    if (navigator.onLine) import('./popup-layers.tsx').then(bring, () => undefined);
  });
}

/** The file of the popups, once it is loaded and wanted: until then nothing can be opened. */
export function usePopupLayers(isWanted: boolean): Layers | undefined {
  const loaded = useSyncExternalStore(
    subscribe,
    () => layers,
    () => undefined,
  );
  const [wasWanted, setWasWanted] = useState(isWanted);
  if (isWanted && !wasWanted) setWasWanted(true);
  useEffect(planLoading, []);
  useEffect(() => {
    if (isWanted) void loadPopupLayers(() => notify.info(t('ui.offlineText')));
  }, [isWanted]);
  return wasWanted ? loaded : undefined;
}

/** Keys that open a menu, besides those that press its button. */
const OPENING_KEYS = ['ArrowDown', 'ArrowUp'] as const;
type OpeningKey = (typeof OPENING_KEYS)[number];

function isOpeningKey(key: string): key is OpeningKey {
  return (OPENING_KEYS as readonly string[]).includes(key);
}

export interface LateTrigger {
  /** The button, which stands from the first paint. */
  element: ReactElement;
  /** The file of the popups, once it is loaded and this one is wanted. */
  parts: Layers | undefined;
  /** Takes the place of the trigger in the part of the library, and draws nothing. */
  adopted: ReactElement;
}

/**
 * The trigger of a popup that is drawn without the library of popups. The library comes after the first paint, and to one trigger when the pointer
 * or the focus reaches it: its part draws `adopted` as its trigger, which hands attributes, handlers and ref of the library to the element that
 * stands. The element stays the same, so focus, animations and presses go on. A press that comes before the library is repeated when it is there.
 * @param plain Attributes until then, such as `aria-haspopup`.
 * @param open Opens it without a press.
 * @param opensBy What opens it. The pointer that comes, and the press, are answered before the part of a popup that a press opens is mounted: that is much work.
 */
export function useLateTrigger(
  trigger: ReactElement,
  plain: Props,
  open: boolean | undefined = false,
  opensBy: 'press' | 'any' = 'any',
): LateTrigger {
  const [isReached, setReached] = useState(false);
  const [given, setGiven] = useState<Props>();
  const latest = useRef<Props>({});
  const missed = useRef<'click' | 'focus' | OpeningKey>(undefined);
  const isRepeat = useRef(false);
  const node = useRef<HTMLElement>(null);
  const parts = usePopupLayers(isReached || open);

  const isAdopted = given !== undefined;
  useEffect(() => {
    // A press may come before this is run for the first time.
    if (!isAdopted) return;
    const event = missed.current;
    missed.current = undefined;
    if (!event || !node.current) return;
    isRepeat.current = true;
    if (event === 'click') node.current.click();
    else if (node.current === document.activeElement) {
      const again =
        event === 'focus'
          ? new FocusEvent('focusin', { bubbles: true })
          : new KeyboardEvent('keydown', { key: event, bubbles: true, cancelable: true });
      node.current.dispatchEvent(again);
    }
    isRepeat.current = false;
  }, [isAdopted]);

  const take = useCallback((props: Props) => {
    latest.current = props;
    setGiven((before) => (before && isAlike(before, props) ? before : props));
  }, []);
  const planned = useRef<() => void>(undefined);
  useEffect(() => () => planned.current?.(), []);
  const reachAtOnce = () => !isReached && flushSync(() => setReached(true));
  function reachSoon() {
    if (opensBy === 'any') setReached(true);
    else planned.current ??= afterPaint(() => setReached(true));
  }
  const reach: Record<string, Handler> = {
    // What opens when the pointer rests hears of it at once.
    onPointerEnter: () => (opensBy === 'any' ? reachAtOnce() : reachSoon()),
    onFocus() {
      if (!isAdopted && !isRepeat.current) missed.current ??= 'focus';
      reachSoon();
    },
    // The key belongs to the library already, or is repeated.
    onKeyDown(event) {
      reachAtOnce();
      const { key } = event as ReactKeyboardEvent<HTMLElement>;
      if (plain['aria-haspopup'] !== 'menu' || !isOpeningKey(key) || latest.current.onKeyDown) return;
      event.preventDefault();
      missed.current = key;
    },
    onClick() {
      if (isAdopted || isRepeat.current) return;
      missed.current = 'click';
      reachSoon();
    },
  };

  const own = trigger.props as Props;
  const ownRef = own.ref as Ref<HTMLElement> | undefined;
  const ref = useCallback(
    (element: HTMLElement | null) => {
      node.current = element;
      assign(ownRef, element);
    },
    [ownRef],
  );
  const attributes = Object.entries(given ?? plain).filter(
    ([name]) => name !== 'children' && !isHandler(name) && own[name] === undefined,
  );
  // oxlint-disable-next-line react/refs -- the handlers look the newest up when an event comes
  const handlers = [...new Set([...Object.keys(reach), ...Object.keys(given ?? {}).filter(isHandler)])].map(
    (name): [string, Handler] => [
      name,
      (event) => {
        if (!isRepeat.current) (own[name] as Handler | undefined)?.(event);
        reach[name]?.(event);
        (latest.current[name] as Handler | undefined)?.(event);
      },
    ],
  );
  return {
    // oxlint-disable-next-line react/refs -- the same handlers
    element: cloneElement(trigger as ReactElement<Props>, {
      ...Object.fromEntries(attributes),
      ...Object.fromEntries(handlers),
      ref,
    }),
    parts,
    adopted: <Adopted node={node} take={take} />,
  };
}

/** Gets what the library gives its trigger, and passes it on. */
function Adopted({
  node,
  take,
  ref,
  ...props
}: {
  node: RefObject<HTMLElement | null>;
  take: (props: Props) => void;
  ref?: Ref<HTMLElement>;
}) {
  const held = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    take(props);
    if (held.current === node.current) return;
    held.current = node.current;
    assign(ref, node.current);
  });
  // oxlint-disable-next-line react-hooks/exhaustive-deps -- when it goes
  useLayoutEffect(() => () => assign(ref, null), []);
  return null;
}

/** The same attributes and the same kinds of handlers. The handlers themselves are looked up when they are needed. */
function isAlike(before: Props, after: Props): boolean {
  const names = Object.keys(after);
  return (
    names.length === Object.keys(before).length &&
    names.every((name) => name in before && (isHandler(name) || Object.is(before[name], after[name])))
  );
}

function isHandler(name: string): boolean {
  return /^on[A-Z]/.test(name);
}

function assign(ref: Ref<HTMLElement> | undefined, element: HTMLElement | null): void {
  if (typeof ref === 'function') ref(element);
  else if (ref) ref.current = element;
}
