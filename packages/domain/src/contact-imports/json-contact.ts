import { findFieldByName, type CustomFieldRule } from '../custom-fields/custom-field.ts';
import { guessMapping, type ImportMapping, type ImportTarget } from './import-mapping.ts';

/** As our own export has the values of custom fields, in an object of their own. */
const CUSTOM = 'customFields';
const BESIDE = `${CUSTOM}.`;

/** What an element says, by its keys; a custom value of our own export by both of its keys. */
export function readJsonValues(element: unknown): Map<string, unknown> {
  const values = new Map<string, unknown>();
  if (typeof element !== 'object' || Array.isArray(element)) return values;
  for (const [key, value] of Object.entries<unknown>(Object(element))) {
    if (key !== CUSTOM) values.set(key, value);
    else {
      values.set(CUSTOM, null);
      for (const [inner, own] of Object.entries<unknown>(Object(value))) values.set(`${BESIDE}${inner}`, own);
    }
  }
  return values;
}

/** The keys that can mean something of their own. */
export function listJsonKeys(elements: readonly unknown[]): string[] {
  const keys = elements.flatMap((element) => [...readJsonValues(element).keys()]);
  return [...new Set(keys)].filter((key) => key !== CUSTOM);
}

/** What keys mean by themselves, as headings do. In an export of ours a field named like the language stands apart from it. */
export function guessJsonTargets(
  keys: readonly string[],
  fields: readonly Pick<CustomFieldRule, 'key' | 'label'>[],
): (ImportTarget | null)[] {
  const own = new Map<string, ImportTarget>();
  for (const key of keys) {
    const field = key.startsWith(BESIDE) ? findFieldByName(fields, key.slice(BESIDE.length)) : undefined;
    if (field && ![...own.values()].includes(`custom:${field.key}`)) own.set(key, `custom:${field.key}`);
  }
  const others = keys.filter((key) => key !== CUSTOM && !key.startsWith(BESIDE));
  const isOurs = others.length < keys.length;
  const rest = isOurs ? fields.filter((field) => findFieldByName([field], 'language') === undefined) : fields;
  const guess = guessMapping(others, rest);
  const taken = new Set(own.values());
  return keys.map((key) => {
    const target = own.get(key) ?? guess[others.indexOf(key)] ?? null;
    return target !== null && !own.has(key) && taken.has(target) ? null : target;
  });
}

/** A mapping of columns by their place, of the keys that stand at these places. */
export function mapByKey(keys: readonly string[], targets: readonly (ImportTarget | null)[]): ImportMapping {
  const named = keys.flatMap((key, at) => {
    const target = targets[at];
    return target ? [[key, target] as const] : [];
  });
  return Object.fromEntries(named);
}
