import * as as from '../backup/read-in/column-rules.ts';
import type { TableRules } from '../table-rules.ts';

const messageRollup = { ...as.ofWorkspace, channel_id: as.id, campaign_id: as.id, template_id: as.id };
const inboxRollup = { ...as.ofWorkspace, channel_id: as.id, agent_id: as.person, team_id: as.id };

export const analyticsTableRules = {
  message_rollups: {
    noContacts: 'figures',
    archive: { how: 'move', columns: messageRollup },
    clear: { how: 'delete', after: ['message_rollup_deltas'] },
  },
  message_rollup_deltas: {
    noContacts: 'figures',
    archive: { how: 'move', columns: { ...messageRollup, run_no: as.run } },
    clear: { how: 'delete', after: ['delivery_runs'] },
  },
  message_rollup_sums: {
    noContacts: 'figures',
    archive: { how: 'recount', because: 'triggers count' },
    clear: { how: 'delete', after: ['message_rollups'] },
  },
  country_rollups: {
    noContacts: 'figures',
    archive: { how: 'move', columns: { ...messageRollup } },
    clear: { how: 'delete', after: ['message_rollup_deltas'] },
  },
  country_rollup_sums: {
    noContacts: 'figures',
    archive: { how: 'recount', because: 'triggers count' },
    clear: { how: 'delete', after: ['country_rollups'] },
  },
  inbox_rollups: {
    noContacts: 'figures, of members and teams',
    archive: { how: 'move', columns: inboxRollup },
    clear: { how: 'delete', after: ['inbox_rollup_deltas'] },
  },
  inbox_rollup_deltas: {
    noContacts: 'figures, of members and teams',
    archive: { how: 'move', columns: inboxRollup },
    clear: { how: 'delete', after: ['conversation_rounds'] },
  },
  inbox_rollup_sums: {
    noContacts: 'figures, of members and teams',
    archive: { how: 'recount', because: 'triggers count' },
    clear: { how: 'delete', after: ['inbox_rollups'] },
  },
  contact_rollups: {
    noContacts: 'figures',
    archive: { how: 'move', columns: as.ofWorkspace },
    clear: { how: 'delete', after: ['contact_rollup_deltas'] },
  },
  contact_rollup_deltas: {
    noContacts: 'figures',
    archive: { how: 'move', columns: as.ofWorkspace },
    clear: { how: 'delete' },
  },
  contact_rollup_sums: {
    noContacts: 'figures',
    archive: { how: 'recount', because: 'triggers count' },
    clear: { how: 'delete', after: ['contact_rollups'] },
  },
  rollup_names: {
    noContacts: 'what deleted campaigns and templates were called',
    archive: { how: 'move', columns: as.ofOwnId },
    clear: { how: 'delete', after: ['campaigns', 'templates'] },
  },
  reply_checks: {
    noContacts: 'ids of messages and places in a run that are looked at within seconds',
    archive: { how: 'leave-out', because: 'what is looked at within seconds' },
    clear: { how: 'keep', because: 'what is looked at within seconds' },
  },
  outcome_events: {
    archive: {
      how: 'move',
      columns: { ...as.ofWorkspace, ref: as.id, who: as.id, id: as.id, channel_id: as.id },
    },
    clear: { how: 'delete', after: ['outcome_checks'], keptForFile: 'counted anew as rows go' },
  },
  outcome_sums: {
    noContacts: 'figures',
    archive: { how: 'recount', because: 'triggers count' },
    clear: { how: 'delete', after: ['outcome_events'], keptForFile: 'counted anew as rows go' },
  },
  outcome_checks: {
    noContacts: 'ids of contacts that are counted anew within seconds',
    archive: { how: 'leave-out', because: 'what is looked at within seconds' },
    clear: {
      how: 'delete',
      after: ['bot_answers', 'flows', 'conversions'],
      keptForFile: 'looked at within seconds',
    },
  },
  outcome_run_checks: {
    noContacts: 'runs that are looked at within a minute',
    archive: { how: 'leave-out', because: 'what is looked at within a minute' },
    clear: { how: 'delete', after: ['message_rollup_deltas'] },
  },
  rollup_backfill: {
    noContacts: 'how far a count is',
    isOfInstallation: true,
  },
  report_links: {
    noContacts: 'filters that staff show to others; no contact is named in them',
    archive: { how: 'leave-out', because: 'they open one installation' },
    clear: { how: 'delete', keptForFile: 'of analytics' },
  },
  report_views: {
    noContacts: 'filters that staff keep; no contact is named in them',
    archive: { how: 'move', columns: { ...as.ofOwnId, user_id: as.owner, query: as.document } },
    clear: { how: 'delete', keptForFile: 'of analytics' },
  },
} as const satisfies TableRules;
