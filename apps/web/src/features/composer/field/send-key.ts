import { useSyncExternalStore } from 'react';

const KEY = 'composer.send-with';
const listeners = new Set<() => void>();
let chosen: boolean | undefined;

/** Whether Enter alone sends on this device; with a keyboard on the screen it begins a line, until somebody chooses otherwise. */
export function useSendsOnEnter(): [boolean, (sends: boolean) => void] {
  const sends = useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => chosen ?? readChoice(),
  );
  return [sends, choose];
}

function readChoice(): boolean {
  let kept: string | null = null;
  try {
    kept = localStorage.getItem(KEY);
  } catch {
    // Storage is off: the choice lasts as long as the page.
  }
  chosen = kept === null ? !matchMedia('(pointer: coarse)').matches : kept === 'enter';
  return chosen;
}

function choose(sends: boolean): void {
  chosen = sends;
  try {
    localStorage.setItem(KEY, sends ? 'enter' : 'mod-enter');
  } catch {
    // As above.
  }
  for (const listener of listeners) listener();
}
