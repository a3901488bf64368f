import { expect, test } from 'vitest';
import { accountVerdicts, isVerdictStop, stopOfVerdict } from './account-verdict.ts';

test('what the platform decides about an account stops no more than it has to', () => {
  expect(accountVerdicts.map((verdict) => [verdict, stopOfVerdict(verdict)?.blocks ?? null])).toEqual([
    ['campaigns_restricted', 'campaigns'],
    ['replies_restricted', null],
    ['restricted', 'everything'],
    ['partly_restricted', null],
    ['violation', null],
    ['ban_planned', null],
    ['banned', 'everything'],
    ['deleted', 'everything'],
    ['review_failed', null],
    ['reinstated', null],
  ]);
  expect(['account_banned', '368', 'disconnected'].map(isVerdictStop)).toEqual([true, false, false]);
});
