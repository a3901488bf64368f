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
  const none = { draft: 0, scheduled: 0, running: 0, completed: 0, paused: 0, cancelled: 0 };
  it.each([
    [{}, 0],
    [{ completed: 1, running: 2 }, 33],
    [{ completed: 2, cancelled: 1 }, 67],
    [{ completed: 1, draft: 5, scheduled: 4 }, 100],
    [{ completed: 1, paused: 1 }, 50],
  ])('the success of %j is %i percent', (counts, rate) =>
    expect(successRate({ ...none, ...counts })).toBe(rate),
  );
});
