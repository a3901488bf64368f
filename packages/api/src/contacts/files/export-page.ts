import type { ContactSort } from '@app/domain/contacts/contact';
import type { ChosenColumn } from '@app/domain/contacts/contact-list-layout';
import { readCustomFields } from '../../custom-fields/custom-field-rules.ts';
import type { ReadScope } from '../../platform/workspace-scope.ts';
import { choiceSql, type FrozenChoice } from '../contact-choice.ts';
import { listContacts } from '../contacts-queries.ts';
import { exportColumns, type ExportColumn, type Format } from './export-format.ts';

export type ExportWish = {
  format: 'csv' | 'json';
  sort: ContactSort;
  choice: FrozenChoice;
  columns?: readonly ChosenColumn[] | undefined;
};

/** Where the next page goes on: the columns are those of the first one. */
export type ExportPlace = { cursor: string; written: number; columns: readonly ExportColumn[] };

export type ExportPage = { text: string; rows: number; next: ExportPlace | null };

/** One page of the file, whether it is kept or leaves at once; without a place the first, and `next` is null behind the last. */
export async function writeExportPage(
  scope: ReadScope,
  { format, writer, sort, choice, limit, ...wish }: ExportWish & { writer: Format; limit: number },
  place: ExportPlace | null,
): Promise<ExportPage> {
  const columns =
    place?.columns ?? exportColumns(await readCustomFields(scope, scope.workspaceId), wish.columns, format);
  const written = place?.written ?? 0;
  const { items, nextCursor } = await listContacts(scope, {
    ...{ where: (bind) => choiceSql(choice, bind, scope.workspaceId), sort, limit, cursor: place?.cursor },
  });
  let text = place ? '' : writer.start(columns);
  items.forEach((contact, index) => (text += writer.write(contact, written + index, columns)));
  if (nextCursor === null) return { text: text + writer.end, rows: items.length, next: null };
  return { text, rows: items.length, next: { cursor: nextCursor, written: written + items.length, columns } };
}
