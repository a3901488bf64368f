import * as as from './column-rules.ts';
import type { ColumnRule } from './column-rules.ts';

export type MovedTable = {
  /** Each column that holds an id, a number of the installation or a key of the store, and those that are held back; all others come as they are. */
  columns: Readonly<Record<string, ColumnRule>>;
  /** Only an archive that was taken here, and never left, brings them back; the reason why no other one does. */
  onlyBack?: string;
  /** Which rows come, as a condition on `s`; all others are of nothing any more. */
  where?: string;
};

const here = { workspace_id: as.here };
const own = { id: as.id, ...here };
const messageRollup = { ...here, channel_id: as.id, campaign_id: as.id, template_id: as.id };
const inboxRollup = { ...here, channel_id: as.id, agent_id: as.person, team_id: as.id };
const HAS_RUN = 'EXISTS (SELECT FROM archive_runs r WHERE r.there = s.run_no)';
const IS_STORED = `s.state <> 'stored' OR EXISTS (SELECT FROM archive_files f WHERE f.there = s.content)`;
const SIZE = (column: string) =>
  `coalesce((SELECT f.bytes FROM archive_files f WHERE f.there = s.${column}), s.size)`;
const SHA256 = (column: string) =>
  `coalesce((SELECT f.sha256 FROM archive_files f WHERE f.there = s.${column}), s.sha256)`;

