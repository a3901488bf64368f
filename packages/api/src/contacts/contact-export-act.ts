import { writePage } from '../platform/long-acts/write-page.ts';
import type { SteppingKind } from '../platform/long-acts/step-act.ts';
import { openFormat } from './export-format.ts';
import { writeExportPage, type ExportPlace, type ExportWish } from './export-page.ts';

const ROWS_AT_ONCE = 5_000;

/** The chosen contacts as a file that the import reads back, written page by page. */
export const contactExport = {
  name: 'contact-export',
  async step(scope, act) {
    const { format: extension, sort, choice } = act.wish as ExportWish; // as it was begun
    const format = openFormat(extension, act.created_at);
    const place = 'cursor' in act.resume ? (act.resume as ExportPlace) : null; // as the page before kept it
    const page = await writeExportPage(scope, { format, sort, choice, limit: ROWS_AT_ONCE }, place);
    return writePage(scope, act, {
      ...{ text: page.text, rows: page.rows, isLast: page.next === null, resume: page.next ?? {} },
      file: { subject: 'contacts', extension, type: format.type },
    });
  },
  onEnd: async () => undefined,
} satisfies SteppingKind;
