import { useSyncExternalStore } from 'react';

const STEP_MS = 15_000;
const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;
let step = Math.floor(Date.now() / STEP_MS);

/** The time, to a quarter of a minute; all who ask share one clock. */
export function useNow(): number {
  return useSyncExternalStore(subscribe, () => step) * STEP_MS;
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  timer ??= setInterval(tick, 5_000);
  tick();
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

function tick(): void {
  const now = Math.floor(Date.now() / STEP_MS);
  if (now === step) return;
  step = now;
  for (const listener of listeners) listener();
}
