type ToastKind = 'success' | 'error' | 'info';

export interface ToastOptions {
  /** What can still be done about it, such as Undo. */
  action?: { label: string; onSelect: () => void } | undefined;
  /** Milliseconds until it goes; 5,000 unless said otherwise. */
  duration?: number | undefined;
  text?: string | undefined;
}

/** One that is shown. */
export interface ToastMessage extends ToastOptions {
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
