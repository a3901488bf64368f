import { csvDelimiters, type CsvDelimiter } from './csv-cell.ts';

/** A row that is larger than any list of contacts has; lines begin at 1. */
export class CsvRowTooLarge extends Error {
  readonly problem: 'cells' | 'characters';
  readonly line: number;
  constructor(problem: CsvRowTooLarge['problem'], line: number) {
    super(`too many ${problem} in line ${line}`);
    this.problem = problem;
    this.line = line;
  }
}

export type CsvRules = {
  delimiter: CsvDelimiter;
  cells: number;
  characters: number;
  /** Lines that were read before. */
  linesBefore?: number;
};

export type CsvRow = {
  cells: string[];
  /** Where it begins; lines begin at 1. */
  line: number;
  /** A quote in the wrong place, or one that no other closes; the cells are then parted as if quotes meant nothing. */
  problem?: 'stray_quote' | 'open_quote';
};

const [QUOTE, SPACE, LINE_FEED, CARRIAGE_RETURN] = [34, 32, 10, 13];
/** Smaller pieces are gathered, because each copies the row that is being read. */
const PIECE = 4_096;

/**
 * Reads the rows of a CSV text (RFC 4180) that arrives in pieces. Empty lines are no rows. Spaces around the quotes of a cell
 * are none of its signs: lists that people type or that programs pad have them. A wrong quote spoils the line in
 * which it stands, and no other: what an open quote would swallow is read anew from its second line on. Throws
 * `CsvRowTooLarge` as soon as a row grows beyond the limits, so that little is in memory.
 */
export function openCsvReader({ delimiter, linesBefore = 0, ...most }: CsvRules): {
  push(piece: string): CsvRow[];
  end(): CsvRow[];
} {
  const mark = delimiter.charCodeAt(0);
  let waiting = '';
  let text = '';
  let at = 0;
  let line = 1 + linesBefore;
  let wasReturn = false;
  let rowStart = 0;
  let cellStart = 0;
  /** Where the quote of the cell stands. */
  let quoteAt = 0;
  let cells: string[] = [];
  let state: 'begins' | 'padded' | 'plain' | 'quoted' | 'closed' | 'behind' | 'spoiled' = 'begins';
  /** Where the first line of the row ends if the row goes on in a quoted cell, else -1. */
  let firstLineEnd = -1;
  let found: CsvRow[] = [];

  function step(code: number): void {
    const isLineEnd = code === LINE_FEED || code === CARRIAGE_RETURN;
    if (state === 'quoted') {
      if (code === QUOTE) state = 'closed';
      else if (isLineEnd && firstLineEnd === -1) firstLineEnd = at;
    } else if (state === 'spoiled') {
      if (isLineEnd) return endLine('stray_quote');
    } else if (code === QUOTE) {
      if (state === 'plain' || state === 'behind') return spoil();
      if (state !== 'closed') quoteAt = at;
      state = 'quoted';
    } else if (code === mark) endCell();
    else if (isLineEnd) return endRow();
    else if (state === 'closed' || state === 'behind') {
      if (code !== SPACE) return spoil();
      state = 'behind';
    } else state = code === SPACE && state !== 'plain' ? 'padded' : 'plain';
    at += 1;
    if (cells.length >= most.cells) refuse('cells');
    else if (at - rowStart > most.characters) refuse('characters');
  }

  function endCell(): void {
    cells.push(
      state === 'closed' || state === 'behind'
        ? text.slice(quoteAt, at).trimEnd().slice(1, -1).replaceAll('""', '"')
        : text.slice(cellStart, at),
    );
    cellStart = at + 1;
    state = 'begins';
  }

  function endRow(): void {
    const isEmptyLine = at === rowStart;
    endCell();
    if (!isEmptyLine) found.push({ cells, line });
    beginRow(at);
  }

  /** What the row has on its first line is a row of its own, and everything behind it is read anew. */
  function endLine(problem: 'stray_quote' | 'open_quote', end = at): void {
    found.push({ cells: text.slice(rowStart, end).split(delimiter, most.cells), line, problem });
    beginRow(end);
  }

  function spoil(): void {
    if (firstLineEnd === -1) state = 'spoiled';
    else endLine('open_quote', firstLineEnd);
  }

  function refuse(problem: CsvRowTooLarge['problem']): void {
    if (firstLineEnd === -1) throw new CsvRowTooLarge(problem, line);
    endLine('open_quote', firstLineEnd);
  }

  /** `end` is where the line end stands, or the end of the text. */
  function beginRow(end: number): void {
    if (firstLineEnd !== -1 && end !== firstLineEnd) line += countLineEnds(text.slice(rowStart, end));
    const code = text.charCodeAt(end);
    line += 1;
    wasReturn = code === CARRIAGE_RETURN;
    at = end + 1;
    rowStart = cellStart = at;
    cells = [];
    state = 'begins';
    firstLineEnd = -1;
  }

  function read(isEnd: boolean): CsvRow[] {
    text = text.slice(rowStart) + waiting;
    waiting = '';
    at -= rowStart;
    cellStart -= rowStart;
    quoteAt -= rowStart;
    if (firstLineEnd !== -1) firstLineEnd -= rowStart;
    rowStart = 0;
    for (;;) {
      while (at < text.length) {
        const code = text.charCodeAt(at);
        const isSecondHalf = wasReturn && code === LINE_FEED;
        wasReturn = false;
        if (isSecondHalf) rowStart = cellStart = at += 1;
        else step(code);
      }
      if (!isEnd || rowStart >= text.length) break;
      if (state === 'quoted') endLine('open_quote', firstLineEnd === -1 ? at : firstLineEnd);
      else if (state === 'spoiled') endLine('stray_quote');
      else endRow();
    }
    const rows = found;
    found = [];
    return rows;
  }

  return {
    push(piece) {
      waiting += piece;
      return waiting.length < PIECE ? [] : read(false);
    },
    end: () => read(true),
  };
}

