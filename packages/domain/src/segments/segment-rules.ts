import { isUuid } from '../uuid.ts';
import { cleanText, contactLimits, contactStatuses } from '../contacts/contact.ts';
import { readLanguage } from '../contacts/contact-language.ts';
import { customFieldLimits, readCustomValue, type CustomFieldType } from '../custom-fields/custom-field.ts';
import { isDay } from '../custom-fields/day.ts';

export const segmentLimits = { name: 100, conditions: 20, groups: 10, days: 3650, yearAhead: 365 } as const;

/** What the value of each kind of condition is. `nothing` takes an empty value. */
export const conditionValues = {
  name_contains: 'text',
  phone_contains: 'text',
  email_contains: 'text',
  search_matches: 'text',
  has_tag: 'tag',
  has_not_tag: 'tag',
  status_is: 'status',
  language_is: 'language',
  language_is_not: 'language',
  language_unknown: 'nothing',
  created_before: 'date',
  created_after: 'date',
  created_within: 'days',
  created_over: 'days',
  messaged_within: 'days',
  quiet_for: 'days',
  never_messaged: 'nothing',
  opted_out: 'nothing',
  not_opted_out: 'nothing',
  opted_in: 'nothing',
  consent_unknown: 'nothing',
  campaign_received: 'campaign',
  campaign_read: 'campaign',
  campaign_unread: 'campaign',
  campaign_failed: 'campaign',
  campaigns_received_within: 'days',
  campaigns_read_within: 'days',
  campaigns_unread_within: 'days',
  field_text_is: 'words',
  field_text_is_not: 'words',
  field_text_contains: 'words',
  field_text_contains_not: 'words',
  field_number_is: 'number',
  field_number_is_not: 'number',
  field_number_above: 'number',
  field_number_below: 'number',
  field_date_is: 'date',
  field_date_is_not: 'date',
  field_date_before: 'date',
  field_date_after: 'date',
  field_date_within: 'days',
  field_date_over: 'days',
  field_date_next: 'days',
  field_date_yearly_in: 'days_ahead',
  field_date_yearly_within: 'days_ahead',
  field_choice_is: 'option',
  field_choice_is_not: 'option',
  field_yes_no_is: 'yes_no',
  field_set: 'nothing',
  field_not_set: 'nothing',
} as const;

export type ConditionKind = keyof typeof conditionValues;

// The keys of the table above are exactly the kinds; Object.keys cannot say so.
export const conditionKinds = Object.keys(conditionValues) as [ConditionKind, ...ConditionKind[]];

/**
 * `value` is always text: words, a day as `2026-11-21` (in the time zone of the workspace), a number, `yes` or `no`, the code of a language, or the id of a campaign. `field`
 * is the id of a custom field, for the kinds that begin with `field_`; the others do not look at it.
 */
export type SegmentCondition = { kind: ConditionKind; value: string; field?: string | undefined };

/** Conditions of which a contact must meet all, or any. */
export type ConditionGroup = { match: 'all' | 'any'; conditions: readonly SegmentCondition[] };

/** `match` joins the conditions and the groups alike; a group counts as one condition. Groups hold no groups. */
export type SegmentRules = ConditionGroup & { groups?: readonly ConditionGroup[] | undefined };

const EARLIEST_DAY = '1900-01-01';

/** True when the value is one that a condition of this kind can have. */
export function isConditionValid({ kind, value, field }: SegmentCondition): boolean {
  if (isFieldKind(kind) && !isUuid(field ?? '')) return false;
  switch (conditionValues[kind]) {
    case 'text':
      return cleanText(value) !== '' && value.length <= contactLimits.name;
    case 'tag':
      return cleanText(value) !== '' && value.length <= contactLimits.tag;
    case 'status':
      return contactStatuses.some((status) => status === value);
    case 'language':
      return value !== '' && readLanguage(value) === value;
    case 'date':
      return isDay(value) && value >= EARLIEST_DAY;
    case 'days':
      return /^[1-9]\d{0,3}$/.test(value) && Number(value) <= segmentLimits.days;
    case 'days_ahead':
      return /^(0|[1-9]\d{0,2})$/.test(value) && Number(value) <= segmentLimits.yearAhead;
    case 'campaign':
      return isUuid(value);
    case 'words':
      return cleanText(value) !== '' && value.length <= customFieldLimits.text;
    case 'number':
      return typeof readNumber(value) === 'number';
    case 'option':
      return cleanText(value) !== '' && value.length <= customFieldLimits.option;
    case 'yes_no':
      return value === 'yes' || value === 'no';
    case 'nothing':
      return value === '';
  }
}

/** Every condition of the rules, those in groups too, in the order in which people see them. */
export function conditionsOf({ conditions, groups = [] }: SegmentRules): SegmentCondition[] {
  return [...conditions, ...groups.flatMap((group) => group.conditions)];
}

/** True for a condition on a custom field. */
export function isFieldKind(kind: ConditionKind): boolean {
  return kind.startsWith('field_');
}

/** What can be asked of a custom field of this type. */
export function fieldKindsOf(type: CustomFieldType): ConditionKind[] {
  return conditionKinds.filter(
    (kind) => kind.startsWith(`field_${type}_`) || kind === 'field_set' || kind === 'field_not_set',
  );
}

/** The number that a valid condition compares with. */
export function readNumber(value: string): number | null {
  const read = readCustomValue({ type: 'number', options: [] }, value);
  return 'value' in read && typeof read.value === 'number' ? read.value : null;
}
