import type { MessageKey } from '../../shared/messages.ts';

const HOUR_MS = 3_600_000;
const MORNING = 9;

/** When what is put aside comes back, by the clock of this device. */
export function snoozeTimes(now = new Date()): { label: MessageKey; at: string }[] {
  const morning = (days: number) => {
    const at = new Date(now);
    at.setDate(at.getDate() + days);
    at.setHours(MORNING, 0, 0, 0);
    return at.toISOString();
  };
  const toMonday = (8 - now.getDay()) % 7 || 7;
  return [
    { label: 'inbox.snooze.hours', at: new Date(now.getTime() + 3 * HOUR_MS).toISOString() },
    { label: 'inbox.snooze.tomorrow', at: morning(1) },
    { label: 'inbox.snooze.monday', at: morning(toMonday) },
  ];
}
