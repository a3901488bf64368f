import { readFailure } from '../../shared/api.ts';
import { failureText } from '../../shared/failure-text.ts';
import { t } from '../../shared/messages.ts';

/** What a refused save, start or send says to people. */
export function sendingFailureText(error: unknown): string {
  const { code, values } = readFailure(error);
  switch (code) {
    case 'bulk_message_no_contacts':
      return t('sending.failure.noContacts');
    case 'bulk_message_no_content':
      return t('sending.failure.noContent');
    case 'campaign_audience_empty':
      return t('sending.failure.nobody');
    case 'campaign_segment_deleted':
      return segmentDeletedText(values.segment ? [String(values.segment)] : []);
    case 'campaign_schedule_past':
      return t('sending.schedule.past');
    case 'campaign_schedule_missing':
      return t('sending.schedule.missing');
    case 'channel_not_connected':
      return t('sending.obstacle.notConnected');
    case 'template_not_approved':
      return t('sending.obstacle.templateNotApproved');
    case 'custom_field_unknown':
      return t('sending.failure.customFieldGone');
    case 'template_not_found':
      return t('sending.failure.templateGone');
    case 'campaign_not_found':
      return t('sending.failure.campaignGone');
    case 'campaign_changed':
      return t('sending.failure.changed');
    case 'campaign_already_started':
      return t('sending.failure.alreadyStarted');
    case 'campaign_act_refused':
      return t('sending.failure.actRefused');
    case 'campaign_retry_running':
      return t('sending.failure.retryRunning');
    default:
      return failureText(error);
  }
}

/** Names the segments that are gone, as far as their names are known. */
export function segmentDeletedText(names: readonly string[]): string {
  const known = names.filter((name) => name !== '');
  return known.length === 0
    ? t('sending.failure.someSegmentDeleted')
    : t('sending.failure.segmentDeleted', {
        n: known.length,
        names: known.map((name) => `“${name}”`).join(', '),
      });
}
