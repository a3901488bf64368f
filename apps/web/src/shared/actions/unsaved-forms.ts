const unsaved = new Set<symbol>();
const waiting = new Set<() => void>();

/** Counts a form whose content would be lost; the function that comes back takes it out again. */
export function markUnsaved(): () => void {
  const form = Symbol('unsaved form');
  unsaved.add(form);
  return () => {
    unsaved.delete(form);
    if (unsaved.size > 0) return;
    for (const resolve of waiting) resolve();
    waiting.clear();
  };
}

export function isAnythingUnsaved(): boolean {
  return unsaved.size > 0;
}

/** Resolves once no form holds what would be lost: at once when none does. */
export function whenNothingIsUnsaved(): Promise<void> {
  return isAnythingUnsaved() ? new Promise((resolve) => waiting.add(resolve)) : Promise.resolve();
}
