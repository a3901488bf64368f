import * as as from '../backup/read-in/column-rules.ts';
import type { TableRules } from '../table-rules.ts';

export const fallbacksTableRules = {
  campaign_fallbacks: {
    noContacts: 'places in runs, with what was decided about them; the recipient itself stands in the run',
    archive: {
      how: 'move',
      columns: {
        ...{ ...as.ofWorkspace, run_no: as.run, campaign_id: as.id, message_id: as.id },
        state: as.always(`CASE WHEN s.state IN ('revoking', 'ready') THEN 'unknown' ELSE s.state END`),
      },
    },
    clear: { how: 'delete' },
  },
} as const satisfies TableRules;
