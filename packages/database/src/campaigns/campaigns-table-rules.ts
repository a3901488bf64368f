import * as as from '../backup/read-in/column-rules.ts';
import type { TableRules } from '../table-rules.ts';

export const campaignsTableRules = {
  campaigns: {
    noContacts: 'what is sent; chosen contacts stand there by ids that lead nowhere once they are gone',
    archive: {
      how: 'move',
      columns: {
        ...{
          ...as.ofOwnId,
          template_id: as.id,
          content_id: as.id,
          channel_id: as.id,
          created_by: as.person,
          run_no: as.run,
        },
        ...{ variables: as.document, audience: as.document, segments: as.document, quiet_hours: as.document },
        ...{ before_start: as.document, left_out: as.document, fallback: as.document },
        ...{ ab_test: as.document, ab_result: as.document },
        // Who fell back since is known where the archive was taken.
        fallback_done_at: as.always(
          'coalesce(s.fallback_done_at, CASE WHEN s.run_no IS NOT NULL THEN now() END)',
        ),
        // Its time may have come, here or where the archive was taken.
        status: as.always(`CASE WHEN s.status = 'scheduled' THEN 'paused' ELSE s.status END`),
        pause_reason: as.always(`CASE WHEN s.status = 'scheduled' THEN 'restored' ELSE s.pause_reason END`),
      },
    },
    clear: { how: 'delete', after: ['campaign_fallbacks'] },
  },
} as const satisfies TableRules;
