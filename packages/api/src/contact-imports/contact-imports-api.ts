import { contactImportsContract } from '@app/contracts/contact-imports/contact-imports-contract';
import { implementEndpoints } from '../platform/implement-endpoints.ts';
import { findOperation } from '../platform/operations/operation-rows.ts';
import { findAmbiguous } from '../contacts/phone-number.ts';
import { cutPage, readNumberCursor } from '../platform/keyset.ts';
import { findImport, listImportErrors, listImportReasons, listImports } from './contact-imports-queries.ts';
import { contactImport } from './import-operation.ts';
import { readStart } from './reading/read-start.ts';
import { undoContactImport } from './undo-import.ts';

/** Of numbers that can be read in two ways, for people to see which way is right. */
const MOST_EXAMPLES = 3;

const os = implementEndpoints(contactImportsContract);

export const contactImportsApi = os.router({
  list: os.list.handler(({ context }) =>
    context.read(async (scope) => ({ items: await listImports(scope), nextCursor: null })),
  ),

  get: os.get.handler(async ({ input, context, errors }) => {
    const found = await context.read((scope) => findImport(scope, input.importId));
    if (!found) throw errors.contact_import_not_found();
    return found;
  }),

  listErrors: os.listErrors.handler(({ input, context, errors }) =>
    context.read(async (scope) => {
      const { importId, code, limit } = input;
      if (!(await findImport(scope, importId))) throw errors.contact_import_not_found();
      const after = readNumberCursor(input.cursor) ?? 0;
      const rows = await listImportErrors(scope, { importId, code, after, limit: limit + 1 });
      return cutPage(rows, limit, ({ row }) => ({ key: String(row), id: '' }));
    }),
  ),

  listReasons: os.listReasons.handler(({ input, context, errors }) =>
    context.read(async (scope) => {
      if (!(await findImport(scope, input.importId))) throw errors.contact_import_not_found();
      return { items: await listImportReasons(scope, input.importId), nextCursor: null };
    }),
  ),

  readStart: os.readStart.handler(({ input }) => readStart(input)),

  readNumbers: os.readNumbers.handler(({ input: { country, numbers } }) => {
    const found = numbers
      .map((written) => findAmbiguous(written, country))
      .filter((number) => number !== null);
    return { twofold: found.length, examples: found.slice(0, MOST_EXAMPLES) };
  }),

  undo: os.undo.handler(({ input, context, errors }) =>
    context.change(async (scope) => {
      if (!(await findImport(scope, input.importId))) throw errors.contact_import_not_found();
      // A file of all data is taken back as a whole.
      const operation = await findOperation(scope, input.importId);
      if (operation?.kind !== contactImport.name) throw errors.contact_import_not_undoable();
      const undone = await undoContactImport(scope, context.secrets, input.importId);
      if (!undone) throw errors.contact_import_not_undoable();
      return undone;
    }),
  ),
});
