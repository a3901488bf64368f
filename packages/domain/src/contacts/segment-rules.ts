import { cleanText, contactLimits, contactStatuses } from './contact.ts';
import { isDay } from './day.ts';

export const segmentLimits = { name: 100, conditions: 20, days: 3650 } as const;

/** What the value of each kind of condition is. `nothing` takes an empty value. */
export const conditionValues = {
  name_contains: 'text',
  phone_contains: 'text',
  email_contains: 'text',
  has_tag: 'tag',
  has_not_tag: 'tag',
  status_is: 'status',
  created_before: 'date',
  created_after: 'date',
  created_within: 'days',
  messaged_within: 'days',
  quiet_for: 'days',
  never_messaged: 'nothing',
  opted_out: 'nothing',
  not_opted_out: 'nothing',
  campaign_received: 'campaign',
  campaign_read: 'campaign',
  campaign_failed: 'campaign',
} as const;

export type ConditionKind = keyof typeof conditionValues;
export type ConditionValue = (typeof conditionValues)[ConditionKind];

// The keys of the table above are exactly the kinds; Object.keys cannot say so.
export const conditionKinds = Object.keys(conditionValues) as [ConditionKind, ...ConditionKind[]];

/** `value` is always text: words, a day as `2026-11-21` (UTC), a number of days, or the id of a campaign. */
export type SegmentCondition = { kind: ConditionKind; value: string };

export type SegmentRules = { match: 'all' | 'any'; conditions: readonly SegmentCondition[] };

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const EARLIEST_DAY = '1900-01-01';

/** True when the value is one that a condition of this kind can have. */
export function isConditionValid({ kind, value }: SegmentCondition): boolean {
  switch (conditionValues[kind]) {
    case 'text':
      return cleanText(value) !== '' && value.length <= contactLimits.name;
    case 'tag':
      return cleanText(value) !== '' && value.length <= contactLimits.tag;
    case 'status':
      return contactStatuses.some((status) => status === value);
    case 'date':
      return isDay(value) && value >= EARLIEST_DAY;
    case 'days':
      return /^[1-9]\d{0,3}$/.test(value) && Number(value) <= segmentLimits.days;
    case 'campaign':
      return UUID.test(value);
    case 'nothing':
      return value === '';
  }
}
