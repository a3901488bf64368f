/** A key between quotes. */
const WHOLE_KEY = /['"`]([a-zA-Z][\w-]*(?:\.[\w-]+)+)['"`]/g;
/** The beginning of a key that goes on with a value: `contacts.status.${status}`. */
const BEGINNING = /`([a-zA-Z][\w-]*\.[\w.-]*)\$\{/g;

/** The keys that no source names, neither whole nor by their beginning. */
export function findUnusedTexts(keys: readonly string[], sources: Iterable<string>): string[] {
  const whole = new Set<string>();
  const beginnings = new Set<string>();
  for (const source of sources) {
    for (const [, key = ''] of source.matchAll(WHOLE_KEY)) whole.add(key);
    for (const [, beginning = ''] of source.matchAll(BEGINNING)) beginnings.add(beginning);
  }
  return keys.filter(
    (key) => !whole.has(key) && ![...beginnings].some((beginning) => key.startsWith(beginning)),
  );
}
