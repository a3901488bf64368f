/**
 * What goes with Clear All, in this order, beside the contacts and what goes with them. Rows of a table that stands below another are not referred
 * to by it any more.
 */
export const CLEARED = [
  'campaigns',
  'delivery_runs',
  'delivery_deltas',
  'message_stats',
  'messages',
  'message_files',
  'platform_events',
  'webhook_calls',
  'contact_merges',
  'distinct_contacts',
  'merged_contacts',
  'contact_aliases',
  'contact_imports',
  'contact_growth',
  'segments',
  'custom_fields',
  'removed_custom_fields',
  'templates',
  'quick_replies',
  'media',
  'conversation_drafts',
  'conversation_views',
  'conversation_labels',
  'conversation_rounds',
  'inbox_settings',
  'notifications',
  'data_imports',
  'logos',
] as const;

/** What goes with a row of those, or with a contact, by its foreign key or a trigger. */
export const GO_ALONG = [
  'contacts',
  'deleted_contacts',
  'contact_consents',
  'contact_counts',
  'contact_tag_counts',
  'contact_merge_parts',
  'contact_import_changes',
  'contact_import_errors',
  'marketing_holds',
  'conversations',
  'conversation_marks',
  'conversation_notes',
  'media_copies',
  'delivery_recipients',
  'delivery_retries',
] as const;

/** What stays, and why. */
export const STAYS: Readonly<Record<string, string>> = {
  activities: 'the log says who cleared everything',
  activity_subjects: 'the log',
  api_keys: 'of people',
  archive_readings: 'what was here before one goes by its time',
  budget_charges: 'what was spent is spent',
  budget_months: 'what was spent is spent',
  budget_returns: 'what was spent is spent',
  channels: 'numbers are disconnected, and connected again without typing everything anew',
  contact_list_layouts: 'of people',
  delivery_channels: 'how fast a number may send, which the platform decided',
  delivery_usage: 'the allowance of a day that was used is used',
  erased_people: 'nobody who was erased comes back by an import',
  events: 'what happened is told to the end, and goes after a month',
  events_set_aside: 'what a part of the product has yet to hear',
  idempotency_keys: 'the same act again is still the same',
  inbox_people: 'of people',
  invitations: 'of people',
  kept_words: 'who wants no marketing wants none after this either',
  live_events: 'open pages hear of this',
  long_act_parts: 'files of acts go by their time',
  long_acts: 'this is one',
  media_uploads: 'uploads that nobody finishes go by their time',
  memberships: 'of people',
  message_file_leavings: 'bytes that wait to be removed',
  presence_streams: 'of people',
  profile_pushes: 'what the platform of a number knows of the business',
  summaries: 'of people',
  team_members: 'of people',
  teams: 'of people',
  told_stops: 'of numbers, which stay',
  workspace_archives: 'somebody asked for them, maybe just before this; they go by their time, or one by one',
};

/** Of those, what goes where a sample is left. */
export const TRIALS = {
  teams: 'teams',
  money: ['budget_charges', 'budget_returns', 'budget_months'],
} as const;
