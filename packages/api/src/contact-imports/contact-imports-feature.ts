import type { ServerFeature } from '../platform/features/server-feature.ts';
import { contactImportsApi } from './contact-imports-api.ts';
import { createImportFiles } from './import-files.ts';
import { forgetFailedRows, settleLostImports } from './lost-imports.ts';
import { importsPersonData } from './imports-person-data.ts';

export const contactImportsFeature = {
  name: 'contact-imports',
  tables: {
    contact_imports: 'who imported which file, and figures',
  },
  router: { contactImports: contactImportsApi },
  files: createImportFiles,
  upkeep: { often: [settleLostImports, forgetFailedRows] },
  personData: importsPersonData,
} satisfies ServerFeature;
