import type { ServerFeature } from '../platform/features/server-feature.ts';
import { operationJob } from '../platform/operations/operation-job.ts';
import { settleLostUploads } from './begin-upload.ts';
import { contactImportsApi } from './contact-imports-api.ts';
import { contactImport } from './import-operation.ts';
import { createImportFiles } from './import-files.ts';
import { importsPersonData } from './imports-person-data.ts';
import { deleteFailedRows, deleteOldImports } from './import-record.ts';

export const contactImportsFeature = {
  name: 'contact-imports',
  router: { contactImports: contactImportsApi },
  files: createImportFiles,
  personData: importsPersonData,
  jobs: [operationJob(contactImport)],
  upkeep: {
    often: [(parts) => settleLostUploads(parts, contactImport), deleteFailedRows],
    seldom: [deleteOldImports],
  },
} satisfies ServerFeature;
