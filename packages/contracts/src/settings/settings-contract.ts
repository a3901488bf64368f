import { isConsentWord } from '@app/domain/contacts/opt-out-keywords';
import { readEmailAddress } from '@app/domain/contacts/contact';
import { phoneCountries } from '@app/domain/contacts/phone-country';
import { budgetLimits } from '@app/domain/settings/budget';
import { poorQualities } from '@app/domain/channels/number-standing';
import { guardLimits } from '@app/domain/settings/campaign-guard';
import { isTimeZone } from '@app/domain/campaigns/quiet-hours';
import {
  businessCategories,
  generalLimits,
  readBusinessName,
  readWebsite,
  weekStarts,
} from '@app/domain/settings/general-settings';
import {
  autoReplyTimes,
  defaultMessagingSettings,
  messagingLimits,
} from '@app/domain/settings/messaging-settings';
import { numberCountries } from '@app/domain/settings/calling-codes';
import { priceLimits } from '@app/domain/settings/price-list';
import { interfaceLanguages } from '@app/domain/text/interface-language';
import { z } from 'zod';
import { notificationChoices } from '../profile/preferences-schema.ts';
import { inboxManners } from '../conversations/inbox-settings-contract.ts';
import { planChoice, usage } from './usage-contract.ts';
import { endpoint, id, instant, versioned } from '../endpoint.ts';
import { quietHours } from '../sending/quiet-hours.ts';

/** What is longer than the platform takes is refused, not cut. */
const words = (longest: number) => z.string().max(1000).trim().pipe(z.string().max(longest));

const price = z.number().min(0).max(priceLimits.price);
const prices = z.strictObject({ marketing: price, utility: price });
const priceList = z.strictObject({
  /** The day from which on it holds. */
  asOf: z.iso.date(),
  countries: z
    .record(z.string(), prices)
    .refine(
      (countries) => Object.keys(countries).every((country) => numberCountries.includes(country)),
      'There are countries whose numbers are not known.',
    ),
  others: prices,
});

/** What platforms show. */
const profile = {
  category: z.enum(businessCategories),
  about: words(generalLimits.about),
  address: words(generalLimits.address),
  description: words(generalLimits.description),
  email: words(generalLimits.email).refine(
    (text) => text === '' || readEmailAddress(text) === text,
    'This is no e-mail address.',
  ),
  websites: z
    .array(
      z
        .string()
        .max(1000)
        .transform((typed) => readWebsite(typed) ?? '')
        .pipe(z.string().min(1, 'A website begins with http:// or https://.')),
    )
    .max(generalLimits.websites),
  /** What `POST /api/settings/logo` answered. */
  logo: id.nullable(),
};

/** By name, each by itself, too. */
export const general = z.strictObject({
  businessName: z
    .string()
    .max(1000)
    .transform(readBusinessName)
    .pipe(z.string().max(generalLimits.businessName)),
  ...profile,
  timeZone: z.string().max(64).refine(isTimeZone, 'This is no time zone.'),
  language: z.enum(interfaceLanguages),
  weekStartsOn: z.literal(weekStarts),
  /** Of numbers without a country code; null: that of the number that sends. */
  country: z.enum(phoneCountries).nullable(),
  currency: z.string().regex(/^[A-Z]{3}$/),
  /** By country; null: every message costs 0.05 US dollars. */
  priceList: priceList.nullable(),
});

const consentWords = z
  .array(
    z.string().trim().max(messagingLimits.consentWord).refine(isConsentWord, 'Letters or digits are needed.'),
  )
  .max(messagingLimits.consentWords);
const inEachLanguage = <Value extends z.ZodType>(value: Value) =>
  z.strictObject({ en: value, es: value, fr: value, de: value, pt: value });
const answers = inEachLanguage(z.string().trim().max(messagingLimits.autoReply));

const messageLimits = z.strictObject({
  isEnabled: z.boolean(),
  perMinute: z.number().int().min(1).max(messagingLimits.perMinute),
  perDay: z.number().int().min(1).max(messagingLimits.perDay),
});

