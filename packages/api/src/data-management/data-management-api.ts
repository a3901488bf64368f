import { dataManagementContract } from '@app/contracts/data-management/data-management-contract';
import { newId } from '@app/database/new-id';
import type { InstallationBackups } from '../platform/backups/installation-backups.ts';
import { implementEndpoints } from '../platform/implement-endpoints.ts';
import { enqueueOperation } from '../platform/operations/operation-job.ts';
import { beginOperation, findOperation } from '../platform/operations/operation-rows.ts';
import { presentOperation } from '../platform/operations/present-operation.ts';
import { startSteps } from '../platform/operations/start-steps.ts';
import { workspaceArchive, type ArchiveWish } from './archive-operation.ts';
import { dataClear } from './clear-operation.ts';
import { findDataImport, listDataImports } from './data-imports.ts';
import { startDataExport } from './start-data-export.ts';
import { changeRetention, findRetention, previewRetention } from './retention-settings.ts';
import { listBackups } from './scheduled-backups.ts';
import { findKnownPasswords, previewStart, readOwner, startForReal } from './start-for-real.ts';
import { listArchiveImports } from './archive-import/archive-import-rows.ts';
import {
  dropArchiveImport,
  startCheck,
  startReplacement,
  startUndo,
} from './archive-import/start-operations.ts';
import { undoDataImport } from './undo-data-import.ts';
import { summarize } from './summarize-data.ts';
import { endArchive, listArchives, openArchive } from './workspace-archives.ts';

const os = implementEndpoints(dataManagementContract);

