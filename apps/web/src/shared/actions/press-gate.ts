import { SAME_PRESS_MS } from './request-memory.ts';

/** Lets through the first press of an act; whoever is let through leaves again when the act has ended. */
export function createPressGate() {
  const underWay = new Set<string>();
  let last: string | null = null;
  return {
    /** False for an act that is under way or was done just before, with no other act in between. */
    enter(act: string): boolean {
      if (underWay.has(act) || last === act) return false;
      underWay.add(act);
      last = null;
      return true;
    },
    leave(act: string, isDone: boolean): void {
      underWay.delete(act);
      if (!isDone) return;
      last = act;
      setTimeout(() => {
        if (last === act) last = null;
      }, SAME_PRESS_MS);
    },
  };
}
