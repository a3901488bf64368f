import type { ImportRules, ReplacedCounts } from '@app/domain/data-management/data-import';
import { importFile } from '../contact-imports/import-operation.ts';
import { deleteErrors } from '../contact-imports/import-record.ts';
import { validateReplacing, narrowRows, type KnownRows } from './narrow-rows.ts';
import { planFields } from '../custom-fields/adopt-fields.ts';
import type { OperationKind, RunningOperation } from '../platform/operations/operation-kind.ts';
import type { StoredOperation } from '../platform/operations/operation-rows.ts';
import { adoptRest, readFields, type DataReport, type RestOfFile } from './adopt-rest.ts';
import { findDataImport, keepReport } from './data-imports.ts';
import { dropCopyOfBefore, keepBefore, makeRoom, openCopyOfBefore } from './make-room.ts';
import { countReplaced } from './archive-import/count-here.ts';
import type { Before } from './archive-import/take-before.ts';
import { markDoubleRows, openDataStaging, readDataFile } from './data-rows.ts';

/**
 * Takes a file of data that is here, all or none in one transaction: its contacts by the import of contacts, with its rules about consent and about who
 * was erased, then everything else. Nothing is sent by it. A try says what would come of it. Begun anew by another process it reads the file from its beginning.
 */
export const dataImport: OperationKind = {
  name: 'data-import',
  atOnce: 2,
  run: (running) => importData(running, dataImport),
  onEnd: emitImported,
};

/**
 * The same where the file takes the place of what is here, in that one transaction. What was here before is written down within it, and comes back as after an
 * archive that was read in.
 */
export const dataReplacement: OperationKind = {
  name: 'data-replacement',
  async run(running) {
    if (readChoices(running.operation).isDryRun) return importData(running, dataReplacement);
    await openCopyOfBefore(running);
    try {
      await importData(running, dataReplacement);
    } catch (error) {
      await dropCopyOfBefore(running);
      throw error;
    }
  },
  onEnd: emitImported,
};

async function importData(running: RunningOperation, kind: OperationKind): Promise<void> {
  const { operation, parts } = running;
  const choices = readChoices(operation);
  const { replaces } = choices;
  let rest: RestOfFile | undefined;
  let known: KnownRows | undefined;
  let goes: ReplacedCounts | null = null;
  let before: Before | undefined;
  await importFile(running, kind, {
    // Nobody is opted in by it: what somebody agreed to elsewhere is no consent here.
    choices: {
      ...choices,
      duplicates: 'update',
      isConsentStated: false,
      coversOtherChannels: false,
    },
    async readRest(held, bytes) {
      await openDataStaging(held);
      const settings = await readDataFile(bytes, held);
      await markDoubleRows(held);
      const { offered, refused, beyond } = await readFields(held);
      const { adopted, made, fields } = await planFields(held, held.workspaceId, { offered, replaces });
      rest = {
        settings,
        fields: { adopted: [...adopted, ...refused], made, beyond },
      };
      return { fields };
    },
    async onStaged(held) {
      known = await (replaces ? validateReplacing(held) : narrowRows(held, choices.prefers));
      goes = replaces ? await countReplaced(held, held.workspaceId) : null;
    },
    ...(replaces && {
      async makeRoom(scope, run) {
        before = await makeRoom(scope, running, run);
      },
    }),
    async saveRest(scope, { successful, updated, failed }) {
      if (!rest || !known) throw new Error('The file is not read.');
      const { optOuts, ...counts } = known;
      const adopted = await adoptRest(scope, parts.jobs, rest, choices);
      const contacts = {
        ...counts,
        added: replaces ? successful : successful - updated,
        refused: failed,
      };
      const report: DataReport = { ...adopted.report, contacts, optOuts, goes };
      await keepReport(scope, operation.id, { report, before: adopted.before });
      if (before) await keepBefore(scope, operation.id, before);
    },
  });
}

async function emitImported(
  ...[scope, { operation, state }]: Parameters<OperationKind['onEnd']>
): Promise<void> {
  if (state !== 'done') return deleteErrors(scope, operation.id);
  const found = await findDataImport(scope, operation.id);
  if (!found?.report || found.isDryRun) return;
  const { contacts, templates, campaigns } = found.report;
  const values = {
    contacts: contacts.added + contacts.changed,
    templates: templates.added + templates.changed,
    campaigns: campaigns.added + campaigns.changed,
  };
  await scope.emit({
    type: found.replaces ? 'data.replaced' : 'data.imported',
    subject: scope.workspaceId,
    values,
  });
}

/** As they were kept when the file came. */
function readChoices({ wish }: StoredOperation): ImportRules {
  const kept = wish.choices as ImportRules;
  return { ...kept, replaces: kept.replaces ?? false };
}
