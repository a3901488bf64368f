import { errorMessageOf } from '../../shared/error-message.ts';
import { t } from '../../shared/messages.ts';
import { findObstacleText } from './delivery-words.ts';

/** What a refused save, start or send says to people. */
export const sendingErrorMessage = errorMessageOf({
  bulk_message_no_contacts: 'sending.failure.noContacts',
  bulk_message_no_content: 'sending.failure.noContent',
  campaign_audience_empty: 'sending.failure.nobody',
  placeholder_without_value: ({ placeholder }) =>
    t('sending.failure.placeholder', { placeholder: `{{${String(placeholder ?? '')}}}` }),
  campaign_segment_deleted: (values) => segmentDeletedText(values.segment ? [String(values.segment)] : []),
  campaign_schedule_past: 'sending.schedule.past',
  campaign_schedule_missing: 'sending.schedule.missing',
  channel_not_connected: 'sending.obstacle.notConnected',
  chosen_number_off: ({ number }) =>
    number
      ? t('sending.failure.numberOff', { number: String(number) })
      : t('sending.obstacle.chosenNumberOff'),
  template_not_approved: ({ obstacle }) =>
    findObstacleText(String(obstacle ?? '')) ?? t('sending.obstacle.templateNotApproved'),
  campaign_variants_differ: 'sending.failure.variantsDiffer',
  fallback_not_possible: 'sending.failure.fallback',
  content_not_found: 'sending.failure.contentGone',
  content_not_active: 'sending.obstacle.contentNotActive',
  content_elsewhere: 'sending.obstacle.contentElsewhere',
  link_target_missing: 'sending.failure.linkTarget',
  content_file_gone: 'sending.obstacle.contentFileGone',
  custom_field_unknown: 'sending.failure.customFieldGone',
  template_not_found: 'sending.failure.templateGone',
  campaign_not_found: 'sending.failure.campaignGone',
  campaign_changed: 'sending.failure.changed',
  campaign_already_started: 'sending.failure.alreadyStarted',
  campaign_act_refused: 'sending.failure.actRefused',
  campaign_already_sending: 'sending.failure.alreadySending',
  campaign_retry_running: 'sending.failure.retryRunning',
});

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
