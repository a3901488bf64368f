import type { ServerFeature } from '../platform/features/server-feature.ts';
import { longActJob } from '../platform/long-acts/long-act-job.ts';
import { settleLostUploads } from './begin-upload.ts';
import { contactImportsApi } from './contact-imports-api.ts';
import { contactImport } from './import-act.ts';
import { createImportFiles } from './import-files.ts';
import { importsPersonData } from './imports-person-data.ts';
import { forgetFailedRows, forgetOldImports } from './import-record.ts';

export const contactImportsFeature = {
  name: 'contact-imports',
  tables: {
    contact_imports: 'who imported which file, and figures',
  },
  router: { contactImports: contactImportsApi },
  files: createImportFiles,
  personData: importsPersonData,
  jobs: [longActJob(contactImport)],
  upkeep: {
    often: [(parts) => settleLostUploads(parts, contactImport), forgetFailedRows],
    seldom: [forgetOldImports],
  },
} satisfies ServerFeature;
