import { explainDeliveryError } from '@app/domain/messaging/delivery-error-messages';

const PAUSE_WORDS: Record<string, string> = {
  daily_limit: 'The daily limit is used up. Sending continues automatically when the limit allows.',
  budget:
    'The budget of this month is used up. Sending continues automatically next month, or when the budget is raised.',
  failures: 'Too many of the last messages failed. Look at the reasons below before you resume.',
  number_quality:
    'The platform rates the quality of this number lower. Look at what people say before you resume.',
  template_quality:
    'The platform rates the quality of its template as low. Change the text before you send more.',
  quiet_hours: 'Quiet hours. Sending continues automatically when they end.',
  channel_missing: 'The number of this campaign is no longer connected. Connect it in Settings, then resume.',
  disconnected: 'The number was disconnected in Settings. The campaign continues once it is connected again.',
  template_not_approved:
    'Its template cannot be sent in its current state. Choose another one, then start again.',
  template_not_found: 'Its template was deleted. Choose another one, then start again.',
  content_not_active:
    'Its message was paused or is a draft again. Activate it, or choose another one, then start again.',
  content_not_found: 'Its message was deleted. Choose another one, then start again.',
  content_elsewhere:
    'Its number cannot send its message. Choose a number or agent of its kind, then start again.',
  link_target_missing:
    'A button of its template leads to a counted link and needs one web address for everybody. Set it, then start again.',
  content_file_gone:
    'A file of its message is not in the library any more. Choose another file in the message, then start again.',
  channel_not_connected: 'No number is connected. Connect one in Settings, then resume.',
  restored:
    'A backup was restored while this campaign was under way. Some people may have got it since the backup: resume only if that is all right.',
  campaign_audience_empty: 'None of the selected contacts can receive this message.',
};

/** Those whose sentence names something: a segment, a number, or what keeps the template from being sent. */
const NAMED: ReadonlySet<string> = new Set([
  ...['campaign_segment_deleted', 'chosen_number_off', 'template_not_approved'],
]);

type PausedRow = {
  status: string;
  pauseReason: string | null;
  pauseCode: string | null;
  pauseDetail: string | null;
};

/** Why a campaign paused by itself: in plain words, and as the code by which the web has its own; null when a person paused it. */
export function presentPause(row: PausedRow) {
  const pauseReason = explainPause(row);
  const { pauseReason: reason, pauseCode, pauseDetail } = row;
  if (pauseReason === null) return { pauseReason, pauseCode: null, pauseName: null };
  const isNamed = reason !== null && NAMED.has(reason);
  return { pauseReason, pauseCode: pauseCode ?? reason, pauseName: isNamed ? pauseDetail : null };
}

function explainPause(row: PausedRow): string | null {
  const { status, pauseReason, pauseCode, pauseDetail } = row;
  if (status !== 'paused' || !pauseReason || pauseReason === 'operator') return null;
  if (pauseReason === 'campaign_segment_deleted') return explainDeletedSegment(pauseDetail);
  if (pauseReason === 'chosen_number_off') return explainNumberOff(pauseDetail);
  if (pauseCode) {
    const detail = pauseDetail ?? '';
    return (
      PAUSE_WORDS[pauseCode] ?? explainDeliveryError({ code: pauseCode, title: detail, details: detail })
    );
  }
  return (
    PAUSE_WORDS[pauseReason] ?? pauseDetail ?? 'Sending was stopped. Look at the connection in Settings.'
  );
}

function explainDeletedSegment(name: string | null): string {
  const segment = name ? `Its segment “${name}”` : 'A segment of its contacts';
  return `${segment} was deleted. Edit the campaign and choose other contacts, then start it again.`;
}

function explainNumberOff(name: string | null): string {
  const number = name ? `Its number ${name}` : 'The number that was chosen for it';
  return `${number} is not connected. Connect it again, or choose another, then start it again.`;
}

const LEFT_OUT_WORDS: Record<string, string> = {
  no_number: 'Left out: the contact has no valid number.',
  blocked: 'Left out: the contact is blocked.',
  opted_out: 'Left out: the person opted out.',
  contact_deleted: 'Left out: the contact was deleted before its turn came.',
  window_closed: 'Left out: the 24-hour window is closed. Send a template instead.',
  held: 'Left out: the platform asked to spare this person marketing for a day.',
  capped: 'Left out: this person got as many marketing messages this week as the settings allow.',
  promotions_capped:
    'Left out: this person got as many promotional messages in 28 days as their country allows. The RCS settings hold the number.',
  held_out:
    'Left out: this person is in the group that gets nothing, so that the effect of the campaign can be measured.',
  run_cancelled: 'Not sent: the campaign was cancelled.',
  not_sent: 'Not sent: marked as not sent.',
  value_missing:
    'Not sent: a placeholder of the message has no value for this contact. Fill in the field, then send again to those who failed.',
};

/** What happened to one recipient and what to do next; null while nothing went wrong. */
export function explainOutcome(
  outcome: string,
  errorCode: string | null,
  errorDetail: string | null,
): string | null {
  if (outcome === 'unknown') {
    return 'The connection broke before the platform answered. It was not sent again, so that nobody gets it twice. Decide what happened.';
  }
  if (errorCode === null) return null;
  return (
    LEFT_OUT_WORDS[errorCode] ??
    explainDeliveryError({ code: errorCode, title: errorDetail ?? '', details: errorDetail ?? '' })
  );
}
