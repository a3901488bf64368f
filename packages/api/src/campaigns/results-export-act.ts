import { writeCsvCell } from '@app/domain/contact-imports/csv-cell';
import type { SteppingKind } from '../platform/long-acts/step-act.ts';
import { writePage } from '../platform/long-acts/write-page.ts';
import { listRecipients } from './campaign-recipients.ts';

const ROWS_AT_ONCE = 5_000;
const HEADINGS = 'name,phone,outcome,code,explanation,time\r\n';

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
    const lines = page.items.map(
      ({ name, phone, outcome, errorCode, explanation, at }) =>
        `${[name, phone, outcome, errorCode ?? '', explanation ?? '', at ?? ''].map(writeCsvCell).join(',')}\r\n`,
    );
    return writePage(scope, act, {
      text: (cursor === undefined ? HEADINGS : '') + lines.join(''),
      ...{ rows: lines.length, isLast: page.nextCursor === null, resume: { cursor: page.nextCursor } },
      file: { subject: 'campaign-results', extension: 'csv', type: 'text/csv; charset=utf-8' },
    });
  },
  onEnd: async () => undefined,
} satisfies SteppingKind;
