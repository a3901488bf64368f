import { writePage } from '../../platform/long-acts/write-page.ts';
import type { SteppingKind } from '../../platform/long-acts/step-act.ts';
import { openFormat } from './export-format.ts';
import { writeExportPage, type ExportPlace, type ExportWish } from './export-page.ts';

const ROWS_AT_ONCE = 5_000;

/** The chosen contacts as a file that the import reads back, written page by page. */
export const contactExport = {
  name: 'contact-export',
  async step(scope, act) {
    const { about, ...wish } = act.wish as ExportWish & { about?: string }; // as it was begun
    const writer = openFormat(wish.format, act.created_at);
    const place = 'cursor' in act.resume ? (act.resume as ExportPlace) : null; // as the page before kept it
    const page = await writeExportPage(scope, { ...wish, writer, limit: ROWS_AT_ONCE }, place);
    return writePage(scope, act, {
      ...{ text: page.text, rows: page.rows, isLast: page.next === null, resume: page.next ?? {} },
      file: { subject: about ?? 'contacts', extension: wish.format, type: writer.type },
    });
  },
  onEnd: async () => undefined,
} satisfies SteppingKind;
