import { describe, expect, it } from 'vitest';
import { templateStatuses } from './template.ts';
import {
  explainRejection,
  isInReview,
  isSendable,
  nextStatus,
  platformWords,
  shownStatus,
  standingOf,
} from './platform-status.ts';

describe('the status after the platform spoke', () => {
  it.each([
    ['pending', 'APPROVED', 'approved'],
    ['pending', 'REJECTED', 'rejected'],
    ['approved', 'PAUSED', 'pending'],
    ['pending', 'UNPAUSED', 'approved'],
    ['approved', 'DISABLED', 'rejected'],
    ['approved', 'FLAGGED', 'approved'],
    ['draft', 'APPROVED', 'draft'],
    ['approved', 'something new', 'approved'],
  ] as const)('%s and %s: %s', (current, word, expected) => {
    expect(nextStatus(current, word)).toBe(expected);
  });
});

describe('sending', () => {
  it.each([
    ['approved', null, true],
    ['approved', 'APPROVED', true],
    ['approved', 'FLAGGED', true],
    ['approved', 'PENDING', false],
    ['approved', 'PAUSED', false],
    ['approved', 'REJECTED', false],
    ['draft', 'APPROVED', false],
    ['pending', null, false],
    ['rejected', null, false],
  ] as const)('%s here and %s there: %s', (status, platformStatus, expected) => {
    expect(isSendable({ status, platformStatus })).toBe(expected);
  });
});

describe('what people are told', () => {
  it.each([
    ['approved', null, 'approved'],
    ['approved', 'APPROVED', 'approved'],
    ['approved', 'PENDING', 'in_review'],
    ['approved', 'REJECTED', 'rejected'],
    ['approved', 'LOCKED', 'not_sendable'],
    ['pending', null, 'not_submitted'],
    ['approved', 'PAUSED', 'paused'],
    ['pending', 'PAUSED', 'paused'],
    ['pending', 'PENDING', 'pending'],
    ['draft', 'APPROVED', 'draft'],
    ['rejected', 'PENDING', 'rejected'],
  ] as const)('%s here and %s there: %s', (status, platformStatus, expected) => {
    expect(shownStatus(status, platformStatus)).toBe(expected);
  });

  it.each([
    ['approved', 'PENDING', true],
    ['approved', 'IN_APPEAL', true],
    ['approved', 'APPROVED', false],
    ['approved', 'REJECTED', false],
    ['approved', null, false],
    ['pending', 'PENDING', false],
  ] as const)('%s here and %s there passes by itself: %s', (status, platformStatus, expected) => {
    expect(isInReview({ status, platformStatus })).toBe(expected);
  });

  it('is a word for the standing, which is "approved" exactly when it can be sent', () => {
    const waiting = ['pending', 'not_submitted', 'in_review', 'paused', 'not_sendable'];
    for (const status of templateStatuses)
      for (const word of [null, ...Object.keys(platformWords), 'approved', 'FLAGGED', 'new']) {
        const standing = standingOf(status, word);
        const shown = shownStatus(status, word);
        expect([status, word, waiting.includes(shown) ? 'pending' : shown]).toEqual([status, word, standing]);
        expect(isSendable({ status, platformStatus: word })).toBe(standing === 'approved');
      }
  });
});

describe('a rejection', () => {
  it('is explained, or given in the platform’s own words', () => {
    expect(explainRejection('PROMOTIONAL')).toContain('promotional');
    expect(explainRejection('Add a sample.')).toBe('Add a sample.');
  });
});
