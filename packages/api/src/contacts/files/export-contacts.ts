import type { contactExport } from '@app/contracts/contacts/contacts-contract';
import type { z } from 'zod';
import { refuse } from '../../platform/rim/refuse.ts';
import { sendDownload } from '../../platform/rim/send-download.ts';
import type { SignedInContext } from '../../platform/request-context.ts';
import { freezeChoice } from '../contact-choice.ts';
import { nameExport } from './name-export.ts';
import { openFormat } from './export-format.ts';
import { writeExportPage, type ExportPage, type ExportPlace } from './export-page.ts';

const ROWS_AT_ONCE = 2_000;

type Wanted = z.infer<typeof contactExport>;

/** The chosen contacts as a file that the import reads back, written page by page while it is downloaded. */
export async function exportContacts(wanted: Wanted, context: SignedInContext): Promise<Response> {
  const at = context.clock();
  const chosen = await context.change(async (scope) => {
    const frozen = await freezeChoice(scope, wanted.choice);
    if (typeof frozen !== 'string')
      await scope.tell({ type: 'contacts.exported', subject: null, values: { format: wanted.format } });
    return typeof frozen === 'string'
      ? frozen
      : { choice: frozen, subject: await nameExport(scope, wanted.choice) };
  });
  if (typeof chosen === 'string') return refuse(chosen);
  const { format, sort, columns } = wanted;
  const writer = openFormat(format, at);
  const pages = writePages(
    { format, writer, choice: chosen.choice, sort, columns, limit: ROWS_AT_ONCE },
    context,
  );
  return sendDownload(pages, { subject: chosen.subject, at, extension: format, type: writer.type });
}

async function* writePages(
  wish: Parameters<typeof writeExportPage>[1],
  context: SignedInContext,
): AsyncGenerator<string, void> {
  let place: ExportPlace | null = null;
  do {
    const from: ExportPlace | null = place;
    const page: ExportPage = await context.read('long', (scope) => writeExportPage(scope, wish, from));
    yield page.text;
    place = page.next;
  } while (place);
}
