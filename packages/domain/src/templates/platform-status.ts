import type { TemplateStatus } from './template.ts';

/**
 * What a word of the platform means for our four statuses. Null keeps what is there: the word says nothing about
 * whether the template may be sent.
 */
export function statusFromPlatform(word: string): TemplateStatus | null {
  switch (word.toUpperCase()) {
    case 'APPROVED':
    case 'REINSTATED':
    case 'UNARCHIVED':
    case 'UNPAUSED':
      return 'approved';
    case 'PENDING':
    case 'IN_APPEAL':
    case 'PAUSED':
    case 'LOCKED':
      return 'pending';
    case 'REJECTED':
    case 'DISABLED':
    case 'DELETED':
    case 'PENDING_DELETION':
    case 'ARCHIVED':
    case 'LIMIT_EXCEEDED':
      return 'rejected';
    default:
      return null;
  }
}

/** Where the workspace's messages go; it decides who has the last word about a template's status. */
export type ConnectionKind = 'none' | 'sandbox' | 'platform';

/**
 * The status after the platform spoke. A draft never changes: it was edited since it was submitted, and the platform
 * speaks of the older text.
 */
export function nextStatus(current: TemplateStatus, word: string): TemplateStatus {
  return current === 'draft' ? current : (statusFromPlatform(word) ?? current);
}

/** Approved here and, once the platform holds it, approved there too. */
export function isSendable(template: { status: TemplateStatus; platformStatus: string | null }): boolean {
  const { status, platformStatus } = template;
  if (status !== 'approved') return false;
  return platformStatus === null || nextStatus(status, platformStatus) === 'approved';
}

/** What people are told of a template, in one word: "approved" only when it can be sent. */
export type ShownStatus = TemplateStatus | 'in_review' | 'paused' | 'not_sendable';

export function shownStatus(status: TemplateStatus, platformStatus: string | null): ShownStatus {
  if (status === 'draft' || status === 'rejected') return status;
  const word = platformStatus?.toUpperCase();
  if (word === 'PAUSED') return 'paused';
  if (status === 'pending' || isSendable({ status, platformStatus })) return status;
  return word === 'PENDING' || word === 'IN_APPEAL' ? 'in_review' : 'not_sendable';
}

/** Approved here, and not yet there: waiting helps. */
export function isInReview(template: { status: TemplateStatus; platformStatus: string | null }): boolean {
  return shownStatus(template.status, template.platformStatus) === 'in_review';
}

/** Why the platform turned a template down, in plain words; its own text when the reason is not a known one. */
export function explainRejection(reason: string): string {
  return rejectionWords[reason.toUpperCase()] ?? reason;
}

const rejectionWords: Readonly<Record<string, string>> = {
  ABUSIVE_CONTENT: 'The content breaks the platform’s rules on abusive content.',
  INCORRECT_CATEGORY: 'The category does not fit the content. Choose the right one and submit again.',
  CATEGORY_NOT_AVAILABLE: 'This category is not available to your account.',
  INVALID_FORMAT:
    'A part has the wrong form: often variables next to each other, at an edge, or without samples.',
  PROMOTIONAL: 'The content is promotional but the category is not. Choose promotion and submit again.',
  SCAM: 'The platform took the content for a scam.',
  TAG_CONTENT_MISMATCH: 'The language or category does not match the content.',
};
