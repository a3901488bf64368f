type ToastKind = 'success' | 'error' | 'info';

export interface ToastAction {
  label: string;
  onSelect: () => void;
  /** It takes back what the notification tells of: Ctrl/Cmd+Z does the same. */
  isUndo?: boolean | undefined;
}

export interface ToastOptions {
  /** What can still be done about it, such as Undo. */
  action?: ToastAction | undefined;
  /** Milliseconds until it goes; 5,000 unless said otherwise. */
  duration?: number | undefined;
  /** It counts the seconds down to then (milliseconds since 1970) and goes, whoever points at it: what it offers ends then. */
  endsAt?: number | undefined;
  text?: string | undefined;
}

/** One that is shown. */
export interface ToastMessage extends ToastOptions {
  id: number;
  kind: ToastKind;
  title: string;
  /** How often it was said while it stood here. */
  times: number;
}

/** More would cover the page. */
const MOST = 4;

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
  // Each with an act has its own: an Undo takes back one thing.
  const same = toasts.find(
    (toast) =>
      !toast.action &&
      !options.action &&
      toast.kind === kind &&
      toast.title === title &&
      toast.text === options.text,
  );
  const others = toasts.filter((toast) => toast !== same);
  // The oldest goes, and what can still be taken back after what was only to be read.
  const leaving = others.length < MOST ? undefined : (others.find(({ action }) => !action) ?? others[0]);
  publish([
    ...others.filter((toast) => toast !== leaving),
    { ...options, id, kind, title, times: (same?.times ?? 0) + 1 },
  ]);
  return id;
}

function remove(id: number): void {
  publish(toasts.filter((toast) => toast.id !== id));
}

function publish(next: readonly ToastMessage[]): void {
  toasts = next;
  for (const listener of listeners) listener();
}

/** What the place where they appear shows; `listener` hears of every change. */
export const shownToasts = {
  read: () => toasts,
  dismiss: remove,
  subscribe(listener: () => void): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
  /** Takes away what nothing can be done about any more. */
  dismissRead(): void {
    if (toasts.some(({ action }) => !action)) publish(toasts.filter(({ action }) => action));
  },
};
