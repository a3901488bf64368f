import type { ContactSort } from '@app/domain/contacts/contact';
import type { CustomFieldRule } from '@app/domain/custom-fields/custom-field';
import { readCustomFields } from '../custom-fields/custom-field-rules.ts';
import { writePage } from '../platform/long-acts/write-page.ts';
import type { StoredAct } from '../platform/long-acts/long-act-rows.ts';
import type { SteppingKind } from '../platform/long-acts/step-act.ts';
import { choiceSql, type FrozenChoice } from './contact-choice.ts';
import { listContacts } from './contacts-queries.ts';
import { openFormat } from './export-format.ts';

const ROWS_AT_ONCE = 5_000;

export type ExportWish = { format: 'csv' | 'json'; sort: ContactSort; choice: FrozenChoice };

/** The chosen contacts as a file that the import reads back, written page by page. */
export const contactExport = {
  name: 'contact-export',
  async step(scope, act) {
    const { format: extension, sort, choice } = act.wish as ExportWish; // as it was begun
    const format = openFormat(extension, act.created_at);
    // The columns are those of its first page.
    const fields = readFields(act) ?? (await readCustomFields(scope, scope.workspaceId));
    const { cursor, written } = readPlace(act);
    const page = await listContacts(scope, {
      ...{ where: (bind) => choiceSql(choice, bind), sort, limit: ROWS_AT_ONCE, cursor },
    });
    let text = written === 0 && cursor === undefined ? format.start(fields) : '';
    page.items.forEach((contact, index) => (text += format.write(contact, written + index, fields)));
    const next = page.nextCursor;
    return writePage(scope, act, {
      ...{ text: next === null ? text + format.end : text, rows: page.items.length, isLast: next === null },
      resume: { cursor: next, written: written + page.items.length, fields },
      file: { subject: 'contacts', extension, type: format.type },
    });
  },
  onEnd: async () => undefined,
} satisfies SteppingKind;

function readFields({ resume }: StoredAct): CustomFieldRule[] | null {
  return (resume.fields as CustomFieldRule[] | undefined) ?? null; // as the page before kept them
}

function readPlace({ resume }: StoredAct): { cursor: string | undefined; written: number } {
  return {
    cursor: typeof resume.cursor === 'string' ? resume.cursor : undefined,
    written: typeof resume.written === 'number' ? resume.written : 0,
  };
}
