import type { contactExport } from '@app/contracts/contacts/contacts-contract';
import type { z } from 'zod';
import { refuse } from '../../platform/http-edge/refuse.ts';
import { sendDownload } from '../../platform/http-edge/send-download.ts';
import type { SignedInContext } from '../../platform/request-context.ts';
import type { WorkspaceScope } from '../../platform/workspace-scope.ts';
import { freezeChoice } from '../contact-choice.ts';
import { nameExport } from './name-export.ts';
import { mediaTypeOf } from './export-format.ts';
import { writeExportPage, type ExportPage, type ExportPages, type ExportPlace } from './export-page.ts';
import { changesMeanwhile, listPages } from './kept-people.ts';

const ROWS_AT_ONCE = 2_000;

type Wanted = z.infer<typeof contactExport>;

/** Emits that contacts leave as a file. */
export async function emitExported(scope: WorkspaceScope, format: Wanted['format']): Promise<void> {
  await scope.emit({ type: 'contacts.exported', subject: null, values: { format } });
}

/** The chosen contacts as a file that the import reads back, written page by page while it is downloaded. */
export async function exportContacts(wanted: Wanted, context: SignedInContext): Promise<Response> {
  const at = context.clock();
  const chosen = await context.change(async (scope) => {
    const frozen = await freezeChoice(scope, wanted.choice);
    if (typeof frozen !== 'string') await emitExported(scope, wanted.format);
    return typeof frozen === 'string'
      ? frozen
      : { choice: frozen, subject: await nameExport(scope, wanted.choice) };
  });
  if (typeof chosen === 'string') return refuse(chosen);
  const { format, sort, columns } = wanted;
  const { choice, subject } = chosen;
  const pages = writePages({ format, at, choice, sort, columns, limit: ROWS_AT_ONCE }, context);
  return sendDownload(pages, { subject, at, extension: format, type: mediaTypeOf(format) });
}

async function* writePages(wanted: ExportPages, context: SignedInContext): AsyncGenerator<Uint8Array, void> {
  const people = changesMeanwhile(wanted.choice)
    ? await context.read('long', (scope) => listPages(scope, wanted))
    : null;
  const wish = people
    ? { ...wanted, kept: async (page: number) => people[page]?.split(',') ?? null }
    : wanted;
  let place: ExportPlace | null = null;
  do {
    const from: ExportPlace | null = place;
    const page: ExportPage = await context.read('long', (scope) => writeExportPage(scope, wish, from));
    yield page.bytes;
    place = page.next;
  } while (place);
}
