/** After so many bytes whoever searches may do something else. */
const STEP = 1024 * 1024;
const LETTERS = 256;

export type TextSearch = {
  /**
   * Whether one of the texts stands in the bytes: one look at each byte, so that no file can be made to take longer than
   * its size. Pauses after each megabyte.
   */
  findIn(bytes: Uint8Array): Generator<undefined, boolean>;
  /** The same for bytes that come in pieces: whether one of the texts has ended in those given so far. */
  begin(): (piece: Uint8Array) => boolean;
};

/** Prepares a search for all `texts` at once (Aho and Corasick), of characters below 256. */
export function searchFor(texts: readonly string[], { anyCase = false } = {}): TextSearch {
  const { next, isEnd } = buildAutomaton(texts, anyCase);
  const begin = () => {
    let state = 0;
    let isFound = false;
    return (piece: Uint8Array) => {
      for (let at = 0; at < piece.length && !isFound; at += 1) {
        state = next[state * LETTERS + piece[at]!]!; // the table has a field for each state and byte
        if (isEnd[state]) isFound = true;
      }
      return isFound;
    };
  };
  return {
    begin,
    *findIn(bytes) {
      const isIn = begin();
      for (let start = 0; start < bytes.length; start += STEP) {
        if (isIn(bytes.subarray(start, start + STEP))) return true;
        yield;
      }
      return false;
    },
  };
}

function buildAutomaton(texts: readonly string[], anyCase: boolean) {
  const children: Map<number, number>[] = [new Map()];
  const ends = new Set<number>();
  for (const text of texts) {
    let state = 0;
    for (const byte of Array.from(text, (character) => fold(character.charCodeAt(0), anyCase))) {
      const known = children[state]?.get(byte);
      if (known === undefined) {
        children[state]?.set(byte, children.length);
        children.push(new Map());
      }
      state = known ?? children.length - 1;
    }
    ends.add(state);
  }
  return fillTable(children, ends, anyCase);
}

/** Where no text goes on, the search is where its longest end that begins a text would be. */
function fillTable(children: readonly Map<number, number>[], ends: ReadonlySet<number>, anyCase: boolean) {
  const next = new Uint16Array(children.length * LETTERS);
  const isEnd = new Uint8Array(children.length);
  const fallbacks = new Uint16Array(children.length);
  const order = [0];
  for (const state of order) {
    const fallback = fallbacks[state]!;
    isEnd[state] = ends.has(state) || isEnd[fallback] ? 1 : 0;
    for (let byte = 0; byte < LETTERS; byte += 1) {
      const letter = fold(byte, anyCase);
      const child = children[state]?.get(letter);
      const elsewhere = state === 0 ? 0 : next[fallback * LETTERS + byte]!;
      next[state * LETTERS + byte] = child ?? elsewhere;
      if (child === undefined || letter !== byte) continue;
      fallbacks[child] = elsewhere;
      order.push(child);
    }
  }
  return { next, isEnd };
}

function fold(byte: number, anyCase: boolean): number {
  return anyCase && byte >= 0x41 && byte <= 0x5a ? byte + 0x20 : byte;
}
