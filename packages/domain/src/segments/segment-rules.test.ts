import { expect, test } from 'vitest';
import {
  conditionKinds,
  conditionsOf,
  fieldKindsOf,
  isConditionValid,
  isFieldKind,
  type ConditionKind,
} from './segment-rules.ts';

const CAMPAIGN = '0190a0e4-2b1c-7c55-9d5e-0a4b6f1c2d3e';

test.each<[ConditionKind, string]>([
  ['name_contains', 'ann'],
  ['phone_contains', '+44 79'],
  ['email_contains', '@example.com'],
  ['has_tag', 'vip'],
  ['has_not_tag', 'late payer'],
  ['status_is', 'blocked'],
  ['created_before', '2026-11-21'],
  ['created_after', '2024-02-29'],
  ['created_within', '1'],
  ['messaged_within', '3650'],
  ['quiet_for', '30'],
  ['created_over', '365'],
  ['campaigns_read_within', '30'],
  ['campaigns_unread_within', '90'],
  ['campaigns_received_within', '7'],
  ['campaign_unread', CAMPAIGN],
  ['language_is', 'pt_BR'],
  ['language_is_not', 'de'],
  ['language_unknown', ''],
  ['opted_in', ''],
  ['consent_unknown', ''],
  ['never_messaged', ''],
  ['opted_out', ''],
  ['not_opted_out', ''],
  ['campaign_received', CAMPAIGN],
  ['campaign_read', CAMPAIGN],
  ['campaign_failed', CAMPAIGN.toUpperCase()],
])('%s may be %j', (kind, value) => {
  expect(isConditionValid({ kind, value })).toBe(true);
});

test.each<[ConditionKind, string]>([
  ['name_contains', ''],
  ['name_contains', ' \t'],
  ['phone_contains', 'x'.repeat(201)],
  ['has_tag', 'x'.repeat(61)],
  ['has_not_tag', ''],
  ['status_is', 'Active'],
  ['created_before', '2026-02-30'],
  ['created_before', '2026-13-01'],
  ['created_after', '21.11.2026'],
  ['created_after', '0000-01-01'],
  ['created_within', '0'],
  ['messaged_within', '3651'],
  ['messaged_within', '1.5'],
  ['quiet_for', '-1'],
  ['created_over', '0'],
  ['campaigns_read_within', ''],
  ['language_is', 'German'],
  ['language_is', ''],
  ['opted_in', 'yes'],
  ['never_messaged', 'x'],
  ['campaign_read', 'spring sale'],
])('%s cannot be %j', (kind, value) => {
  expect(isConditionValid({ kind, value })).toBe(false);
});

const FIELD = '0190a0e4-2b1c-7c55-9d5e-0a4b6f1c2d3f';

test.each<[ConditionKind, string, boolean]>([
  ['field_text_is', 'Berlin', true],
  ['field_text_contains', 'x'.repeat(500), true],
  ['field_text_contains_not', ' ', false],
  ['field_text_is_not', 'x'.repeat(501), false],
  ['field_number_is', '-12.5', true],
  ['field_number_above', '1,5', true],
  ['field_number_above', '1,234', false],
  ['field_number_below', '', false],
  ['field_date_before', '2026-11-21', true],
  ['field_date_after', 'tomorrow', false],
  ['field_date_within', '7', true],
  ['field_date_over', '0', false],
  ['field_date_next', '3650', true],
  ['field_date_yearly_in', '0', true],
  ['field_date_yearly_in', '07', false],
  ['field_date_yearly_within', '365', true],
  ['field_date_yearly_within', '366', false],
  ['field_choice_is', 'Gold', true],
  ['field_choice_is_not', '', false],
  ['field_yes_no_is', 'yes', true],
  ['field_yes_no_is', 'true', false],
  ['field_set', '', true],
  ['field_not_set', 'x', false],
])('%s of a custom field may be %j: %s', (kind, value, expected) => {
  expect(isConditionValid({ kind, value, field: FIELD })).toBe(expected);
  expect(isConditionValid({ kind, value })).toBe(false);
  expect(isConditionValid({ kind, value, field: 'tier' })).toBe(false);
});

test('each type of field is asked for in its own ways, and whether it is set', () => {
  expect(fieldKindsOf('yes_no')).toEqual(['field_yes_no_is', 'field_set', 'field_not_set']);
  expect(fieldKindsOf('choice')).toContain('field_choice_is_not');
  expect(fieldKindsOf('number')).not.toContain('field_text_is');
});

test('no kind takes a value of any other sort for its own', () => {
  const takers = conditionKinds.filter((kind) =>
    isConditionValid({ kind, value: '', ...(isFieldKind(kind) && { field: FIELD }) }),
  );
  const consent = ['opted_out', 'not_opted_out', 'opted_in', 'consent_unknown'];
  expect(takers).toEqual(['language_unknown', 'never_messaged', ...consent, 'field_set', 'field_not_set']);
});

test('conditions in groups are conditions too', () => {
  const is = (value: string) => ({ kind: 'has_tag' as const, value });
  expect(
    conditionsOf({
      match: 'all',
      conditions: [is('a')],
      groups: [
        { match: 'any', conditions: [is('b'), is('c')] },
        { match: 'all', conditions: [is('d')] },
      ],
    }).map(({ value }) => value),
  ).toEqual(['a', 'b', 'c', 'd']);
});
