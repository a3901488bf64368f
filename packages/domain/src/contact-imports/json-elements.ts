/** Why a JSON text gives no elements; lines begin at 1. */
export class JsonElementsError extends Error {
  readonly problem: 'not-an-array' | 'too-deep' | 'too-long' | 'malformed' | 'unfinished';
  readonly line: number;
  constructor(problem: JsonElementsError['problem'], line: number) {
    super(`${problem} in line ${line}`);
    this.problem = problem;
    this.line = line;
  }
}

const MAX_DEPTH = 64;
const MAX_ELEMENT = 1_000_000;

/**
 * Splits a JSON text that arrives in pieces into the elements of its array (the text itself, or the `field` of its
 * object), so that only one element is in memory. Throws `JsonElementsError`. `push` answers with the elements that
 * the piece completed; `end` checks that the text is whole.
 */
export function splitJsonArray(field: string): { push(text: string): unknown[]; end(): void } {
  let line = 1;
  const open: string[] = [];
  let isInString = false;
  let isEscaped = false;
  /** Of the outer object: its newest key, and whether the value after it has begun. */
  let key = '';
  let isPastColon = false;
  /** How deep the elements lie; 0 outside the array. */
  let elementDepth = 0;
  let element = '';
  let hasElements = false;
  let found = false;
  let isFinished = false;

  const fail = (problem: JsonElementsError['problem']) => new JsonElementsError(problem, line);

  function readElement(isLast: boolean): unknown[] {
    const text = element;
    element = '';
    if (text.trim() === '' && isLast && !hasElements) return [];
    hasElements = true;
    try {
      return [JSON.parse(text)];
    } catch {
      throw fail('malformed');
    }
  }

  function readStringCharacter(character: string): void {
    if (isEscaped) isEscaped = false;
    else if (character === '\\') isEscaped = true;
    else if (character === '"') {
      isInString = false;
      return;
    }
    if (open.length === 1 && !isPastColon && key.length <= field.length) key += character;
  }

  function openBracket(character: string): void {
    const isWanted =
      character === '[' &&
      !found &&
      (open.length === 0 || (open.length === 1 && open[0] === '{' && isPastColon && key === field));
    open.push(character);
    if (open.length > MAX_DEPTH) throw fail('too-deep');
    if (isWanted) {
      found = true;
      elementDepth = open.length;
    }
  }

  function closeBracket(character: string): void {
    if (open.pop() !== (character === '}' ? '{' : '[')) throw fail('malformed');
    if (open.length < elementDepth) elementDepth = 0;
    isFinished = open.length === 0;
  }

  function readOutside(character: string): void {
    if (isSpace(character)) return;
    if (isFinished) throw fail('malformed');
    if (open.length === 0 && character !== '{' && character !== '[') throw fail('not-an-array');
    if (open.length === 1 && character === ':') isPastColon = true;
    if (open.length === 1 && character === ',') isPastColon = false;
    if (character === '"') {
      isInString = true;
      if (open.length === 1 && !isPastColon) key = '';
    } else if (character === '{' || character === '[') openBracket(character);
    else if (character === '}' || character === ']') closeBracket(character);
  }

  function push(text: string): unknown[] {
    const elements: unknown[] = [];
    let start = 0; // of the part of `text` that belongs to the current element
    for (let index = 0; index < text.length; index += 1) {
      const character = text.charAt(index);
      if (character === '\n') line += 1;
      if (isInString) {
        readStringCharacter(character);
      } else if (
        elementDepth > 0 &&
        open.length === elementDepth &&
        (character === ',' || character === ']')
      ) {
        element += text.slice(start, index);
        elements.push(...readElement(character === ']'));
        start = index + 1;
        if (character === ']') closeBracket(character);
      } else {
        const wasOutside = elementDepth === 0;
        readOutside(character);
        if (wasOutside && elementDepth > 0) start = index + 1;
      }
      if (elementDepth > 0 && element.length + index - start > MAX_ELEMENT) throw fail('too-long');
    }
    if (elementDepth > 0) element += text.slice(start);
    return elements;
  }

  function end(): void {
    if (!isFinished) throw fail(open.length > 0 ? 'unfinished' : 'not-an-array');
    if (!found) throw fail('not-an-array');
  }

  return { push, end };
}

function isSpace(character: string): boolean {
  return character === ' ' || character === '\n' || character === '\r' || character === '\t';
}
