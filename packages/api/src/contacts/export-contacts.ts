import type { contactExport } from '@app/contracts/contacts/contacts-contract';
import type { ContactSort } from '@app/domain/contacts/contact';
import type { z } from 'zod';
import { readCustomFields } from '../custom-fields/custom-field-rules.ts';
import { refuse } from '../platform/rim/refuse.ts';
import { sendDownload } from '../platform/rim/send-download.ts';
import type { SignedInContext } from '../platform/request-context.ts';
import { choiceSql, freezeChoice, type FrozenChoice } from './contact-choice.ts';
import { listContacts } from './contacts-queries.ts';
import { openFormat, type Format } from './export-format.ts';

const ROWS_AT_ONCE = 2_000;

type Wanted = z.infer<typeof contactExport>;

/** The chosen contacts as a file that the import reads back, written page by page while it is downloaded. */
export async function exportContacts(wanted: Wanted, context: SignedInContext): Promise<Response> {
  const at = context.clock();
  const chosen = await context.change(async (scope) => {
    const frozen = await freezeChoice(scope, wanted.choice);
    if (frozen)
      await scope.tell({ type: 'contacts.exported', subject: null, values: { format: wanted.format } });
    return frozen;
  });
  if (!chosen) return refuse('segment_not_found');
  const format = openFormat(wanted.format, at);
  const pages = writePages({ format, chosen, sort: wanted.sort }, context);
  return sendDownload(pages, { subject: 'contacts', at, extension: wanted.format, type: format.type });
}

async function* writePages(
  { format, chosen, sort }: { format: Format; chosen: FrozenChoice; sort: ContactSort },
  context: SignedInContext,
): AsyncGenerator<string, void> {
  const fields = await context.read((scope) => readCustomFields(scope, scope.workspaceId));
  yield format.start(fields);
  let written = 0;
  let cursor: string | undefined;
  do {
    const page = await context.read('long', (scope) =>
      listContacts(scope, { where: (bind) => choiceSql(chosen, bind), sort, limit: ROWS_AT_ONCE, cursor }),
    );
    let text = '';
    for (const contact of page.items) {
      text += format.write(contact, written, fields);
      written += 1;
    }
    yield text;
    cursor = page.nextCursor ?? undefined;
  } while (cursor);
  yield format.end;
}