/** Tables that are emptied, and filled from an archive. */
export const MOVED: Readonly<Record<string, MovedTable>> = {
  bot_answers: {
    columns: {
      ...{ ...here, message_id: as.id, contact_id: as.id, channel_id: as.id, flow_id: as.id },
      ...{ model: as.document, run_id: as.id },
    },
  },
  bot_flows: { columns: own },
  bot_knowledge: { columns: own },
  bot_knowledge_parts: { columns: { ...here, knowledge_id: as.id } },
  bot_settings: {
    columns: {
      ...{ ...here, answers_flow_id: as.id },
      // It may answer where the archive was taken.
      settings: (column) => `${as.document(column)} || '{"isEnabled": false}'`,
    },
  },
  campaigns: {
    columns: {
      ...{
        ...own,
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
  campaign_fallbacks: {
    columns: {
      ...{ ...here, run_no: as.run, campaign_id: as.id, message_id: as.id },
      state: as.always(`CASE WHEN s.state IN ('revoking', 'ready') THEN 'unknown' ELSE s.state END`),
    },
  },
  channels: {
    columns: {
      ...own,
      // Sealed with the key of this installation afterwards.
      credentials: as.asWritten,
      // Asked anew.
      ...{ standing: as.always('NULL'), asked_at: as.always('NULL'), proven_at: as.always('NULL') },
      templates_sync: as.always(`nullif(s.templates_sync, 'running')`),
      // The same number may be at work where the archive was taken.
      is_connected: as.always('s.is_connected AND $2::uuid IS NULL'),
    },
  },
  contact_aliases: { columns: { ...here, contact_id: as.id, merge_id: as.id } },
  contact_consents: {
    columns: { ...own, contact_id: as.id, import_id: as.id, recorded_by: as.textId },
  },
  contact_import_changes: {
    columns: { ...here, import_id: as.id, contact_id: as.id, custom_values: as.document },
    onlyBack: 'an import is taken back where it was made',
  },
  contact_import_errors: {
    columns: { ...here, import_id: as.id, values: as.document },
    onlyBack: 'what came of an import is told with its act, which stays where it was',
  },
  contact_imports: {
    columns: { ...own, file_columns: as.asWritten },
    onlyBack: 'an import is told of with its act, which stays where it was',
  },
  contact_list_layouts: { columns: { ...here, user_id: as.owner, layout: as.document } },
  contact_merge_parts: {
    columns: { ...here, merge_id: as.id, contact_id: as.id, contact: as.document, former_ids: as.ids },
    onlyBack: 'a merge is taken back where it was made, with the numbers of runs that it moved',
  },
  contact_merges: {
    columns: {
      ...{ ...own, survivor_id: as.id, consent_id: as.id, before: as.stays, after: as.stays },
      moved: as.always(`CASE WHEN $2::uuid IS NULL THEN s.moved ELSE '{}' END`),
    },
  },
  contact_rollup_deltas: { columns: here },
  contact_rollups: { columns: here },
  contacts: { columns: { ...own, import_id: as.id, custom_values: as.document } },
  conversation_drafts: {
    columns: {
      ...{ ...here, user_id: as.owner, contact_id: as.id, channel_id: as.id, writing_id: as.id },
      ...{ reply_to: as.id, files: as.document, buttons: as.asWritten },
    },
  },
  conversation_labels: { columns: own },
  conversation_marks: { columns: { ...here, conversation_id: as.id, user_id: as.owner } },
  conversation_notes: {
    columns: {
      ...{ ...own, conversation_id: as.id, author_id: as.person },
      ...{ mentions: as.document, earlier: as.document },
    },
  },
  conversation_rounds: {
    columns: {
      ...{ ...here, conversation_id: as.id, first_answer_by: as.person, resolved_by: as.person },
      ...{ assignee_id: as.person, team_id: as.id, channel_id: as.id, rating_key: as.stays },
    },
  },
  conversation_views: { columns: { ...own, user_id: as.owner, query: as.document } },
  conversations: {
    columns: {
      ...{ ...own, contact_id: as.id, channel_id: as.id, assignee_id: as.person, team_id: as.id },
      ...{ last_message_id: as.id, labels: as.textIds, bot_state: as.document },
      // Nobody is told now of what was late long ago.
      next_news_at: as.always('CASE WHEN s.next_news_at > now() THEN s.next_news_at END'),
    },
  },
  conversion_settings: { columns: here },
  conversions: {
    columns: {
      ...{ ...own, contact_id: as.id, link_id: as.id, campaign_id: as.id },
      ...{ channel_id: as.id, template_id: as.id, content_id: as.id },
      external_id: as.asWritten,
    },
  },
  custom_fields: { columns: own },
  data_imports: {
    columns: { ...own, report: as.document, before: as.document },
    onlyBack: 'an import is taken back where it was made',
  },
  deleted_contacts: {
    columns: {
      ...{ ...here, contact_id: as.id, removal_id: as.id, contact: as.document, messages: as.document },
      ...{ consents: as.document, conversations: as.document, conversation_marks: as.document },
      ...{ conversation_notes: as.document, connector_threads: as.document },
    },
    onlyBack: 'what was deleted less than an hour ago comes back where that was done',
  },
  delivery_channels: {
    columns: {
      ...{ ...here, channel_id: as.id, owner: as.always('NULL'), epoch: as.always('s.epoch + 1') },
      ...{
        lease_until: as.always('NULL'),
        hold_until: as.always('NULL'),
        next_reply_at: as.always('NULL'),
        next_flow_at: as.always('NULL'),
      },
    },
  },
  delivery_deltas: {
    columns: { ...here, run_no: as.run, channel_id: as.id },
    where: `s.run_no IS NULL OR ${HAS_RUN}`,
  },
  delivery_recipients: { columns: { ...here, run_no: as.run, contact_id: as.id }, where: HAS_RUN },
  delivery_retries: { columns: { ...here, run_no: as.run }, where: HAS_RUN },
  delivery_runs: {
    columns: {
      ...{ ...here, run_no: as.run, channel_id: as.id, campaign_id: as.id, retry_of: as.id },
      ...{ message: as.document, audience: as.document, template_id: as.id },
      variant_templates: as.ids,
      // Shares, and times of the day with counts.
      ...{ split: as.asWritten, gates: as.asWritten },
      ...{ owner: as.always('NULL'), epoch: as.always('s.epoch + 1') },
      cause: as.always('NULL'),
    },
  },
  distinct_contacts: {
    columns: {
      ...here,
      first_id: as.always('least(moved_id($2, s.first_id), moved_id($2, s.second_id))'),
      second_id: as.always('greatest(moved_id($2, s.first_id), moved_id($2, s.second_id))'),
    },
  },
  flow_entries: { columns: { ...here, flow_id: as.id, contact_id: as.id } },
  flow_log: {
    columns: { ...own, run_id: as.id, flow_id: as.id, step_id: as.asWritten, details: as.document },
  },
  flow_runs: {
    columns: {
      ...{ ...own, flow_id: as.id, contact_id: as.id, channel_id: as.id, retried_from: as.id },
      // Names within one flow file.
      ...{ step_id: as.asWritten, trigger_id: as.asWritten },
      ...{ state: as.document, owner: as.always('NULL'), lease_until: as.always('NULL') },
      // What its effects came to since is not known here: it ends, and a person may retry it from a step.
      status: as.always(`CASE WHEN s.status = 'running' THEN 'cancelled' ELSE s.status END`),
      end_code: as.always(`CASE WHEN s.status = 'running' THEN 'restored' ELSE s.end_code END`),
      ...{ due_at: as.always('NULL'), ended_at: as.always('coalesce(s.ended_at, now())') },
    },
  },
  flow_triggers: {
    columns: {
      ...here,
      flow_id: as.id,
      trigger_id: as.asWritten,
      config: as.document,
      conditions: as.document,
    },
  },
  flow_versions: { columns: { ...here, flow_id: as.id, content: as.document, published_by: as.person } },
  flows: {
    columns: {
      ...{ ...own, draft: as.document, owner_id: as.person, paused_by_run: as.id },
      // It may be at work where the archive was taken.
      status: as.always(`CASE WHEN s.status = 'active' THEN 'paused' ELSE s.status END`),
      paused_for: as.always(`CASE WHEN s.status = 'active' THEN 'restored' ELSE s.paused_for END`),
      cancelled: as.always('greatest(s.cancelled, s.triggered - s.completed - s.failed)'),
    },
  },
  inbox_rollup_deltas: { columns: inboxRollup },
  inbox_rollups: { columns: inboxRollup },
  inbox_settings: { columns: { ...here, settings: as.document } },
  logos: { columns: own },
  marketing_holds: { columns: { ...here, contact_id: as.id } },
  media: {
    columns: {
      ...{ ...own, uploaded_by: as.person, storage_key: as.stored },
      ...{ size: as.always(SIZE('storage_key')), sha256: as.always(SHA256('storage_key')) },
    },
  },
  merged_contacts: { columns: { ...here, contact_id: as.id, survivor_id: as.id, merge_id: as.id } },
  message_files: {
    columns: {
      ...{ ...own, message_id: as.id, contact_id: as.id, user_id: as.person, channel_id: as.id },
      ...{ content: as.storedOrNone, thumbnail: as.storedOrNone },
      ...{ size: as.always(SIZE('content')), sha256: as.always(SHA256('content')) },
      state: as.always(
        `CASE WHEN NOT (${IS_STORED}) THEN 'removed' WHEN s.state = 'fetching' THEN 'waiting' ELSE s.state END`,
      ),
    },
  },
  message_rollup_deltas: { columns: { ...messageRollup, run_no: as.run } },
  message_rollups: { columns: messageRollup },
  message_stats: { columns: { ...here, channel_id: as.id } },
  messages: {
    columns: {
      ...{ ...own, channel_id: as.id, contact_id: as.id, tried_again_as: as.id, send_no: as.sendNumber },
      ...{ author_id: as.textId, target_id: as.textId, quoted_id: as.textId },
      ...{ content: as.message, about: as.document, payload: as.asWritten },
      ...{ owner: as.always('NULL'), lease_until: as.always('NULL'), cause: as.always('NULL') },
    },
  },
  notifications: {
    columns: {
      ...{ ...own, user_id: as.owner, subject: as.id, mail_id: as.id, values: as.document },
      ...{ pushed_to: as.asWritten, fact_id: as.asWritten },
      // What was not mailed or shown on a telephone by then is not so now.
      is_mailed: as.always('s.is_mailed AND s.mailed_at IS NOT NULL'),
      is_pushed: as.always('false'),
    },
    onlyBack: 'people were told where it happened',
  },
  platform_events: { columns: { ...own, channel_id: as.id, payload: as.asWritten } },
  quick_replies: { columns: { ...own, owner_id: as.owner, media_id: as.id } },
  report_views: { columns: { ...own, user_id: as.owner, query: as.document } },
  rcs_messages: {
    columns: {
      ...{ ...own, content: as.document, sends: as.document, translations: as.document },
      ...{ sends_in: as.document, media_ids: as.ids },
    },
  },
  removed_custom_fields: { columns: own },
  rollup_names: { columns: own },
  segments: { columns: { ...own, rules: as.document } },
  team_members: { columns: { ...here, team_id: as.id, user_id: as.owner } },
  teams: { columns: own },
  templates: { columns: { ...own, header_media_id: as.id, components: as.document } },
  webhook_calls: { columns: { ...own, channel_ids: as.ids } },
};

/** What an archive holds and no reading in touches: what is here stays, each with the reason. */
export const STAYS_HERE: Readonly<Record<string, string>> = {
  activities: 'the log tells what happened here, and that an archive was read in',
  activity_subjects: 'the log',
  budget_charges: 'what was spent is spent',
  budget_months: 'what was spent is spent',
  budget_returns: 'what was spent is spent',
  delivery_usage: 'the allowance of a day that was used is used',
  erased_people: 'who was erased here stays erased; hashes of elsewhere mean nothing here',
  inbox_people: 'who is here takes part as they do',
  suppression_list: 'what was said against marketing here is recalled; hashes of elsewhere mean nothing here',
  memberships: 'no file lets anybody in, or gives anybody a right',
  summaries: 'who was told of a day is not told again',
};

/** What goes with what is replaced, and comes about anew. */
export const MADE_ANEW: Readonly<Record<string, string>> = {
  contact_counts: 'triggers count',
  contact_growth: 'triggers count',
  contact_tag_counts: 'triggers count',
  inbox_rollup_sums: 'triggers count',
  message_rollup_sums: 'triggers count',
  media_copies: 'files are brought to the platform again when they are sent',
  profile_pushes: 'the profile is brought to a number when that is connected',
  told_stops: 'people are told of a number when it stops',
};

/** Goes with its run by a trigger. */
export const GOES_WITH_ITS_RUN: readonly string[] = ['delivery_recipients', 'delivery_deltas'];
