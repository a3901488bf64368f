/** Errors of campaigns, see `errorTable`. */
export const campaignErrors = {
  campaign_not_found: { status: 404, message: 'There is no such campaign.' },
  content_not_found: { status: 404, message: 'There is no such message.' },
  content_not_active: { status: 409, message: 'Only an active message can be sent. Activate it first.' },
  content_elsewhere: {
    status: 409,
    message: 'The number of this campaign cannot send this message. Choose a number or agent of its kind.',
  },
  content_file_gone: {
    status: 409,
    message: 'A file of this message is not in the library any more. Choose another file in the message.',
  },
  fallback_not_possible: {
    status: 422,
    message:
      'Only a message that its channel can withdraw may have a fallback, through another number and with a template that needs no file.',
  },
  link_target_missing: {
    status: 422,
    message:
      'A button of this template leads to a counted link. Give its placeholder one web address for everybody, such as https://shop.example/sale.',
  },
  campaign_variants_differ: {
    status: 422,
    message:
      'All variants of a test must be of one kind: all marketing, all utility, or all free text. Others reach other people.',
  },
  campaign_best_time_with_test: {
    status: 422,
    message:
      'An A/B test goes to all its contacts at once. Choose either the test or the best time of each contact.',
  },
  campaign_without_test: { status: 404, message: 'This campaign has no A/B test.' },
  campaign_test_running: {
    status: 409,
    message: 'The test is not over: its people have not all had the time that the rule gives them.',
  },
  campaign_test_decided: {
    status: 409,
    message: 'It is already decided which variant the remaining contacts get.',
  },
  campaign_already_started: {
    status: 409,
    message: 'Sending has started. Only the name can still be changed.',
  },
  campaign_already_sending: {
    status: 409,
    message: 'It is too late to undo the start. Pause the campaign instead.',
  },
  campaign_act_refused: { status: 409, message: 'The campaign is not in a state that allows this.' },
  campaign_retry_running: {
    status: 409,
    message: 'A campaign that retries the failed messages is already running.',
  },
  budget_reached: {
    status: 409,
    message: 'The budget of this month is used up. Raise it in Settings or wait until next month.',
  },
  daily_limit_reached: { status: 409, message: 'The daily limit is used up. Try again tomorrow.' },
  test_message_refused: { status: 422, message: 'The platform rejected the test message.' },
  campaign_schedule_past: { status: 422, message: 'The scheduled time is in the past.' },
  campaign_schedule_missing: { status: 422, message: 'A scheduled campaign needs a time.' },
  placeholder_without_value: {
    status: 422,
    message:
      'No contact can have a value for this placeholder. Fill it, or allow missing values (allowMissingValues): it is then sent as written.',
  },
  campaign_audience_empty: {
    status: 422,
    message: 'None of the selected contacts can receive this message.',
  },
  campaign_segment_deleted: { status: 409, message: 'A segment of the audience was deleted.' },
  campaign_changed: { status: 409, message: 'Someone else changed this campaign in the meantime.' },
} as const;
