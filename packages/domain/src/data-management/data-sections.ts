import { JsonElementsError } from '../contact-imports/json-elements.ts';

/** What stands in a file of data: an element of one of its lists, counted from 1, or a value of its own. */
export type DataPiece =
  | { section: string; row: number; value: unknown }
  | { section: string; value: unknown };

const MOST_DEPTH = 64;
const LONGEST = 1_000_000;
/** Of names in the object: each is remembered, for none may come twice. */
const MOST_SECTIONS = 1_000;

/**
 * Splits the JSON object of a file of data, which arrives in pieces, so that one element is in memory. `lists` name what comes by the
 * element; of those in `passed` nothing is read. Throws `JsonElementsError`. `end` checks that the text is whole;
 * `lists` tells which of them were there.
 */
export function splitDataSections(
  lists: readonly string[],
  passed: readonly string[] = [],
): { push(text: string): DataPiece[]; end(): void; lists(): ReadonlySet<string> } {
  let line = 1;
  let where: 'before' | 'key' | 'colon' | 'value' | 'inside' | 'behind' | 'after' = 'before';
  let isList = false;
  /** A comma stood before what comes now. */
  let isDue = false;
  let section = '';
  let row = 0;
  let depth = 0;
  let isInString = false;
  let isEscaped = false;
  let kept = '';
  let length = 0;
  const seen = new Set<string>();
  const found = new Set<string>();

  const fail = (problem: JsonElementsError['problem']) => new JsonElementsError(problem, line);
  const isPassed = () => isList && passed.includes(section);

  function parse(text: string): unknown {
    try {
      return JSON.parse(text);
    } catch {
      throw fail('malformed');
    }
  }

  /** What was collected is over. */
  function take(pieces: DataPiece[], isLast: boolean): void {
    const text = kept;
    kept = '';
    const isEmpty = length === 0;
    length = 0;
    if (isList && isEmpty && isLast && !isDue) return;
    if (isEmpty) throw fail('malformed');
    if (isPassed()) return;
    if (!isList) pieces.push({ section, value: parse(text) });
    else pieces.push({ section, row: (row += 1), value: parse(text) });
  }

  function begin(character: string): void {
    isList = character === '[' && (lists.includes(section) || passed.includes(section));
    if (isList) found.add(section);
    row = 0;
    isDue = false;
    where = 'inside';
  }

  function endKey(): void {
    section = String(parse(kept));
    kept = '';
    length = 0;
    if (seen.has(section) || seen.size === MOST_SECTIONS) throw fail('malformed');
    seen.add(section);
    where = 'colon';
  }

  /** Outside of strings. */
  function readInside(character: string, pieces: DataPiece[]): void {
    const isEnd = depth === 0 && (character === ',' || character === (isList ? ']' : '}'));
    if (isEnd) {
      take(pieces, character !== ',');
      isDue = character === ',';
      if (isList && character === ',') return;
      where = isList ? 'behind' : character === ',' ? 'key' : 'after';
      return;
    }
    if (character === '{' || character === '[') depth += 1;
    if (character === '}' || character === ']') depth -= 1;
    if (depth < 0) throw fail('malformed');
    if (depth > MOST_DEPTH) throw fail('too-deep');
    if (character === '"') isInString = true;
    keep(character);
  }

  function keep(character: string): void {
    if (length === 0 && isSpace(character)) return;
    length += 1;
    if (length > LONGEST) throw fail('too-long');
    if (!isPassed() || where === 'key') kept += character;
  }

  function readString(character: string): void {
    keep(character);
    if (isEscaped) isEscaped = false;
    else if (character === '\\') isEscaped = true;
    else if (character === '"') {
      isInString = false;
      if (where === 'key') endKey();
    }
  }

  function readOutside(character: string, pieces: DataPiece[]): void {
    if (where === 'inside') return readInside(character, pieces);
    if (isSpace(character)) return;
    if (where === 'before') {
      if (character !== '{') throw fail('not-an-array');
      where = 'key';
    } else if (where === 'key' && character === '"') {
      isInString = true;
      isList = false;
      keep(character);
    } else if (where === 'colon' && character === ':') where = 'value';
    else if (where === 'value') {
      begin(character);
      if (!isList) readInside(character, pieces);
    } else if (where === 'behind' && character === ',') {
      isDue = true;
      where = 'key';
    } else if ((where === 'behind' || (where === 'key' && !isDue)) && character === '}') where = 'after';
    else throw fail('malformed');
  }

  return {
    push(text) {
      const pieces: DataPiece[] = [];
      for (const character of text) {
        if (character === '\n') line += 1;
        if (isInString) readString(character);
        else readOutside(character, pieces);
      }
      return pieces;
    },
    end() {
      if (where === 'before') throw fail('not-an-array');
      if (where !== 'after') throw fail('unfinished');
    },
    lists: () => found,
  };
}

function isSpace(character: string): boolean {
  return character === ' ' || character === '\n' || character === '\r' || character === '\t';
}
