import type { FlowFile } from '@app/domain/flows/flow-file';

/** Texts, by their names in objects of objects. */
export type TypedValues = { [name: string]: string | TypedValues };

const REFERENCE = /\{\{\s*trigger\.([\w.-]+)/g;

/** The values of the trigger that steps of the flow use, each once: `text`, `body.order.id`. */
export function usedTriggerValues({ steps }: Pick<FlowFile, 'steps'>): string[] {
  const found = JSON.stringify(steps).matchAll(REFERENCE);
  return [...new Set([...found].map(([, path]) => path ?? ''))].filter((path) => path !== '').toSorted();
}

/** What was typed for each path, as the object that a trigger brings: `{ body: { order: { id } } }`. */
export function asTriggerValues(typed: ReadonlyMap<string, string>): TypedValues {
  const values: TypedValues = {};
  for (const [path, text] of typed) {
    const names = path.split('.');
    let place = values;
    for (const name of names.slice(0, -1)) {
      const inner = place[name];
      const next: TypedValues = typeof inner === 'object' ? inner : {};
      place[name] = next;
      place = next;
    }
    place[names.at(-1) ?? path] = text;
  }
  return values;
}
