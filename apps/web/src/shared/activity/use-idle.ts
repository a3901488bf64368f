import { useEffect, useSyncExternalStore } from 'react';
import { IDLE_AFTER_MS } from '@app/domain/activity/activity-rules';
import { api } from '../api-client.ts';

const INPUTS = ['mousemove', 'mousedown', 'keydown', 'scroll', 'touchstart'] as const;
const TELL_TABS_EVERY_MS = 10_000;

const listeners = new Set<() => void>();
let isIdle = false;

/** Whether nobody touched mouse, key, scroll or screen for five minutes, in any tab. */
export function useIdle(): boolean {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => isIdle,
  );
}

/** Watches for input while the dashboard is open and tells the server when the person goes idle or comes back. */
export function useIdleTracking(): void {
  useEffect(() => {
    // The person may be at work in another tab of ours.
    const otherTabs = new BroadcastChannel('input');
    let timer: ReturnType<typeof setTimeout> | undefined;
    let toldAt = 0;
    const wake = () => {
      clearTimeout(timer);
      timer = setTimeout(() => setIdle(true), IDLE_AFTER_MS);
      setIdle(false);
    };
    const onInput = () => {
      wake();
      if (Date.now() - toldAt < TELL_TABS_EVERY_MS) return;
      toldAt = Date.now();
      otherTabs.postMessage('input');
    };
    otherTabs.onmessage = wake;
    for (const input of INPUTS) addEventListener(input, onInput, { passive: true, capture: true });
    wake();
    return () => {
      for (const input of INPUTS) removeEventListener(input, onInput, { capture: true });
      clearTimeout(timer);
      otherTabs.close();
    };
  }, []);
}

function setIdle(next: boolean): void {
  if (next === isIdle) return;
  isIdle = next;
  for (const listener of listeners) listener();
  // Only a hint for the others: without a connection nobody sees it anyway.
  api.activity.setPresence({ state: next ? 'idle' : 'active' }).catch(() => undefined);
}
