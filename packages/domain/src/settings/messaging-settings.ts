import { defaultCampaignGuard, type CampaignGuard } from './campaign-guard.ts';
import type { Budget } from './budget.ts';
import { kindList } from '../channel-kinds/kind-list.ts';
import type { ConsentKind, ConsentWords } from '../contacts/opt-out-keywords.ts';
import type { QuietHours } from '../campaigns/quiet-hours.ts';
import type { InterfaceLanguage } from '../text/interface-language.ts';
import { businessTimeBetween, type BusinessHours } from '../conversations/teamwork/business-time.ts';

/** When somebody who writes hears an automatic reply. */
export const autoReplyTimes = ['always', 'outside_hours', 'first_message'] as const;
export type AutoReplyTime = (typeof autoReplyTimes)[number];

export type AutoReply = {
  isEnabled: boolean;
  message: string;
  when: AutoReplyTime;
  /** Not twice to one person within so many hours, nor while somebody answers them. */
  pauseHours: number;
};

/** At most so many messages of all kinds in a minute and a day (UTC), once it is switched on; numbers share those of a minute (`shareOfMinute`). */
export type MessageLimits = { isEnabled: boolean; perMinute: number; perDay: number };

/** What is answered to whoever ends or renews consent by a word, in the language of that word; nothing where it is empty. */
export type ConsentAnswers = Record<ConsentKind, Record<InterfaceLanguage, string>>;

/** How a workspace sends and answers. */
export type MessagingSettings = {
  /** Null: the words that come with the product. */
  consentWords: ConsentWords | null;
  consentAnswers: ConsentAnswers;
  autoReply: AutoReply;
  messageLimits: MessageLimits;
  /** The same for the messages of one kind of channel, beside those for all; by the names of the kinds that have limits of their own. */
  kindLimits: Readonly<Record<string, MessageLimits>>;
  /** So many marketing messages reach one person within seven days, of all campaigns and single ones together; null: any number. */
  marketingPerWeek: number | null;
  /** By kinds of channels: so many promotional messages reach one person in a country with such a rule (`PromotionCap`). */
  promotionsPerPerson: Readonly<Record<string, number>>;
  budget: Budget;
  campaignGuard: CampaignGuard;
  /** What a new campaign begins with; each can choose otherwise. */
  quietHours: QuietHours | null;
};

const NO_ANSWER = { en: '', es: '', fr: '', de: '', pt: '' };

export const messagingLimits = {
  consentWord: 60,
  consentWords: 200,
  autoReply: 1_000,
  pauseHours: 720,
  perMinute: 100_000,
  perDay: 10_000_000,
  marketingPerWeek: 100,
  promotionsPerPerson: 100,
} as const;

export const defaultMessagingSettings: MessagingSettings = {
  // Without business hours nothing is outside of them, so that nobody is answered before somebody has set this up.
  autoReply: {
    isEnabled: true,
    message: "Thanks for your message! We'll get back to you soon.",
    when: 'outside_hours',
    pauseHours: 12,
  },
  messageLimits: { isEnabled: false, perMinute: 10, perDay: 1_000 },
  kindLimits: Object.fromEntries(
    kindList.flatMap(({ name, limits }) => (limits ? [[name, { isEnabled: false, ...limits }]] : [])),
  ),
  marketingPerWeek: null,
  promotionsPerPerson: Object.fromEntries(
    kindList.flatMap(({ name, promotions }) => (promotions ? [[name, promotions.most]] : [])),
  ),
  budget: { isEnabled: false, perMonth: 100 },
  campaignGuard: defaultCampaignGuard,
  quietHours: null,
  consentWords: null,
  consentAnswers: { stop: NO_ANSWER, start: NO_ANSWER },
};

/** Stored is what was saved; what is not named yet has its default. */
export function readMessagingSettings(stored: Record<string, unknown>): MessagingSettings {
  const known = Object.keys(defaultMessagingSettings).filter((name) => stored[name] !== undefined);
  const settings = Object.fromEntries(known.map((name) => [name, stored[name]]));
  // What is stored was in the form of the contract.
  const read = { ...defaultMessagingSettings, ...(settings as Partial<MessagingSettings>) };
  // Guards that were saved before there was a quality to choose name none.
  return {
    ...read,
    campaignGuard: { ...defaultCampaignGuard, ...read.campaignGuard },
    kindLimits: { ...defaultMessagingSettings.kindLimits, ...read.kindLimits },
    promotionsPerPerson: { ...defaultMessagingSettings.promotionsPerPerson, ...read.promotionsPerPerson },
  };
}

/** Of a message that somebody wrote, all that decides whether it is answered automatically. Times in milliseconds. */
export type ToAnswer = {
  writtenAt: number;
  text: string;
  isFirst: boolean;
  /** It ends or renews consent, which has answers of its own. */
  consent: { kind: ConsentKind; language: InterfaceLanguage } | null;
  /** It comes from a number of ours. */
  isOwnNumber: boolean;
  /** When we wrote to them last, by ourselves or automatically. */
  answeredAt: number | null;
  /** Automatic replies to them within a day. */
  repliesInDay: number;
};

/** What came later than this, from a history or after a failure, is answered by people alone. */
const FRESH_MS = 15 * 60_000;
/** Two machines that answer each other stop here. */
const MOST_REPLIES_IN_DAY = 3;
const HOUR_MS = 3_600_000;

/** Whether anything at all is answered by itself, so that a workspace where nothing is costs nothing. */
export function answersByItself(
  { autoReply, consentAnswers }: Pick<MessagingSettings, 'autoReply' | 'consentAnswers'>,
  businessHours: BusinessHours | null,
): boolean {
  const answers = Object.values(consentAnswers).flatMap((byLanguage) => Object.values(byLanguage));
  if (answers.some((answer) => answer.trim() !== '')) return true;
  return autoReply.isEnabled && (autoReply.when !== 'outside_hours' || businessHours !== null);
}

/** Whether a message is answered automatically now. */
export function isAutoAnswered(
  { autoReply }: Pick<MessagingSettings, 'autoReply'>,
  businessHours: BusinessHours | null,
  message: ToAnswer,
  now: number,
): boolean {
  const { isEnabled, message: words, when, pauseHours } = autoReply;
  if (!isEnabled || words.trim() === '') return false;
  const { writtenAt, text, answeredAt } = message;
  if (now - writtenAt > FRESH_MS || message.consent !== null || message.isOwnNumber) return false;
  // Our own words come back from somebody who forwards, or answers, by machine.
  if (plain(text) === plain(words) || message.repliesInDay >= MOST_REPLIES_IN_DAY) return false;
  if (answeredAt !== null && (answeredAt > writtenAt || now - answeredAt < pauseHours * HOUR_MS))
    return false;
  if (when === 'first_message') return message.isFirst;
  return when === 'always' || isClosed(businessHours, writtenAt);
}

/** What is answered to a word about consent; null for nothing. */
export function answerToConsent(
  { consentAnswers }: Pick<MessagingSettings, 'consentAnswers'>,
  { consent, writtenAt, isOwnNumber, repliesInDay }: ToAnswer,
  now: number,
): string | null {
  if (consent === null || isOwnNumber || now - writtenAt > FRESH_MS) return null;
  if (repliesInDay >= MOST_REPLIES_IN_DAY) return null;
  return consentAnswers[consent.kind][consent.language].trim() || null;
}

/** Without hours a business never closes. */
function isClosed(hours: BusinessHours | null, at: number): boolean {
  return hours !== null && businessTimeBetween(hours, at, at + 1) === 0;
}

function plain(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim().toLowerCase();
}
