import type { ContactSort } from '@app/domain/contacts/contact';
import type { CustomFieldRule } from '@app/domain/custom-fields/custom-field';
import { readCustomFields } from '../custom-fields/custom-field-rules.ts';
import type { ReadScope } from '../platform/workspace-scope.ts';
import { choiceSql, type FrozenChoice } from './contact-choice.ts';
import { listContacts } from './contacts-queries.ts';
import type { Format } from './export-format.ts';

export type ExportWish = { format: 'csv' | 'json'; sort: ContactSort; choice: FrozenChoice };

/** Where the next page goes on: the columns are those of the first one. */
export type ExportPlace = { cursor: string; written: number; fields: readonly CustomFieldRule[] };

export type ExportPage = { text: string; rows: number; next: ExportPlace | null };

/** One page of the file, whether it is kept or leaves at once; without a place the first, and `next` is null behind the last. */
export async function writeExportPage(
  scope: ReadScope,
  { format, sort, choice, limit }: Omit<ExportWish, 'format'> & { format: Format; limit: number },
  place: ExportPlace | null,
): Promise<ExportPage> {
  const fields = place?.fields ?? (await readCustomFields(scope, scope.workspaceId));
  const written = place?.written ?? 0;
  const { items, nextCursor } = await listContacts(scope, {
    ...{ where: (bind) => choiceSql(choice, bind), sort, limit, cursor: place?.cursor },
  });
  let text = place ? '' : format.start(fields);
  items.forEach((contact, index) => (text += format.write(contact, written + index, fields)));
  if (nextCursor === null) return { text: text + format.end, rows: items.length, next: null };
  return { text, rows: items.length, next: { cursor: nextCursor, written: written + items.length, fields } };
}
