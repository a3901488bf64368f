import type { BusinessHours } from '@app/domain/conversations/teamwork/business-time';
import { messagingLimits } from '@app/domain/settings/messaging-settings';
import { formatMoney, formatNumber } from '../../shared/formats.ts';
import { t } from '../../shared/messages.ts';
import { businessHoursProblem } from '../teamwork/business-hours-fields.tsx';
import { budgetProblem } from './budget-fields.tsx';
import { consentProblem } from './consent-fields.tsx';
import { guardProblem } from './guard-fields.tsx';
import { replyProblem } from './messaging-fields.tsx';
import type { MessagingSettings } from './settings-queries.ts';

/** Themes of the messaging settings, by their names in the address. */
export const messagingSections = [
  'auto-reply',
  'business-hours',
  'read-receipts',
  'consent-words',
  'quiet-hours',
  'message-limits',
  'budget',
  'campaign-guard',
] as const;
export type MessagingSection = (typeof messagingSections)[number];

/** What is set there. */
const partsOf: Record<MessagingSection, readonly (keyof MessagingSettings)[]> = {
  'auto-reply': ['autoReply'],
  'business-hours': ['businessHours'],
  'read-receipts': ['sendReadReceipts', 'showTyping'],
  'consent-words': ['consentWords', 'consentAnswers'],
  'quiet-hours': ['quietHours'],
  'message-limits': ['messageLimits', 'marketingPerWeek'],
  budget: ['budget'],
  'campaign-guard': ['campaignGuard'],
};

/** Whether something of a section is not saved yet. */
export function isSectionChanged(
  section: MessagingSection,
  values: MessagingSettings,
  saved: MessagingSettings,
): boolean {
  return partsOf[section].some((part) => JSON.stringify(values[part]) !== JSON.stringify(saved[part]));
}

/** What the server would refuse of a section; null when it can be saved. */
export function sectionProblem(section: MessagingSection, values: MessagingSettings): string | null {
  const { autoReply, messageLimits, marketingPerWeek } = values;
  switch (section) {
    case 'auto-reply':
      return (
        rangeProblem([['pause', autoReply.pauseHours, messagingLimits.pauseHours]]) ??
        replyProblem(autoReply.message)
      );
    case 'business-hours':
      return businessHoursProblem(values.businessHours);
    case 'message-limits':
      return rangeProblem([
        ['perMinute', messageLimits.perMinute, messagingLimits.perMinute],
        ['perDay', messageLimits.perDay, messagingLimits.perDay],
        ['marketingPerWeek', marketingPerWeek ?? 1, messagingLimits.marketingPerWeek],
      ]);
    case 'budget':
      return budgetProblem(values.budget);
    case 'campaign-guard':
      return guardProblem(values.campaignGuard);
    case 'consent-words':
      return consentProblem(values.consentWords, values.consentAnswers);
    case 'read-receipts':
    case 'quiet-hours':
      return null;
  }
}

/** What is set in a section, in a line. */
export function summarizeSection(
  section: MessagingSection,
  values: MessagingSettings,
  currency: string,
): string {
  const off = t('settings.section.off');
  switch (section) {
    case 'auto-reply': {
      const { isEnabled, when, message } = values.autoReply;
      if (!isEnabled) return off;
      if (when === 'outside_hours' && values.businessHours === null) return t('settings.section.nobody');
      return t('settings.section.reply', { when: t(`settings.messaging.when.${when}`), message });
    }
    case 'business-hours':
      return values.businessHours ? describeHours(values.businessHours) : t('settings.section.noHours');
    case 'read-receipts': {
      const { sendReadReceipts, showTyping } = values;
      const shown = sendReadReceipts ? (showTyping ? 'both' : 'read') : showTyping ? 'typing' : 'none';
      return t('settings.section.seen', { shown });
    }
    case 'consent-words': {
      const answers = Object.values(values.consentAnswers).flatMap((texts) => Object.values(texts));
      return t('settings.section.words', {
        own: values.consentWords ? 'yes' : 'no',
        n: answers.filter((text) => text.trim() !== '').length,
      });
    }
    case 'quiet-hours': {
      if (!values.quietHours) return off;
      const { from, to, timeZone } = values.quietHours;
      return `${from}–${to} · ${placeOf(timeZone)}`;
    }
    case 'message-limits': {
      const { isEnabled, perMinute, perDay } = values.messageLimits;
      const each = values.marketingPerWeek;
      const parts = [
        ...(isEnabled ? [t('settings.section.limits', { perMinute, perDay })] : []),
        ...(each === null ? [] : [t('settings.section.cap', { n: each })]),
      ];
      return parts.join(' · ') || t('settings.section.noLimit');
    }
    case 'budget':
      return values.budget.isEnabled
        ? t('settings.section.budget', { amount: formatMoney(values.budget.perMonth, currency) })
        : t('settings.section.noLimit');
    case 'campaign-guard': {
      const { isEnabled, quality, failurePercent, among } = values.campaignGuard;
      return isEnabled ? t('settings.section.guard', { quality, percent: failurePercent, among }) : off;
    }
  }
}

type Range = ['pause' | 'perMinute' | 'perDay' | 'marketingPerWeek', number, number];

function rangeProblem(ranges: Range[]): string | null {
  const wrong = ranges.find(([, value, most]) => value < 1 || value > most);
  if (!wrong) return null;
  const [name, , most] = wrong;
  return t('settings.messaging.outOfRange', {
    name: t(`settings.messaging.${name}`),
    most: formatNumber(most),
  });
}

/** With the hours where they are the same on each day. */
function describeHours({ days, timeZone, exceptions }: BusinessHours): string {
  const open = days.filter((day) => day.length > 0);
  const hours = new Set(open.map((day) => day.map(({ from, to }) => `${from}–${to}`).join(', ')));
  return [
    t('settings.section.days', { n: open.length }),
    ...(hours.size === 1 ? hours : []),
    ...(exceptions.length > 0 ? [t('settings.section.exceptions', { n: exceptions.length })] : []),
    placeOf(timeZone),
  ].join(' · ');
}

function placeOf(timeZone: string): string {
  return timeZone.replaceAll('_', ' ');
}
