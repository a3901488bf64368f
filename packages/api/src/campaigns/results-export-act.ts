import type { SteppingKind } from '../platform/long-acts/step-act.ts';
import { writePage } from '../platform/long-acts/write-page.ts';
import { listRecipients } from './campaign-recipients.ts';
import { resultsFile } from './results-file.ts';

const ROWS_AT_ONCE = 5_000;

export type ResultsWish = { runNo: number | null };

/** The results of a campaign as a file, written page by page. */
export const resultsExport = {
  name: 'results-export',
  async step(scope, act) {
    const { runNo } = act.wish as ResultsWish; // as it was begun
    const cursor = typeof act.resume.cursor === 'string' ? act.resume.cursor : undefined;
    const page =
      runNo === null
        ? { items: [], nextCursor: null }
        : await listRecipients(scope, { runNo, limit: ROWS_AT_ONCE, cursor });
    const { file, start, write } = resultsFile;
    const text = page.items.map(write).join('');
    return writePage(scope, act, {
      text: cursor === undefined ? start + text : text,
      ...{ rows: page.items.length, isLast: page.nextCursor === null, resume: { cursor: page.nextCursor } },
      file,
    });
  },
  onEnd: async () => undefined,
} satisfies SteppingKind;