export const messaging = inboxManners.extend({
  /** Whole messages that end and renew consent, by language; null: those that come with the product. `stop` always ends it. */
  consentWords: inEachLanguage(z.strictObject({ stop: consentWords, start: consentWords })).nullable(),
  /** What they are answered, in the language of the word; nothing where it is empty. */
  consentAnswers: z.strictObject({ stop: answers, start: answers }),
  autoReply: z.strictObject({
    isEnabled: z.boolean(),
    message: z.string().max(2000).trim().pipe(z.string().min(1).max(messagingLimits.autoReply)),
    when: z.enum(autoReplyTimes),
    /** Not twice to one person within so many hours. */
    pauseHours: z.number().int().min(1).max(messagingLimits.pauseHours),
  }),
  /** Of all messages together, once they are switched on; the numbers that may send share those of a minute equally. */
  messageLimits,
  /** Of the messages of one kind of channel, beside those of all: by the name of a kind that has limits of its own. Kinds that are left out stay as they are. */
  kindLimits: z
    .record(z.string(), messageLimits)
    .refine(
      (limits) =>
        Object.keys(limits).every((kind) => Object.hasOwn(defaultMessagingSettings.kindLimits, kind)),
      'There are kinds without limits of their own.',
    ),
  /** By kinds of channels: promotional messages to one person in a country that limits them, such as RCS in India within 28 days. */
  promotionsPerPerson: z
    .record(z.string(), z.number().int().min(1).max(messagingLimits.promotionsPerPerson))
    .refine(
      (caps) =>
        Object.keys(caps).every((kind) => Object.hasOwn(defaultMessagingSettings.promotionsPerPerson, kind)),
      'There are kinds without such a rule.',
    ),
  /** To one person within seven days, of all campaigns and single messages together. */
  marketingPerWeek: z.number().int().min(1).max(messagingLimits.marketingPerWeek).nullable(),
  /** Of what all messages of a month cost, in the currency of the price list; a month of the workspace's time zone. */
  budget: z.strictObject({
    isEnabled: z.boolean(),
    perMonth: z.number().min(budgetLimits.least).max(budgetLimits.most),
  }),
  /** A campaign pauses when the platform finds its number or template as poor as that, or when so many percent failed among the newest. */
  campaignGuard: z.strictObject({
    isEnabled: z.boolean(),
    quality: z.enum(poorQualities).default('red'),
    failurePercent: z
      .number()
      .int()
      .min(guardLimits.failurePercent.least)
      .max(guardLimits.failurePercent.most),
    among: z.number().int().min(guardLimits.among.least).max(guardLimits.among.most),
  }),
  /** What a new campaign begins with. */
  quietHours: quietHours.nullable(),
});

/** By option; what is left out is on. */
const noticeDefaults = notificationChoices.pick({ options: true });

const profileState = z.object({
  /** Null without a connected number. */
  channel: z.object({ kind: z.string(), displayName: z.string().nullable() }).nullable(),
  /** Whether the platform shows what is kept here. */
  state: z.enum(['none', 'waiting', 'done', 'refused', 'unreachable']),
  /** Why the platform refused it: its code, and a sentence beside it. */
  code: z.string().nullable(),
  reason: z.string().nullable(),
  /** Ours says nothing about the business and the platform takes no empty text: its own still stands there. */
  keepsAbout: z.boolean(),
  changedAt: instant.nullable(),
});

const version = z.number().int().min(0).max(2_000_000_000);
/** Left out: the number through which the workspace sends. */
const ofNumber = z.object({ channelId: id.optional() });
const numberProfile = z.object({
  version,
  /** False while the number shows that of the workspace. */
  isOwn: z.boolean(),
  profile: z.object(profile),
  push: profileState,
});

