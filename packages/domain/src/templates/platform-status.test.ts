import { describe, expect, it } from 'vitest';
import { templateStatuses, type TemplateComponent } from './template.ts';
import {
  explainRejection,
  isInReview,
  nextStatus,
  platformWords,
  readRejection,
  shownStatus,
  standingOf,
  whyNotSendable,
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

const header = (media: { id: string; name: string; size: number } | null): TemplateComponent[] => [
  { type: 'header', format: 'image', media },
];

describe('sending', () => {
  it.each([
    ['approved', null, null],
    ['approved', 'APPROVED', null],
    ['approved', 'FLAGGED', null],
    ['approved', 'PENDING', 'in_review'],
    ['approved', 'PAUSED', 'paused'],
    ['approved', 'LOCKED', 'not_sendable'],
    ['approved', 'REJECTED', 'rejected'],
    ['approved', 'ARCHIVED', 'archived'],
    ['rejected', 'archived', 'archived'],
    ['approved', 'DISABLED', 'disabled'],
    ['rejected', 'PENDING_DELETION', 'deleted'],
    ['draft', 'APPROVED', 'draft'],
    ['pending', null, 'not_submitted'],
    ['pending', 'PENDING', 'pending'],
    ['rejected', null, 'rejected'],
  ] as const)('%s here and %s there: %s', (status, platformStatus, expected) => {
    const template = { status, platformStatus, components: [] };
    const withFile = { ...template, components: header({ id: 'file', name: 'a.png', size: 1 }) };
    for (const review of ['reviewed', null] as const) {
      expect(whyNotSendable(template, { review, hasHeaderFile: false })).toBe(expected);
      expect(whyNotSendable(withFile, { review, hasHeaderFile: true })).toBe(expected);
      const waiting = whyNotSendable(withFile, { review, hasHeaderFile: false });
      expect(waiting).toBe(expected ?? 'header_file_waiting');
    }
    // Where no platform reviews, people alone decide.
    const review = 'none';
    expect(whyNotSendable(template, { review, hasHeaderFile: false }) === null).toBe(status === 'approved');
    expect(whyNotSendable(withFile, { review, hasHeaderFile: false })).not.toBeNull();
  });

  it('waits for a file of the header that was never here', () => {
    const template = { status: 'approved', platformStatus: 'APPROVED', components: header(null) } as const;
    for (const review of ['reviewed', 'none', null] as const)
      expect(whyNotSendable(template, { review, hasHeaderFile: false })).toBe('header_file_missing');
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
        const template = { status, platformStatus: word, components: [] };
        const obstacle = whyNotSendable(template, { review: 'reviewed', hasHeaderFile: false });
        expect(obstacle === null).toBe(standing === 'approved');
      }
  });
});

describe('a rejection', () => {
  it.each([
    ['PROMOTIONAL', null, { reason: 'PROMOTIONAL', code: null, text: null }, 'promotional'],
    ['scam', 'Say it.', { reason: 'SCAM', code: null, text: 'Say it.' }, 'Say it.'],
    [null, 'Add a sample.', { reason: null, code: null, text: 'Add a sample.' }, 'Add a sample.'],
    ['NEW_REASON', null, { reason: null, code: null, text: 'NEW_REASON' }, 'NEW_REASON'],
    ['2388072', 'Not valid.', { reason: null, code: '2388072', text: 'Not valid.' }, 'Not valid.'],
  ] as const)(
    '%s and %s are a reason or a code that we have words for, and a text',
    (code, text, expected, english) => {
      const rejection = readRejection({ rejectionReason: code, rejectionText: text });
      expect(rejection).toEqual(expected);
      expect(rejection && explainRejection(rejection)).toContain(english);
    },
  );

  it('is none where nothing was said', () => {
    expect(readRejection({ rejectionReason: null, rejectionText: null })).toBeNull();
  });
});
