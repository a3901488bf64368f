import type { FailureCode } from './api-client.ts';
import type { MessageKey } from './messages.ts';

/** A sentence of `common.error` that every page has. */
type Word = MessageKey extends infer Key ? (Key extends `common.error.${infer Name}` ? Name : never) : never;

/** What most codes end in says what went wrong. */
const wordsOfEndings = {
  _not_found: 'notFound',
  _taken: 'taken',
  _in_use: 'inUse',
  _changed: 'changed',
  _invalid: 'invalid',
  _too_large: 'tooLarge',
} as const satisfies Record<string, Word>;

type WithEnding = `${string}${keyof typeof wordsOfEndings}`;

/** The sentence of every other code. None is ever without words, because the compiler asks for each code here. */
const wordsOfCodes = {
  offline: 'offline',
  host_unknown: 'internal',
  cross_site_request: 'forbidden',
  signed_out: 'signedOut',
  FORBIDDEN: 'forbidden',
  address_unknown: 'notFound',
  server_busy: 'busy',
  database_away: 'busy',
  body_too_slow: 'offline',
  body_too_complex: 'invalid',
  body_malformed: 'invalid',
  method_not_allowed: 'internal',
  range_unsatisfiable: 'internal',
  body_interrupted: 'offline',
  internal: 'internal',
  webhook_unsigned: 'forbidden',
  webhook_token_wrong: 'forbidden',
  invalid_input: 'invalid',
  invalid_credentials: 'signedOut',
  account_inactive: 'forbidden',
  sample_locked: 'forbidden',
  reset_link_invalid: 'notFound',
  account_locked: 'tooMany',
  sign_in_slowed: 'tooMany',
  too_many_attempts: 'tooMany',
  too_many_enquiries: 'tooMany',
  idempotency_key_required: 'internal',
  idempotency_key_reused: 'doneBefore',
  idempotency_answer_gone: 'doneBefore',
  outcome_unknown: 'outcomeUnknown',
  user_is_self: 'refused',
  user_above: 'forbidden',
  user_waits: 'refused',
  user_elsewhere: 'refused',
  role_too_high: 'forbidden',
  last_admin: 'refused',
  session_is_current: 'refused',
  user_exists: 'taken',
  user_invited: 'taken',
  too_many_mails: 'tooMany',
  team_not_yours: 'forbidden',
  team_too_small: 'refused',
  team_needs_owner: 'refused',
  team_full: 'refused',
  permission_not_held: 'forbidden',
  contact_erased: 'refused',
  contact_blocked: 'refused',
  contact_has_no_number: 'refused',
  contact_opted_out: 'refused',
  contact_held: 'refused',
  window_closed: 'refused',
  conversation_assignee_unknown: 'notFound',
  channel_stopped: 'refused',
  contact_consent_future: 'invalid',
  contact_import_not_undoable: 'refused',
  contact_import_failed: 'refused',
  contact_import_type_unsupported: 'invalid',
  contact_import_begun: 'refused',
  contact_import_busy: 'busy',
  contact_merge_too_old: 'refused',
  contact_merge_survivor_gone: 'notFound',
  contact_merge_merged_again: 'refused',
  contact_removal_not_undoable: 'refused',
  custom_field_unknown: 'notFound',
  custom_field_limit: 'refused',
  custom_field_options_missing: 'invalid',
  custom_field_option_used: 'inUse',
  template_not_approved: 'refused',
  template_language_fixed: 'refused',
  template_status_by_platform: 'refused',
  template_refused: 'refused',
  media_type_unsupported: 'invalid',
  upload_offset_wrong: 'refused',
  platform_unreachable: 'platformAway',
  campaign_already_started: 'refused',
  campaign_act_refused: 'refused',
  campaign_retry_running: 'refused',
  daily_limit_reached: 'dailyLimit',
  test_message_refused: 'refused',
  campaign_schedule_past: 'invalid',
  campaign_schedule_missing: 'invalid',
  campaign_audience_empty: 'invalid',
  campaign_segment_deleted: 'notFound',
  bulk_message_no_contacts: 'invalid',
  bulk_message_no_content: 'invalid',
  channel_not_connected: 'refused',
} as const satisfies Record<Exclude<FailureCode, WithEnding>, Word> & Partial<Record<FailureCode, Word>>;

/** The sentence for a code; a form that knows more of a refusal says more. Null for a code of a server that is newer than this page. */
export function findFailureWords(code: string): `common.error.${Word}` | null {
  if (Object.hasOwn(wordsOfCodes, code))
    return `common.error.${wordsOfCodes[code as keyof typeof wordsOfCodes]}`; // it is one of them
  for (const [ending, word] of Object.entries(wordsOfEndings))
    if (code.endsWith(ending)) return `common.error.${word}`;
  return null;
}
