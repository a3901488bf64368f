import * as as from '../backup/read-in/column-rules.ts';
import type { TableRules } from '../table-rules.ts';

const HAS_RUN = 'EXISTS (SELECT FROM archive_runs r WHERE r.there = s.run_no)';

export const deliveryTableRules = {
  delivery_runs: {
    noContacts: 'what is sent, and figures; chosen contacts by ids that lead nowhere once they are gone',
    archive: {
      how: 'move',
      columns: {
        ...{ ...as.ofWorkspace, run_no: as.run, channel_id: as.id, campaign_id: as.id, retry_of: as.id },
        ...{ message: as.document, audience: as.document, template_id: as.id },
        variant_templates: as.ids,
        // Shares, and times of the day with counts.
        ...{ split: as.asWritten, gates: as.asWritten, best_times: as.asWritten },
        ...{ owner: as.always('NULL'), epoch: as.always('s.epoch + 1') },
        cause: as.always('NULL'),
      },
    },
    clear: { how: 'delete', after: ['campaigns'] },
  },
  delivery_events: {
    noContacts: 'places in a run, with times; whose they are say the recipients alone',
    isOfInstallation: true,
  },
  delivery_retries: {
    noContacts: 'places in a run',
    archive: { how: 'move', columns: { ...as.ofWorkspace, run_no: as.run }, where: HAS_RUN },
    clear: { how: 'cascade' },
  },
  delivery_deltas: {
    noContacts: 'figures',
    archive: {
      how: 'move',
      goesWithItsRun: true,
      columns: { ...as.ofWorkspace, run_no: as.run, channel_id: as.id },
      where: `s.run_no IS NULL OR ${HAS_RUN}`,
    },
    clear: { how: 'delete', after: ['delivery_runs'] },
  },
  message_stats: {
    noContacts: 'figures',
    archive: { how: 'move', columns: { ...as.ofWorkspace, channel_id: as.id } },
    clear: { how: 'delete', after: ['delivery_deltas'] },
  },
  delivery_channels: {
    noContacts: 'who sends, and how fast',
    archive: {
      how: 'move',
      columns: {
        ...{
          ...as.ofWorkspace,
          channel_id: as.id,
          owner: as.always('NULL'),
          epoch: as.always('s.epoch + 1'),
        },
        ...{
          lease_until: as.always('NULL'),
          hold_until: as.always('NULL'),
          next_reply_at: as.always('NULL'),
          next_flow_at: as.always('NULL'),
        },
      },
    },
    clear: { how: 'keep', because: 'how fast a number may send, which the platform decided' },
  },
  delivery_usage: {
    noContacts: 'figures',
    archive: { how: 'stay', because: 'the allowance of a day that was used is used' },
    clear: { how: 'keep', because: 'the allowance of a day that was used is used' },
  },
  budget_months: {
    noContacts: 'sums of money',
    archive: { how: 'stay', because: 'what was spent is spent' },
    clear: { how: 'keep', because: 'what was spent is spent' },
  },
  budget_charges: {
    noContacts: 'places in a run or ids of messages, with what they cost',
    archive: { how: 'stay', because: 'what was spent is spent' },
    clear: { how: 'keep', because: 'what was spent is spent' },
  },
  budget_returns: {
    noContacts: 'sums of money',
    archive: { how: 'stay', because: 'what was spent is spent' },
    clear: { how: 'keep', because: 'what was spent is spent' },
  },
  delivery_recipients: {
    archive: {
      how: 'move',
      goesWithItsRun: true,
      columns: { ...as.ofWorkspace, run_no: as.run, contact_id: as.id },
      where: HAS_RUN,
    },
    clear: { how: 'cascade' },
  },
} as const satisfies TableRules;
