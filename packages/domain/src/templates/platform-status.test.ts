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
    const template = { status, platformStatus, headerMediaId: null };
    const withFile = { ...template, headerMediaId: 'file' };
    for (const review of ['reviewed', null] as const) {
      expect(isSendable(template, { review, hasHeaderFile: false })).toBe(expected);
      expect(isSendable(withFile, { review, hasHeaderFile: true })).toBe(expected);
      expect(isSendable(withFile, { review, hasHeaderFile: false })).toBe(false);
    }
    // Where no platform reviews, people alone decide.
    expect(isSendable(template, { review: 'none', hasHeaderFile: false })).toBe(status === 'approved');
    expect(isSendable(withFile, { review: 'none', hasHeaderFile: false })).toBe(false);
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
    const standing = standingOf(status, platformStatus, 'reviewed');
    expect(shownStatus({ status, standing, platformStatus })).toBe(expected);
  });

  it.each(['PAUSED', 'REJECTED', 'PENDING'])(
    'is what they decided where nobody reviews, whatever %s said before',
    (platformStatus) => {
      const standing = standingOf('approved', platformStatus, 'none');
      expect(shownStatus({ status: 'approved', standing, platformStatus })).toBe('approved');
    },
  );

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
        const standing = standingOf(status, word, 'reviewed');
        const shown = shownStatus({ status, standing, platformStatus: word });
        expect([status, word, waiting.includes(shown) ? 'pending' : shown]).toEqual([status, word, standing]);
        const template = { status, platformStatus: word, headerMediaId: null };
        expect(isSendable(template, { review: 'reviewed', hasHeaderFile: false })).toBe(
          standing === 'approved',
        );
      }
  });
});

describe('a rejection', () => {
  it('is explained, or given in the platform’s own words', () => {
    expect(explainRejection('PROMOTIONAL')).toContain('promotional');
    expect(explainRejection('Add a sample.')).toBe('Add a sample.');
  });
});