export const settingsContract = {
  getGeneral: endpoint({
    method: 'GET',
    path: '/settings/general',
    access: 'settings:read',
    summary: 'What the workspace says of itself, and how it reckons',
    input: z.object({}),
    output: general.extend({ version }),
  }),
  updateGeneral: endpoint({
    method: 'PUT',
    path: '/settings/general',
    access: 'settings:manage',
    repeat: versioned,
    summary: 'Changes what the workspace says of itself; what is not named stays',
    input: general.partial().extend({ version }),
    output: general.extend({ version }),
    errors: ['settings_changed', 'media_not_found'],
  }),
  getMessaging: endpoint({
    method: 'GET',
    path: '/settings/messaging',
    access: 'settings:read',
    summary: 'How the workspace sends and answers',
    input: z.object({}),
    output: messaging.extend({ version }),
  }),
  updateMessaging: endpoint({
    method: 'PUT',
    path: '/settings/messaging',
    access: 'settings:manage',
    repeat: versioned,
    summary: 'Changes how the workspace sends and answers; what is not named stays',
    input: messaging.partial().extend({ version }),
    output: messaging.extend({ version }),
    errors: ['settings_changed'],
  }),
  getNoticeDefaults: endpoint({
    method: 'GET',
    path: '/settings/notices',
    access: 'settings:read',
    summary: 'What people are told of, and how, who have chosen nothing for themselves',
    input: z.object({}),
    output: noticeDefaults.extend({ version }),
  }),
  updateNoticeDefaults: endpoint({
    method: 'PUT',
    path: '/settings/notices',
    access: 'settings:manage',
    repeat: versioned,
    summary: 'Changes what people are told of who have chosen nothing; what anybody chose stays',
    input: noticeDefaults.extend({ version }),
    output: noticeDefaults.extend({ version }),
    errors: ['settings_changed'],
  }),
  getUsage: endpoint({
    method: 'GET',
    path: '/settings/usage',
    access: 'settings:read',
    summary: 'What the workspace uses of its plan and of its budget in this month',
    input: z.object({}),
    output: usage,
  }),
  updatePlan: endpoint({
    method: 'PUT',
    path: '/settings/plan',
    access: 'settings:manage',
    repeat: { harmless: 'The same plan again changes nothing.' },
    summary: 'Chooses the plan against whose limits use is shown; nothing is refused or stopped by it',
    input: z.object({ plan: planChoice }),
    output: usage,
  }),
  getProfileState: endpoint({
    method: 'GET',
    path: '/settings/profile',
    access: 'settings:read',
    summary:
      'Whether the platform shows what the workspace says of itself, beside its default number or another',
    input: ofNumber,
    output: profileState.extend({
      /** Each connected number, with a profile of its own or with that of the workspace. */
      numbers: z.array(profileState.extend({ channelId: id, isOwn: z.boolean() })),
    }),
    errors: ['channel_not_found'],
  }),
  pushProfile: endpoint({
    method: 'POST',
    path: '/settings/profile/push',
    access: 'settings:manage',
    repeat: 'keyed',
    summary:
      'Hands what a number is to show to the platform once more; without one, what the workspace says of itself to each number without a profile of its own',
    input: ofNumber,
    output: profileState,
    errors: ['channel_not_connected', 'channel_not_found'],
  }),
  readProfile: endpoint({
    method: 'POST',
    path: '/settings/profile/read',
    access: 'settings:manage',
    repeat: { harmless: 'It changes nothing but that the picture there is kept, once.' },
    summary: 'What the platform shows beside a number now; its picture is kept, so that it can be taken over',
    input: ofNumber,
    output: z.discriminatedUnion('outcome', [
      z.object({
        outcome: z.literal('done'),
        profile: z.object({
          category: z.enum(businessCategories),
          about: z.string(),
          address: z.string(),
          description: z.string(),
          email: z.string(),
          websites: z.array(z.string()),
          logo: id.nullable(),
        }),
      }),
      z.object({ outcome: z.literal('refused'), code: z.string(), reason: z.string() }),
      z.object({ outcome: z.literal('unreachable') }),
    ]),
    errors: ['channel_not_connected', 'channel_not_found'],
  }),
  getNumberProfile: endpoint({
    method: 'GET',
    path: '/settings/numbers/{channelId}/profile',
    access: 'settings:read',
    summary: 'What a number shows of the business: its own profile, or that of the workspace',
    input: z.object({ channelId: id }),
    output: numberProfile,
    errors: ['channel_not_found'],
  }),
  updateNumberProfile: endpoint({
    method: 'PUT',
    path: '/settings/numbers/{channelId}/profile',
    access: 'settings:manage',
    repeat: versioned,
    summary: 'Gives a number a profile of its own, or with null that of the workspace again',
    input: z.object({ channelId: id, version, profile: z.strictObject(profile).nullable() }),
    output: numberProfile,
    errors: ['channel_not_found', 'settings_changed', 'media_not_found'],
  }),
};
