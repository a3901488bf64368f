import type { Json } from './flow-file.ts';

/** Values that a run has: of its trigger, its contact and its earlier steps. */
export type FlowValues = {
  trigger: { readonly [name: string]: Json };
  contact: { readonly [name: string]: Json };
  steps: { readonly [stepId: string]: { readonly [name: string]: Json } };
  workspace: { readonly [name: string]: Json };
};

/** Fields of the contact that every flow knows; custom fields follow as `contact.fields.<key>`. */
export const contactValueNames = ['name', 'first_name', 'phone', 'email', 'language'] as const;
export const workspaceValueNames = ['business'] as const;

const reference = /\{\{\s*([\p{L}\p{M}\p{N}_.-]+)(?:\s*\|\s*([^{}]*?))?\s*\}\}/gu;

/** The paths of a text, in order: `contact.name`, `trigger.text`, `steps.ask.reply`. */
export function findReferences(text: string): string[] {
  return [...text.matchAll(reference)].map(([, path]) => path!); // the group always matches
}

/** The path of a text that is one reference and nothing else; null for every other text. */
export function soleReference(text: string): string | null {
  const [found, ...others] = text.matchAll(reference);
  return found && others.length === 0 && found[0] === text.trim() ? found[1]! : null; // the group always matches
}

/**
 * The text with its values: `{{contact.name}}`, or `{{contact.name | friend}}` with a word for contacts without one. A value that
 * is missing and has no such word becomes nothing. Values are put in once: one that looks like a reference stays as it is.
 */
export function fillValues(text: string, values: FlowValues, escape?: ValueEscape): string {
  return text.replace(reference, (raw, path: string, instead: string | undefined) => {
    // Secrets are put in where the call leaves, and nowhere else.
    if (path.startsWith('secret.')) return raw;
    const written = writeValue(readValue(values, path));
    return escapeValue(written !== '' ? written : (instead ?? ''), escape);
  });
}

/** Where the text is put: between the quotes of a JSON text, into an address, or into one line. */
export type ValueEscape = 'json' | 'url' | 'line';

function escapeValue(value: string, escape: ValueEscape | undefined): string {
  if (escape === 'json') return JSON.stringify(value).slice(1, -1);
  if (escape === 'url') return encodeURIComponent(value.toWellFormed());
  return escape === 'line' ? value.replace(/[\r\n\0]+/g, ' ') : value;
}

/** The value at a path of dots; undefined where there is none. Numbers reach into lists. */
export function readValue(values: FlowValues, path: string): Json | undefined {
  return readPath(values as unknown as Json, path);
}

/** The same within any JSON value. A part of the path is a key, or how `pathName` writes it. */
export function readPath(from: Json, path: string): Json | undefined {
  let found: Json | undefined = from;
  for (const name of path.split('.')) {
    if (typeof found !== 'object' || found === null) return undefined;
    const key = keyOf(found, name);
    if (key === undefined) return undefined;
    found = (found as { readonly [key: string]: Json })[key];
  }
  return found;
}

function keyOf(value: object, name: string): string | undefined {
  if (name === '' || Object.hasOwn(value, name)) return Object.hasOwn(value, name) ? name : undefined;
  return Object.keys(value).find((key) => pathName(key) === name);
}

const OTHER_SIGNS = /[^\p{L}\p{M}\p{N}_-]+/gu;

/** How a path names a key: `Phone number` is `Phone_number`, and `data[email]` is `data_email`. Empty for a key of marks alone. */
export function pathName(key: string): string {
  return key.replace(OTHER_SIGNS, ' ').trim().replaceAll(' ', '_');
}

/** As it stands in a text: lists by commas, nothing for what is missing. */
export function writeValue(value: Json | undefined): string {
  if (value === undefined || value === null) return '';
  if (typeof value === 'string') return value;
  if (typeof value !== 'object') return String(value);
  return Array.isArray(value) && value.every((item) => typeof item !== 'object')
    ? value.map(writeValue).join(', ')
    : JSON.stringify(value);
}
