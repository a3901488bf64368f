import { forgetPartsBeside } from '../../platform/long-acts/act-parts.ts';
import { writePage } from '../../platform/long-acts/write-page.ts';
import type { SteppingKind } from '../../platform/long-acts/step-act.ts';
import { mediaTypeOf } from './export-format.ts';
import { writeExportPage, type ExportPlace, type ExportWish } from './export-page.ts';
import { changesMeanwhile, keepPeople, readKeptPeople } from './kept-people.ts';

const ROWS_AT_ONCE = 5_000;

/** The chosen contacts as a file that the import reads back, written page by page. */
export const contactExport = {
  name: 'contact-export',
  async step(scope, act) {
    const { about, ...wish } = act.wish as ExportWish & { about?: string }; // as it was begun
    const place = 'cursor' in act.resume ? (act.resume as ExportPlace) : null; // as the page before kept it
    const isKept = place ? place.isOfKept === true : changesMeanwhile(wish.choice);
    if (isKept && !place) await keepPeople(scope, act.id, { ...wish, limit: ROWS_AT_ONCE });
    const pages = {
      ...{ ...wish, at: act.created_at, limit: ROWS_AT_ONCE },
      ...(isKept && { kept: (page: number) => readKeptPeople(scope, act.id, page) }),
    };
    const page = await writeExportPage(scope, pages, place);
    if (isKept && !page.next)
      await forgetPartsBeside(scope, { workspaceId: scope.workspaceId, actId: act.id });
    return writePage(scope, act, {
      ...{ bytes: page.bytes, rows: page.rows, isLast: page.next === null, resume: page.next ?? {} },
      file: { subject: about ?? 'contacts', extension: wish.format, type: mediaTypeOf(wish.format) },
    });
  },
  onEnd: async () => undefined,
} satisfies SteppingKind;
