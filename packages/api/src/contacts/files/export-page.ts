import type { ContactSort } from '@app/domain/contacts/contact';
import type { ChosenColumn } from '@app/domain/contacts/contact-list-layout';
import type { ExportFormat } from '@app/domain/contacts/export-format';
import { readCustomFields } from '../../custom-fields/custom-field-rules.ts';
import {
  addRows,
  beginWorkbook,
  endWorkbook,
  type WorkbookPlace,
} from '../../platform/workbooks/workbook-file.ts';
import type { ReadScope } from '../../platform/workspace-scope.ts';
import { choiceSql, type FrozenChoice } from '../contact-choice.ts';
import { listContacts, type Contact } from '../contacts-queries.ts';
import { exportColumns, headingsOf, openFormat, writeCells, type ExportColumn } from './export-format.ts';

export type ExportWish = {
  format: ExportFormat;
  sort: ContactSort;
  choice: FrozenChoice;
  columns?: readonly ChosenColumn[] | undefined;
};

/** Where the next page goes on: the columns are those of the first one. */
export type ExportPlace = {
  cursor: string;
  written: number;
  columns: readonly ExportColumn[];
  workbook?: WorkbookPlace;
  /** The cursor is the number of a page that was kept; an act that began before pages were goes on without them. */
  isOfKept?: boolean;
};

export type ExportPage = { bytes: Uint8Array; rows: number; next: ExportPlace | null };

export type ExportPages = ExportWish & {
  /** When the file was begun. */
  at: Date;
  limit: number;
  /** Who is on a page, where that was kept; null behind the last. */
  kept?: ((page: number) => Promise<readonly string[] | null>) | undefined;
};

/** One page of the file, whether it is kept or leaves at once; without a place the first, and `next` is null behind the last. */
export async function writeExportPage(
  scope: ReadScope,
  wish: ExportPages,
  place: ExportPlace | null,
): Promise<ExportPage> {
  const columns =
    place?.columns ??
    exportColumns(await readCustomFields(scope, scope.workspaceId), wish.columns, wish.format);
  const { items, nextCursor } = await readPeople(scope, wish, place?.cursor);
  const { bytes, workbook } = writePeople(wish, { columns, items, place, isLast: nextCursor === null });
  if (nextCursor === null) return { bytes, rows: items.length, next: null };
  const written = (place?.written ?? 0) + items.length;
  return {
    ...{ bytes, rows: items.length },
    next: {
      ...{ cursor: nextCursor, written, columns, isOfKept: wish.kept !== undefined },
      ...(workbook && { workbook }),
    },
  };
}

/** Those who were kept are read as they are by now. */
async function readPeople(
  scope: ReadScope,
  { choice, sort, limit, kept }: ExportPages,
  cursor: string | undefined,
): Promise<{ items: Contact[]; nextCursor: string | null }> {
  if (!kept)
    return listContacts(scope, {
      ...{ where: (bind) => choiceSql(choice, bind, scope.workspaceId), sort, limit, cursor },
    });
  const page = Number(cursor ?? 0);
  const ids = (await kept(page)) ?? [];
  const { items } = await listContacts(scope, {
    where: (bind) => `c.id = ANY (${bind(ids, 'uuid[]')})`,
    ...{ sort, limit, cursor: undefined },
  });
  return { items, nextCursor: ids.length < limit ? null : String(page + 1) };
}

type People = {
  columns: readonly ExportColumn[];
  items: readonly Contact[];
  place: ExportPlace | null;
  isLast: boolean;
};

function writePeople({ format, at }: ExportPages, { columns, items, place, isLast }: People) {
  if (format === 'xlsx') {
    const begun = place?.workbook
      ? { bytes: new Uint8Array(), place: place.workbook }
      : beginWorkbook(headingsOf(columns));
    const added = addRows(
      begun.place,
      items.map((contact) => writeCells(contact, columns)),
    );
    const end = isLast ? endWorkbook(added.place) : new Uint8Array();
    return { bytes: Buffer.concat([begun.bytes, added.bytes, end]), workbook: added.place };
  }
  const writer = openFormat(format, at);
  const written = place?.written ?? 0;
  let text = place ? '' : writer.start(columns);
  items.forEach((contact, index) => (text += writer.write(contact, written + index, columns)));
  return { bytes: new TextEncoder().encode(isLast ? text + writer.end : text), workbook: undefined };
}
