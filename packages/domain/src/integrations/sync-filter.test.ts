import { expect, test } from 'vitest';
import { isCompleteRule, passesFilter, type FilterRule } from './sync-filter.ts';

const stage = (operator: FilterRule['operator'], ...values: string[]): FilterRule => ({
  ...{ field: 'lifecyclestage', operator, values },
});

test.each<[string | null | undefined, FilterRule, boolean]>([
  ['customer', stage('is', 'customer'), true],
  [' Customer ', stage('is', 'lead', 'customer'), true],
  ['lead', stage('is', 'customer'), false],
  [null, stage('is', 'customer'), false],
  [undefined, stage('is', ''), false],
  ['lead', stage('is_not', 'customer'), true],
  ['customer', stage('is_not', 'lead', 'Customer'), false],
  [null, stage('is_not', 'customer'), true],
  ['customer', stage('is_set'), true],
  ['  ', stage('is_set'), false],
  [null, stage('is_empty'), true],
  ['lead', stage('is_empty'), false],
  // Several values of one field, as HubSpot, Salesforce and Shopify write them.
  ['vip;wholesale', stage('is', 'wholesale'), true],
  ['VIP, Wholesale', stage('is', 'wholesale'), true],
  ['vip;wholesale', stage('is_not', 'vip'), false],
  ['Smith, John', stage('is', 'smith, john'), true],
  ['vips', stage('is', 'vip'), false],
])('%j meets %j: %j', (value, rule, isMet) => {
  expect(passesFilter([rule], { lifecyclestage: value })).toBe(isMet);
});

test('every rule has to be met, and no rule lets everything in', () => {
  const rules = [stage('is', 'customer'), { field: 'city', operator: 'is_set' as const, values: [] }];
  expect(passesFilter(rules, { lifecyclestage: 'customer' })).toBe(false);
  expect(passesFilter(rules, { lifecyclestage: 'customer', city: 'Bilbao' })).toBe(true);
  expect(passesFilter([], {})).toBe(true);
});

test('a rule that compares needs a value, the others have none', () => {
  expect([stage('is'), stage('is', ' '), stage('is', 'a'), stage('is_set')].map(isCompleteRule)).toEqual([
    ...[false, false, true, true],
  ]);
  expect(isCompleteRule(stage('is_empty', 'a'))).toBe(false);
});
