import type { SteppingKind } from '../platform/operations/step-operation.ts';
import { writePage } from '../platform/operations/write-page.ts';
import { describeResults, writeResultsPage, type ResultsPlace, type ResultsWish } from './results-file.ts';

const ROWS_AT_ONCE = 5_000;

/** The results of a campaign as a file, written page by page. */
export const resultsExport = {
  name: 'results-export',
  async step(scope, operation) {
    const wish = operation.wish as ResultsWish; // as it was begun
    const place = typeof operation.resume.cursor === 'string' ? (operation.resume as ResultsPlace) : null; // as the page before kept it
    const { bytes, rows, next } = await writeResultsPage(scope, { ...wish, limit: ROWS_AT_ONCE }, place);
    const file = describeResults(wish);
    return writePage(scope, operation, { bytes, rows, isLast: next === null, resume: next ?? {}, file });
  },
  onEnd: async () => undefined,
} satisfies SteppingKind;
