import { deletePartsBeside } from '../../platform/operations/operation-parts.ts';
import { writePage } from '../../platform/operations/write-page.ts';
import type { SteppingKind } from '../../platform/operations/step-operation.ts';
import { mediaTypeOf } from './export-format.ts';
import { writeExportPage, type ExportPlace, type ExportWish } from './export-page.ts';
import { changesMeanwhile, keepPeople, readKeptPeople } from './kept-people.ts';

const ROWS_AT_ONCE = 5_000;

/** The chosen contacts as a file that the import reads back, written page by page. */
export const contactExport = {
  name: 'contact-export',
  async step(scope, operation) {
    const { about, ...wish } = operation.wish as ExportWish & { about?: string }; // as it was begun
    const place = 'cursor' in operation.resume ? (operation.resume as ExportPlace) : null; // as the page before kept it
    const isKept = place ? place.isOfKept === true : changesMeanwhile(wish.choice);
    if (isKept && !place) await keepPeople(scope, operation.id, { ...wish, limit: ROWS_AT_ONCE });
    const pages = {
      ...{ ...wish, at: operation.created_at, limit: ROWS_AT_ONCE },
      ...(isKept && { kept: (page: number) => readKeptPeople(scope, operation.id, page) }),
    };
    const page = await writeExportPage(scope, pages, place);
    if (isKept && !page.next)
      await deletePartsBeside(scope, { workspaceId: scope.workspaceId, operationId: operation.id });
    return writePage(scope, operation, {
      ...{ bytes: page.bytes, rows: page.rows, isLast: page.next === null, resume: page.next ?? {} },
      file: { subject: about ?? 'contacts', extension: wish.format, type: mediaTypeOf(wish.format) },
    });
  },
  onEnd: async () => undefined,
} satisfies SteppingKind;
