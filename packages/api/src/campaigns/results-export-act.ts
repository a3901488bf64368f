import type { SteppingKind } from '../platform/long-acts/step-act.ts';
import { writePage } from '../platform/long-acts/write-page.ts';
import { resultsFile, writeResultsPage, type ResultsWish } from './results-file.ts';

const ROWS_AT_ONCE = 5_000;

/** The results of a campaign as a file, written page by page. */
export const resultsExport = {
  name: 'results-export',
  async step(scope, act) {
    const wish = act.wish as ResultsWish; // as it was begun
    const cursor = typeof act.resume.cursor === 'string' ? act.resume.cursor : undefined;
    const { text, rows, next } = await writeResultsPage(scope, { ...wish, limit: ROWS_AT_ONCE }, cursor);
    const file = resultsFile.of(wish);
    return writePage(scope, act, { text, rows, isLast: next === null, resume: { cursor: next }, file });
  },
  onEnd: async () => undefined,
} satisfies SteppingKind;