export const dataManagementApi = os.router({
  summarize: os.summarize.handler(({ context }) => context.read('counting', summarize)),

  getRetention: os.getRetention.handler(({ context }) => context.read(findRetention)),

  previewRetention: os.previewRetention.handler(({ input, context }) =>
    context.read('counting', (scope) => previewRetention(scope, input, context.clock())),
  ),

  updateRetention: os.updateRetention.handler(({ input, context, errors }) =>
    context.change(async (scope) => {
      const { name } = await summarize(scope);
      const changed = await changeRetention(scope, input, name);
      if (typeof changed === 'string') throw errors[changed]();
      return changed;
    }),
  ),

  startExport: os.startExport.handler(({ context }) =>
    context.change((scope) => startDataExport(scope, context)),
  ),

  listArchives: os.listArchives.handler(({ context }) =>
    context.read(async (scope) => ({
      items: await listArchives(scope),
      nextCursor: null,
    })),
  ),

  startArchive: os.startArchive.handler(async ({ input, context, errors }) => {
    const { withSecrets, passphrase } = input;
    const wish: ArchiveWish = {
      withSecrets,
      sealedPassphrase: passphrase === null ? null : await context.secrets.seal(passphrase),
    };
    return context.change(async (scope) => {
      const id = newId();
      const opened = await openArchive(scope, {
        id,
        withSecrets,
        isEncrypted: passphrase !== null,
      });
      if (opened !== 'opened') throw errors[opened]();
      const { ipAddress, userAgent } = context;
      const kind = workspaceArchive.name;
      await beginOperation(scope, { ...context, origin: { ipAddress, userAgent } }, { id, kind, wish });
      await enqueueOperation(context, scope, kind, id);
      const begun = await findOperation(scope, id);
      return presentOperation(begun!, { caller: scope.caller, now: scope.clock() }); // in this transaction
    });
  }),

  deleteArchive: os.deleteArchive.handler(({ input, context, errors }) =>
    context.change(async (scope) => {
      if (!(await endArchive(scope, input.archiveId))) throw errors.archive_not_found();
      return {};
    }),
  ),

  listArchiveReadings: os.listArchiveReadings.handler(({ context }) =>
    context.read(async (scope) => ({ items: await listArchiveImports(scope), nextCursor: null })),
  ),

  checkArchive: os.checkArchive.handler(async ({ input: { readingId, passphrase }, context, errors }) => {
    const sealedPassphrase = passphrase === null ? null : await context.secrets.seal(passphrase);
    return context.change(async (scope) => {
      const begun = await startCheck(scope, context, { readingId, sealedPassphrase });
      if (typeof begun === 'string') throw errors[begun]();
      return begun;
    });
  }),

  replaceByArchive: os.replaceByArchive.handler(async ({ input, context, errors }) => {
    const { readingId, passphrase } = input;
    const sealedPassphrase = passphrase === null ? null : await context.secrets.seal(passphrase);
    return context.change(async (scope) => {
      const { name } = await summarize(scope);
      const isNamed = input.name.trim() === name;
      const begun = await startReplacement(scope, context, { readingId, sealedPassphrase, isNamed });
      if (typeof begun === 'string') throw errors[begun]();
      return begun;
    });
  }),

  undoArchive: os.undoArchive.handler(({ input, context, errors }) =>
    context.change(async (scope) => {
      const begun = await startUndo(scope, context, input.readingId);
      if (typeof begun === 'string') throw errors[begun]();
      return begun;
    }),
  ),

  dropArchiveReading: os.dropArchiveReading.handler(({ input, context, errors }) =>
    context.change(async (scope) => {
      const refused = await dropArchiveImport(scope, input.readingId);
      if (refused) throw errors[refused]();
      return {};
    }),
  ),

  listBackups: os.listBackups.handler(({ context }) =>
    context.read(async (scope) => ({
      plan: context.backups && describePlan(context.backups),
      items: await listBackups(scope),
      nextCursor: null,
    })),
  ),

  listImports: os.listImports.handler(({ context }) =>
    context.read(async (scope) => ({
      items: await listDataImports(scope),
      nextCursor: null,
    })),
  ),

  getImport: os.getImport.handler(async ({ input, context, errors }) => {
    const found = await context.read((scope) => findDataImport(scope, input.importId));
    if (!found) throw errors.contact_import_not_found();
    return found;
  }),

  undoImport: os.undoImport.handler(({ input, context, errors }) =>
    context.change(async (scope) => {
      if (!(await findDataImport(scope, input.importId))) throw errors.contact_import_not_found();
      const undone = await undoDataImport(scope, context, input.importId);
      if (!undone) throw errors.contact_import_not_undoable();
      return undone;
    }),
  ),

  clear: os.clear.handler(({ input, context, errors }) =>
    context.change(async (scope) => {
      const { name, contacts } = await summarize(scope);
      if (input.name.trim() !== name) throw errors.data_name_different();
      const operation = {
        id: newId(),
        kind: dataClear.name,
        total: contacts,
        wish: {},
      };
      return startSteps(scope, context, dataClear, operation);
    }),
  ),

  previewStart: os.previewStart.handler(async ({ context, errors }) => {
    if (!context.session.isSample) throw errors.sample_gone();
    // Outside: it takes a core for a while.
    const known = await findKnownPasswords(context);
    return context.read((scope) => previewStart(scope, context, known));
  }),

  startForReal: os.startForReal.handler(async ({ input, context, errors }) => {
    const known = await findKnownPasswords(context);
    const { owner: form, problems } = readOwner(context, known, input.owner);
    const issues = problems.map(([field, message]) => ({
      field: `owner.${field}`,
      message,
    }));
    if (issues.length > 0) throw errors.profile_invalid({ data: { issues } });
    // Outside: it takes a core for a while.
    const owner = form && {
      ...form,
      passwordHash: await context.ownPassword.hash(form.password),
    };
    return context.change(async (scope) => {
      const { name, contacts } = await summarize(scope);
      if (input.name.trim() !== name) throw errors.data_name_different();
      const begun = await startForReal(scope, context, {
        ...{ businessName: input.businessName, owner, contacts, imports: input.imports },
      });
      if (begun === 'email_taken') throw errors.email_taken({ data: { field: 'owner.email' } });
      if (typeof begun === 'string') throw errors[begun]();
      return begun;
    });
  }),
});

function describePlan({ everyHours, keep, place, isEncrypted }: InstallationBackups) {
  return { everyHours, keep, place, isEncrypted };
}
