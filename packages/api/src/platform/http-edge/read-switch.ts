const WORDS: Readonly<Record<string, boolean>> = { '1': true, true: true, '0': false, false: false };

/** A switch of an address, off where it is not named; null for a word that is neither: what was meant as a try must not become the act. */
export function readSwitch(query: URLSearchParams, name: string): boolean | null {
  const word = query.get(name);
  return word === null ? false : (WORDS[word.toLowerCase()] ?? null);
}
