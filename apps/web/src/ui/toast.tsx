import { CircleAlert, CircleCheck, Info, X } from 'lucide-react';
import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { useUiWords } from './ui-words.tsx';

type ToastKind = 'success' | 'error' | 'info';

export interface ToastOptions {
  /** What can still be done about it, such as Undo. */
  action?: { label: string; onSelect: () => void } | undefined;
  /** Milliseconds until it goes; 5,000 unless said otherwise. */
  duration?: number | undefined;
  text?: string | undefined;
}

interface ToastMessage extends ToastOptions {
  id: number;
  kind: ToastKind;
  title: string;
}

const listeners = new Set<() => void>();
let toasts: readonly ToastMessage[] = [];
let lastId = 0;

/** Notifications at the corner of the screen, for 5 s; hovering or focusing them stops the clock. */
export const notify = {
  success: (title: string, options?: ToastOptions) => add('success', title, options),
  error: (title: string, options?: ToastOptions) => add('error', title, options),
  info: (title: string, options?: ToastOptions) => add('info', title, options),
  dismiss: remove,
};

function add(kind: ToastKind, title: string, options: ToastOptions = {}): number {
  const id = (lastId += 1);
  // More than four would cover the page; the oldest go first.
  publish([...toasts.slice(-3), { ...options, id, kind, title }]);
  return id;
}

function remove(id: number): void {
  publish(toasts.filter((toast) => toast.id !== id));
}

function publish(next: readonly ToastMessage[]): void {
  toasts = next;
  for (const listener of listeners) listener();
}

/** The place where notifications appear: once per app. */
export function Toaster() {
  const words = useUiWords();
  const shown = useSyncExternalStore(subscribe, () => toasts);
  useEffect(leaveAtNextPress, []);
  return (
    <section
      data-notifications
      aria-label={words.notifications}
      className="pointer-events-none fixed inset-x-0 top-(--toast-top) bottom-(--toast-bottom) layer-toast flex flex-col items-center gap-2 p-4 sm:left-auto sm:w-[26rem]"
    >
      <div aria-live="polite" className="contents">
        {shown
          .filter((toast) => toast.kind !== 'error')
          .map((toast) => (
            <Toast key={toast.id} toast={toast} closeLabel={words.close} />
          ))}
      </div>
      <div aria-live="assertive" className="contents">
        {shown
          .filter((toast) => toast.kind === 'error')
          .map((toast) => (
            <Toast key={toast.id} toast={toast} closeLabel={words.close} />
          ))}
      </div>
    </section>
  );
}

const icons = {
  success: <CircleCheck aria-hidden className="mt-0.5 size-4 shrink-0 text-success" />,
  error: <CircleAlert aria-hidden className="mt-0.5 size-4 shrink-0 text-danger" />,
  info: <Info aria-hidden className="mt-0.5 size-4 shrink-0 text-info" />,
};

function Toast({ toast, closeLabel }: { toast: ToastMessage; closeLabel: string }) {
  const [held, setHeld] = useState(false);
  const left = useRef(toast.duration ?? 5000);

  useEffect(() => {
    if (held) return undefined;
    const started = performance.now();
    const timer = setTimeout(() => remove(toast.id), left.current);
    return () => {
      clearTimeout(timer);
      left.current = Math.max(1000, left.current - (performance.now() - started));
    };
  }, [held, toast.id]);

  return (
    <div
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
      className="flex w-full sm:pointer-events-auto items-start gap-3 rounded-card border border-border bg-raised p-3 shadow-raised transition-[opacity,translate] duration-150 starting:translate-y-2 starting:opacity-0"
    >
      {icons[toast.kind]}
      <div className="min-w-0 flex-1">
        <p className="font-medium text-pretty">{toast.title}</p>
        {toast.text ? <p className="text-sm text-muted">{toast.text}</p> : null}
      </div>
      {toast.action ? (
        <button
          type="button"
          onClick={() => {
            toast.action?.onSelect();
            remove(toast.id);
          }}
          className="pointer-events-auto -my-0.5 rounded-md px-2 py-0.5 font-medium text-primary-text hover:bg-hover"
        >
          {toast.action.label}
        </button>
      ) : null}
      <button
        type="button"
        aria-label={closeLabel}
        onClick={() => remove(toast.id)}
        className="pointer-events-auto -m-0.5 grid size-6 shrink-0 place-items-center rounded-md text-muted hover:bg-hover hover:text-text"
      >
        <X aria-hidden className="size-4" />
      </button>
    </div>
  );
}

/**
 * On a phone a notification lies over what comes next, wherever it stands: a press goes through to that, and takes away
 * what was read. What can still be done about it stays.
 */
function leaveAtNextPress(): () => void {
  const narrow = matchMedia('(width < 40rem)');
  const leave = ({ target }: PointerEvent) => {
    if (!narrow.matches || (target instanceof Element && target.closest('[data-notifications]'))) return;
    if (toasts.some(({ action }) => !action)) publish(toasts.filter(({ action }) => action));
  };
  document.addEventListener('pointerdown', leave, { capture: true });
  return () => document.removeEventListener('pointerdown', leave, { capture: true });
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
