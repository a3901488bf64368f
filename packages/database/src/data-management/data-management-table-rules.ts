import * as as from '../backup/read-in/column-rules.ts';
import type { TableRules } from '../table-rules.ts';

export const dataManagementTableRules = {
  installation_backups: {
    noContacts: 'files of the whole installation, and nothing of what is in them',
    isOfInstallation: true,
  },
  data_imports: {
    noContacts: 'who imported which file, figures, and templates, campaigns and settings as they were before',
    archive: {
      how: 'move',
      columns: { ...as.ofOwnId, report: as.document, before: as.document },
      onlyBack: 'an import is taken back where it was made',
    },
    clear: { how: 'delete', keptForFile: 'those before go by their own condition, and this one is told of' },
  },
  workspace_archives: {
    archive: { how: 'leave-out', because: 'earlier archives, which would double with each one' },
    clear: {
      how: 'keep',
      because: 'somebody asked for them, maybe just before this; they go by their time, or one by one',
    },
  },
  archive_imports: {
    archive: { how: 'leave-out', because: 'what was read in here' },
    clear: { how: 'keep', because: 'what was here before one goes by its time' },
  },
} as const satisfies TableRules;
