import { settleLostUploads } from '../contact-imports/begin-upload.ts';
import type { ServerFeature } from '../platform/features/server-feature.ts';
import { longActJob } from '../platform/long-acts/long-act-job.ts';
import { workspaceArchive } from './archive-act.ts';
import { archiveFiles } from './archive-files.ts';
import { dataClear } from './clear-act.ts';
import { forgetOldDataImports } from './data-imports.ts';
import { dataManagementApi } from './data-management-api.ts';
import { dataExport } from './export-act.ts';
import { dataImport, dataReplacement } from './import-act.ts';
import { archiveCheck } from './read-in/check-act.ts';
import { forgetReadings, readingsPersonData, tidyReadings } from './read-in/leftovers.ts';
import { receiveArchiveFiles } from './read-in/receive-archive.ts';
import { archiveReplacement } from './read-in/replace-act.ts';
import { backupSchedule } from './scheduled-backups.ts';
import { createDataFiles } from './receive-data-import.ts';
import { archivesPersonData, removeEndedArchives } from './workspace-archives.ts';

export const dataManagementFeature = {
  name: 'data-management',
  tables: {
    installation_backups: 'files of the whole installation, and nothing of what is in them',
    data_imports:
      'who imported which file, figures, and templates, campaigns and settings as they were before',
  },
  router: { dataManagement: dataManagementApi },
  personData: {
    ...archivesPersonData,
    tables: { ...archivesPersonData.tables, ...readingsPersonData.tables },
    async erase(scope, person) {
      await archivesPersonData.erase(scope, person);
      await readingsPersonData.erase(scope, person);
    },
  },
  files: () => [...createDataFiles(), ...archiveFiles, ...receiveArchiveFiles],
  jobs: [
    dataExport,
    dataClear,
    dataImport,
    dataReplacement,
    workspaceArchive,
    archiveCheck,
    archiveReplacement,
  ].map(longActJob),
  schedules: [backupSchedule],
  upkeep: {
    often: [
      (parts) => settleLostUploads(parts, dataImport),
      (parts) => settleLostUploads(parts, dataReplacement),
      removeEndedArchives,
      tidyReadings,
    ],
    seldom: [forgetOldDataImports, forgetReadings],
  },
} satisfies ServerFeature;
