/**
 * Every refusal of the API: its HTTP status and an English sentence for people who call the API by hand.
 * The web has its own sentence per code in its message catalogues.
 */
export const errorTable = {
  host_unknown: {
    status: 421,
    message: 'This server does not answer under this name: PUBLIC_URL or ALLOWED_HOSTS must name it.',
  },
  cross_site_request: { status: 403, message: 'Requests from other sites are refused.' },
  signed_out: { status: 401, message: 'Please sign in.' },
  FORBIDDEN: { status: 403, message: 'You may not do this.' },
  address_unknown: { status: 404, message: 'There is nothing at this address.' },
  body_too_large: { status: 413, message: 'The request is too large.' },
  server_busy: { status: 503, message: 'The server is busy. Please try again in a moment.' },
  database_away: { status: 503, message: 'The database cannot be reached. Please try again in a moment.' },
  body_too_slow: { status: 408, message: 'The request came too slowly.' },
  body_too_complex: { status: 422, message: 'The request is nested too deeply, or has too many parts.' },
  body_malformed: { status: 400, message: 'The request could not be read.' },
  method_not_allowed: { status: 405, message: 'This address knows no such method.' },
  range_unsatisfiable: { status: 416, message: 'The file has no such part.' },
  body_interrupted: { status: 400, message: 'The request ended before it was complete.' },
  internal: { status: 500, message: 'Something went wrong on our side.' },
  webhook_unsigned: { status: 401, message: 'The signature is wrong.' },
  webhook_token_wrong: { status: 403, message: 'The verify token is wrong.' },
  invalid_input: { status: 422, message: 'Please correct the marked fields.' },

  invalid_credentials: { status: 401, message: 'Invalid email or password' },
  account_inactive: {
    status: 403,
    message: 'This account is not active. An administrator of your workspace can activate it.',
  },
  sample_locked: {
    status: 403,
    message: 'The sample workspace is locked on a server that others can reach.',
  },
  email_taken: { status: 409, message: 'An account with this email address already exists' },
  reset_link_invalid: { status: 422, message: 'This link has expired or was already used.' },
  account_locked: { status: 429, message: 'Too many failed sign-ins. Please try again later.' },
  sign_in_slowed: {
    status: 429,
    message: 'Many wrong passwords were tried for this address. Please try again in a moment.',
  },
  too_many_attempts: { status: 429, message: 'Too many attempts. Please try again later.' },
  too_many_enquiries: { status: 429, message: 'Too many messages. Please try again later.' },

  idempotency_key_required: {
    status: 400,
    message: 'This act needs a header Idempotency-Key of 8 to 200 characters, one for each act.',
  },
  idempotency_key_reused: { status: 409, message: 'This idempotency key was used for a different request.' },
  idempotency_answer_gone: { status: 409, message: 'This was done before; its answer is no longer kept.' },
  outcome_unknown: {
    status: 409,
    message: 'Nobody knows whether this was done. Look first; only a new key does it again.',
  },

  contact_not_found: { status: 404, message: 'There is no such contact.' },
  contact_phone_taken: { status: 409, message: 'A contact with this phone number already exists.' },
  contact_erased: { status: 409, message: 'This person was erased and is not added again.' },
  contact_phone_invalid: { status: 422, message: 'This is not a phone number that any country has.' },
  contact_consent_future: { status: 422, message: 'Consent cannot be given in the future.' },
  contact_import_not_undoable: {
    status: 409,
    message: 'This import added nothing, or was taken back before.',
  },
  contact_import_failed: { status: 422, message: 'The file could not be imported.' },
  contact_import_type_unsupported: { status: 415, message: 'Please select a JSON or CSV file.' },
  contact_import_begun: { status: 409, message: 'An import with this id was begun before.' },
  contact_import_busy: {
    status: 503,
    message: 'Other imports are running. Please try again in a minute.',
  },
  contact_import_not_found: { status: 404, message: 'There is no such import.' },
  contact_merge_not_found: { status: 404, message: 'There is no such merge.' },
  contact_merge_too_old: { status: 409, message: 'A merge can be undone for 30 days.' },
  contact_merge_survivor_gone: { status: 409, message: 'The merged contact was deleted since.' },
  contact_merge_merged_again: {
    status: 409,
    message: 'The contact was merged into another one since: undo that merge first.',
  },
  contact_merge_number_taken: {
    status: 409,
    message: 'Another contact has the number of one of the merged contacts since.',
  },
  contact_removal_not_found: { status: 404, message: 'There is no such deletion.' },
  contact_removal_not_undoable: {
    status: 409,
    message: 'A deletion can be taken back for an hour.',
  },
  contact_changed: { status: 409, message: 'Somebody else changed this contact in the meantime.' },

  segment_not_found: { status: 404, message: 'There is no such segment.' },
  segment_name_taken: { status: 409, message: 'A segment with this name already exists.' },
  segment_in_use: { status: 409, message: 'A scheduled campaign uses this segment.' },
  segment_changed: { status: 409, message: 'Somebody else changed this segment in the meantime.' },

  custom_field_not_found: { status: 404, message: 'There is no such custom field.' },
  custom_field_unknown: { status: 422, message: 'No custom field has this name.' },
  custom_field_invalid: { status: 422, message: 'This value does not fit its custom field.' },
  custom_field_label_taken: { status: 409, message: 'A custom field with this name already exists.' },
  custom_field_limit: { status: 409, message: 'There are as many custom fields as there can be.' },
  custom_field_options_missing: { status: 422, message: 'A choice needs options; no other type has any.' },
  custom_field_option_used: { status: 409, message: 'Contacts have an option that is left out.' },
  custom_field_changed: { status: 409, message: 'Somebody else changed this custom field in the meantime.' },
  custom_fields_changed: { status: 409, message: 'Somebody else added or deleted a custom field.' },
  custom_field_in_use: { status: 409, message: 'A segment or an unfinished campaign asks for this field.' },

  template_not_found: { status: 404, message: 'There is no such template.' },
  template_changed: { status: 409, message: 'Somebody else changed this template in the meantime.' },
  template_not_approved: { status: 409, message: 'Only an approved template can be sent.' },
  template_invalid: { status: 422, message: 'A part of the template is missing or not valid.' },
  template_in_use: { status: 409, message: 'A scheduled or running campaign uses this template.' },
  template_language_fixed: {
    status: 409,
    message: 'The language of a submitted template cannot change: add the other language as a new one.',
  },
  template_status_by_platform: {
    status: 409,
    message: 'The status comes from the platform: save a draft and submit it for approval.',
  },
  template_refused: { status: 422, message: 'The platform refused the template.' },
  media_not_found: { status: 404, message: 'There is no such file.' },
  media_in_use: { status: 409, message: 'A template shows this file.' },
  media_too_large: { status: 413, message: 'The file is larger than its purpose allows.' },
  media_type_unsupported: { status: 415, message: 'File type not supported' },
  upload_not_found: { status: 404, message: 'There is no such upload, or it was given up.' },
  upload_offset_wrong: { status: 409, message: 'The upload goes on at another place.' },
  platform_unreachable: { status: 424, message: 'The messaging platform could not be reached. Try again.' },

  campaign_not_found: { status: 404, message: 'There is no such campaign.' },
  campaign_already_started: { status: 409, message: 'Sending has begun: only the name can still change.' },
  campaign_act_refused: { status: 409, message: 'The campaign is not in a state that allows this.' },
  campaign_retry_running: {
    status: 409,
    message: 'A campaign is already sending again to those whose message failed.',
  },
  daily_limit_reached: { status: 409, message: 'The daily limit is used up. Try again tomorrow.' },
  test_message_refused: { status: 422, message: 'The platform refused the test message.' },
  campaign_schedule_past: { status: 422, message: 'The scheduled time is in the past.' },
  campaign_schedule_missing: { status: 422, message: 'A scheduled campaign needs a time.' },
  campaign_audience_empty: { status: 422, message: 'Nobody of the chosen contacts can get this message.' },
  campaign_segment_deleted: { status: 409, message: 'A segment of the audience was deleted.' },
  bulk_message_no_contacts: { status: 422, message: 'No contacts selected.' },
  bulk_message_no_content: { status: 422, message: 'No message content provided.' },
  channel_not_connected: {
    status: 409,
    message: 'WhatsApp is not connected: connect it in Settings, then send again.',
  },
  campaign_changed: { status: 409, message: 'Somebody else changed this campaign in the meantime.' },
} as const satisfies Record<string, { status: number; message: string }>;

export type ErrorCode = keyof typeof errorTable;
