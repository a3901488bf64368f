import { formatDate, formatTime } from '../../shared/formats.ts';
import { t } from '../../shared/messages.ts';

const HOUR_MS = 3_600_000;

/** Under an hour “Just now”, under a day the time, else the day. */
export function conversationTime(at: string, now = Date.now()): string {
  const hours = (now - Date.parse(at)) / HOUR_MS;
  if (hours < 1) return t('chatbot.justNow');
  return hours < 24 ? formatTime(at) : formatDate(at);
}
