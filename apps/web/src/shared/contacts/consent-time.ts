import { formatDateTime } from '../formats.ts';
import { t } from '../messages.ts';

/** When something was said; an opt-in of which nobody knows when comes before everything else, at the beginning of time. */
export function formatSaid(at: string): string {
  return Date.parse(at) === 0 ? t('contacts.consent.timeUnknown') : formatDateTime(at);
}
