import type { ImportRules } from '@app/domain/data-management/data-import';
import { importFile } from '../contact-imports/import-act.ts';
import { forgetErrors } from '../contact-imports/import-record.ts';
import { narrowRows, type KnownRows } from './narrow-rows.ts';
import { planFields } from '../custom-fields/adopt-fields.ts';
import type { LongActKind } from '../platform/long-acts/long-act-kind.ts';
import type { StoredAct } from '../platform/long-acts/long-act-rows.ts';
import { adoptRest, readFields, type DataReport, type RestOfFile } from './adopt-rest.ts';
import { findDataImport, keepReport } from './data-imports.ts';
import { markDoubleRows, openDataStaging, readDataFile } from './data-rows.ts';

/**
 * Takes a file of data that is here, all or none in one transaction: its contacts by the import of contacts, with its rules about consent and about who
 * was erased, then everything else. Nothing is sent by it. A try says what would come of it. Begun anew by another process it reads the file from its beginning.
 */
export const dataImport: LongActKind = {
  name: 'data-import',
  atOnce: 2,
  async run(running) {
    const { act, parts } = running;
    const choices = readChoices(act);
    let rest: RestOfFile | undefined;
    let known: KnownRows | undefined;
    await importFile(running, dataImport, {
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
        const { adopted, made, fields } = await planFields(held, held.workspaceId, offered);
        rest = {
          settings,
          fields: { adopted: [...adopted, ...refused], made, beyond },
        };
        return { fields };
      },
      async onStaged(held) {
        known = await narrowRows(held, choices.prefers);
      },
      async saveRest(scope, { successful, updated, failed }) {
        if (!rest || !known) throw new Error('The file is not read.');
        const { optOuts, ...counts } = known;
        const adopted = await adoptRest(scope, parts.jobs, rest, choices);
        const contacts = {
          ...counts,
          added: successful - updated,
          refused: failed,
        };
        const report: DataReport = { ...adopted.report, contacts, optOuts };
        await keepReport(scope, act.id, { report, before: adopted.before });
      },
    });
  },
  async onEnd(scope, { act, state }) {
    if (state !== 'done') return forgetErrors(scope, act.id);
    const found = await findDataImport(scope, act.id);
    if (!found?.report || found.isDryRun) return;
    const { contacts, templates, campaigns } = found.report;
    const values = {
      contacts: contacts.added + contacts.changed,
      templates: templates.added + templates.changed,
      campaigns: campaigns.added + campaigns.changed,
    };
    await scope.tell({
      type: 'data.imported',
      subject: scope.workspaceId,
      values,
    });
  },
};

/** As they were kept when the file came. */
function readChoices({ wish }: StoredAct): ImportRules {
  return wish.choices as ImportRules;
}
