import type { CsvDelimiter } from './csv-cell.ts';

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

export type CsvRowLimit = { cells: number; characters: number; delimiter: CsvDelimiter };

const [QUOTE, LINE_FEED, CARRIAGE_RETURN] = [34, 10, 13];

/**
 * Looks at a CSV text piece by piece before it is parsed, and throws `CsvRowTooLarge` as soon as a row grows beyond the
 * limit: a parser holds all cells of a row, and empty ones weigh much more than what stands between them.
 */
export function limitCsvRows(limit: CsvRowLimit): (text: string) => void {
  const delimiter = limit.delimiter.charCodeAt(0);
  let line = 1;
  let rowLine = 1;
  let isQuoted = false;
  let cells = 1;
  let characters = 0;
  let wasReturn = false;

  return (text) => {
    for (let index = 0; index < text.length; index += 1) {
      const code = text.charCodeAt(index);
      characters += 1;
      const endsLine = code === CARRIAGE_RETURN || (code === LINE_FEED && !wasReturn);
      wasReturn = code === CARRIAGE_RETURN;
      if (endsLine) line += 1;
      if (code === QUOTE) isQuoted = !isQuoted;
      else if (code === delimiter && !isQuoted) cells += 1;
      else if ((code === LINE_FEED || code === CARRIAGE_RETURN) && !isQuoted) {
        rowLine = line;
        cells = 1;
        characters = 0;
      }
      if (cells > limit.cells) throw new CsvRowTooLarge('cells', rowLine);
      if (characters > limit.characters) throw new CsvRowTooLarge('characters', rowLine);
    }
  };
}
