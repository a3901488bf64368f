import { describe, expect, it } from 'vitest';
import { allowsAction, campaignActions, campaignStatuses, successRate } from './campaign-status.ts';

describe('what a campaign allows', () => {
  it.each([
    ['draft', ['start', 'edit', 'delete', 'duplicate']],
    ['scheduled', ['start', 'cancel', 'edit', 'delete', 'duplicate']],
    ['running', ['take_back', 'pause', 'cancel', 'edit', 'delete', 'duplicate']],
    ['paused', ['take_back', 'resume', 'cancel', 'edit', 'delete', 'duplicate']],
    ['completed', ['edit', 'delete', 'retry_failed', 'duplicate']],
    ['cancelled', ['edit', 'delete', 'retry_failed', 'duplicate']],
  ] as const)('in %s', (status, acts) => {
    expect(campaignActions.filter((act) => allowsAction(status, act))).toEqual(acts);
  });

  it('names every status', () => {
    expect(campaignStatuses).toHaveLength(6);
  });
});

describe('rates', () => {
  it.each([
    [0, 0, 0],
    [1, 3, 33],
    [2, 3, 67],
  ])('success of %i of %i is %i percent', (completed, total, rate) =>
    expect(successRate(completed, total)).toBe(rate),
  );
});
