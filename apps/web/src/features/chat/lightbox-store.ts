import { useSyncExternalStore } from 'react';
import type { Message } from './timeline-window.ts';

export type LightboxEntry = { messageId: string; file: Message['files'][number]; caption: string };

let open: LightboxEntry | null = null;
let opener: HTMLElement | null = null;
const listeners = new Set<() => void>();

/** Shows a picture or video large; `from` has the focus back afterwards. */
export function openLightbox(entry: LightboxEntry, from: HTMLElement | null): void {
  open = entry;
  opener = from;
  for (const listener of listeners) listener();
}

export function closeLightbox(): void {
  open = null;
  for (const listener of listeners) listener();
  opener?.focus();
}

export function useLightbox(): LightboxEntry | null {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => open,
  );
}