export type CsvHeader = {
  cells: string[];
  delimiter: CsvDelimiter;
  /** Where it begins: behind the mark of Unicode and a line such as `sep=;`, which tells what separates the columns. */
  from: number;
  /** So many lines stand before it. */
  linesBefore: number;
  /** Its end was seen; otherwise there may be more of it. */
  isWhole: boolean;
};

/** Of a header alone: a file is refused for its size when it is read. */
const ANY = 2 ** 31 - 1;
/** So many lines tell what separates the columns. */
const LINES_LOOKED_AT = 12;

/**
 * The first line of a CSV text; what stands in most of the first lines equally often outside of quotes separates the columns of all lines, so that neither
 * a title above them nor a cell with commas does.
 */
export function readCsvHeader(text: string): CsvHeader {
  const mark = text.startsWith('\ufeff') ? 1 : 0;
  const [said = '', told] = /^\s*"?sep=([,;|\t])"?[,;|\t]*(?:\r\n|\r|\n)/i.exec(text.slice(mark)) ?? [];
  const from = mark + said.length;
  const lines = readLines(text, from);
  const delimiter =
    csvDelimiters.find((one) => one === told) ?? chooseDelimiter(lines.map(({ counts }) => counts));
  const [first] = lines;
  const reader = openCsvReader({ delimiter, cells: ANY, characters: ANY });
  const [row] = [...reader.push(text.slice(from, first?.end ?? from)), ...reader.end()];
  return {
    ...{ cells: row?.cells ?? [''], delimiter, from, linesBefore: said === '' ? 0 : 1 },
    isWhole: first?.isWhole ?? false,
  };
}

type Line = { counts: Record<CsvDelimiter, number>; end: number; isWhole: boolean };

function readLines(text: string, from: number): Line[] {
  const lines: Line[] = [];
  const none = (): Line['counts'] => ({ ',': 0, ';': 0, '\t': 0, '|': 0 });
  let counts = none();
  let isQuoted = false;
  let start = from;
  for (let at = from; at < text.length && lines.length < LINES_LOOKED_AT; at += 1) {
    const character = text.charAt(at);
    if (character === '"') isQuoted = !isQuoted;
    else if (isQuoted) continue;
    else if (character === '\n' || character === '\r') {
      if (at > start) lines.push({ counts, end: at, isWhole: true });
      counts = none();
      start = at + 1;
    } else if (isDelimiter(character)) counts[character] += 1;
  }
  if (start < text.length && lines.length < LINES_LOOKED_AT)
    lines.push({ counts, end: text.length, isWhole: false });
  return lines;
}

/** Of equals the first wins: a comma, as long as nothing speaks against it. */
function chooseDelimiter(lines: readonly Line['counts'][]): CsvDelimiter {
  const score = (delimiter: CsvDelimiter): number => {
    const frequency = new Map<number, number>();
    for (const { [delimiter]: count } of lines)
      if (count > 0) frequency.set(count, (frequency.get(count) ?? 0) + 1);
    // What stands in one line alone separates its columns where that line is the first.
    const [first] = lines;
    const likely = [...frequency].filter(([count, times]) => times > 1 || first?.[delimiter] === count);
    return Math.max(0, ...likely.map(([count, times]) => times * 1_000 + Math.min(count, 999)));
  };
  return csvDelimiters.reduce((best, other) => (score(other) > score(best) ? other : best));
}

function isDelimiter(character: string): character is CsvDelimiter {
  return csvDelimiters.some((delimiter) => delimiter === character);
}

function countLineEnds(text: string): number {
  return text.match(/\r\n|\r|\n/g)?.length ?? 0;
}
