import { settleLostUploads } from '../contact-imports/begin-upload.ts';
import type { ServerFeature } from '../platform/features/server-feature.ts';
import { operationJob } from '../platform/operations/operation-job.ts';
import { workspaceArchive } from './archive-operation.ts';
import { archiveFiles } from './archive-files.ts';
import { dataClear } from './clear-operation.ts';
import { deleteOldDataImports } from './data-imports.ts';
import { dataManagementApi } from './data-management-api.ts';
import { dataExport } from './export-operation.ts';
import { dataImport, dataReplacement } from './import-operation.ts';
import { archiveCheck } from './archive-import/check-operation.ts';
import {
  deleteArchiveImports,
  archiveImportsPersonData,
  tidyArchiveImports,
} from './archive-import/leftovers.ts';
import { receiveArchiveFiles } from './archive-import/receive-archive.ts';
import { archiveReplacement } from './archive-import/replace-operation.ts';
import { backupSchedule } from './scheduled-backups.ts';
import { createDataFiles } from './receive-data-import.ts';
import { archivesPersonData, removeEndedArchives } from './workspace-archives.ts';

export const dataManagementFeature = {
  name: 'data-management',
  router: { dataManagement: dataManagementApi },
  personData: {
    ...archivesPersonData,
    tables: { ...archivesPersonData.tables, ...archiveImportsPersonData.tables },
    async erase(scope, person) {
      await archivesPersonData.erase(scope, person);
      await archiveImportsPersonData.erase(scope, person);
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
  ].map(operationJob),
  schedules: [backupSchedule],
  upkeep: {
    often: [
      (parts) => settleLostUploads(parts, dataImport),
      (parts) => settleLostUploads(parts, dataReplacement),
      removeEndedArchives,
      tidyArchiveImports,
    ],
    seldom: [deleteOldDataImports, deleteArchiveImports],
  },
} satisfies ServerFeature;
