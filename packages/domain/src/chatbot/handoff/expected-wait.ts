import { addBusinessTime, type BusinessHours } from '../../conversations/teamwork/business-time.ts';
import type { InterfaceLanguage } from '../../text/interface-language.ts';
import type { BotSettings } from '../bot-settings.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
/** Fewer first answers say nothing about the next one. */
export const LEAST_ANSWERS = 5;
/** Nobody is told to wait longer: then nothing is said about the time. */
const LONGEST_MS = 3 * DAY_MS;

/**
 * How long a customer who is handed over now waits for a person, in milliseconds: the median of recent first answers in business time, from now on.
 * Null where too few answers are known, or where the business does not open within days.
 */
export function expectedWait(
  /** Business time that recent first answers took, in milliseconds. */
  answered: readonly number[],
  hours: BusinessHours | null,
  now: number,
): number | null {
  if (answered.length < LEAST_ANSWERS) return null;
  const sorted = answered.toSorted((one, other) => one - other);
  const median = sorted[Math.floor((sorted.length - 1) / 2)]!; // it is not empty
  const until = addBusinessTime(hours, now, median);
  if (until === null || until - now > LONGEST_MS) return null;
  return until - now;
}

type Unit = 'minute' | 'hour' | 'day';

/** A time that people can promise, never shorter than the one given. */
export function roundWait(ms: number): { n: number; unit: Unit } {
  const minutes = Math.ceil(ms / MINUTE_MS);
  const n = [1, 2, 3, 5, 10, 15, 20, 30, 45].find((step) => minutes <= step);
  if (n !== undefined) return { n, unit: 'minute' };
  const hours = Math.ceil(ms / HOUR_MS);
  return hours < 24 ? { n: hours, unit: 'hour' } : { n: Math.ceil(ms / DAY_MS), unit: 'day' };
}

/** What customers read, so it stands here and not in the catalogues of the web. */
const sentences: Record<InterfaceLanguage, string> = {
  en: 'We usually answer within {{time}}.',
  es: 'Normalmente respondemos en {{time}}.',
  fr: 'Nous répondons en général en {{time}}.',
  de: 'Die Antwort dauert meist etwa {{time}}.',
  pt: 'Normalmente respondemos em {{time}}.',
};

/** The sentence about the wait, in the words of the settings or in those of the product; null where nothing is to be said. */
export function waitText(
  { tellsWaitingTime, waitingMessage }: Pick<BotSettings, 'tellsWaitingTime' | 'waitingMessage'>,
  wait: number | null,
  language: InterfaceLanguage,
): string | null {
  if (!tellsWaitingTime || wait === null) return null;
  const { n, unit } = roundWait(wait);
  const time = new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'long' }).format(n);
  return (waitingMessage.trim() || sentences[language]).replaceAll('{{time}}', time);
}
