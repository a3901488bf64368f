import type { TableRules } from '../table-rules.ts';

export const linksTableRules = {
  link_clicks: {
    archive: { how: 'leave-out', because: 'of those links; how many clicked is in the rollups' },
    clear: {
      how: 'delete',
      keptForFile: 'of links that people hold, which lead on; no copy of before holds them',
    },
  },
  counted_links: {
    archive: { how: 'leave-out', because: 'addresses of one installation, which go on to lead on there' },
    clear: { how: 'keep', because: 'messages that people hold lead on' },
  },
} as const satisfies TableRules;
