import type { ChannelCapabilities } from '../channels/channel-capabilities.ts';
import type { TemplateStatus } from './template.ts';

/** What the words of the platform mean for our statuses. */
export const platformWords: Readonly<Record<string, Exclude<TemplateStatus, 'draft'>>> = {
  APPROVED: 'approved',
  REINSTATED: 'approved',
  UNARCHIVED: 'approved',
  UNPAUSED: 'approved',
  PENDING: 'pending',
  IN_APPEAL: 'pending',
  PAUSED: 'pending',
  LOCKED: 'pending',
  REJECTED: 'rejected',
  DISABLED: 'rejected',
  DELETED: 'rejected',
  PENDING_DELETION: 'rejected',
  ARCHIVED: 'rejected',
  LIMIT_EXCEEDED: 'rejected',
};

/** Null keeps what is there: any other word says nothing about whether the template may be sent. */
export function statusFromPlatform(word: string): TemplateStatus | null {
  const known = word.toUpperCase();
  return Object.hasOwn(platformWords, known) ? (platformWords[known] ?? null) : null;
}

/** Whether a word of the platform takes a template that was approved out of use: for a while, or for good. */
export function haltOf(word: string | null): 'paused' | 'disabled' | null {
  const known = word?.toUpperCase();
  return known === 'PAUSED' ? 'paused' : known === 'DISABLED' ? 'disabled' : null;
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

/** Whether the channel that sends has its templates reviewed; null where there is none yet, which is as strict. */
export type TemplateReview = ChannelCapabilities['templates'] | null;

/**
 * What counts: lists, figures and sending all go by it. What was approved here is only as good as what the platform
 * says of it, once it holds it; where no platform reviews, only what people decided here counts. The queries of templates say
 * the same in SQL.
 */
export function standingOf(
  status: TemplateStatus,
  platformStatus: string | null,
  review: TemplateReview,
): TemplateStatus {
  const isJudged = status === 'approved' && platformStatus !== null && review !== 'none';
  return isJudged ? nextStatus(status, platformStatus) : status;
}

type Sendable = { status: TemplateStatus; platformStatus: string | null; headerMediaId: string | null };

/** Whether it may go out now: the one rule for lists, campaigns, tests and conversations. */
export function isSendable(
  { status, platformStatus, headerMediaId }: Sendable,
  { review, hasHeaderFile }: { review: TemplateReview; hasHeaderFile: boolean },
): boolean {
  // A header without its file would be refused for each recipient.
  const hasFile = headerMediaId === null || hasHeaderFile;
  return hasFile && standingOf(status, platformStatus, review) === 'approved';
}

type Shown = { status: TemplateStatus; standing: TemplateStatus; platformStatus: string | null };

/** What people are told of a template, in one word: the standing, and what a pending one waits for. */
export type ShownStatus = TemplateStatus | 'not_submitted' | 'in_review' | 'paused' | 'not_sendable';

export function shownStatus({ status, standing, platformStatus }: Shown): ShownStatus {
  if (standing !== 'pending') return standing;
  // Chosen by hand: nobody was asked, so nobody will approve it.
  if (platformStatus === null) return 'not_submitted';
  const word = platformStatus.toUpperCase();
  if (word === 'PAUSED') return 'paused';
  if (status === 'pending') return status;
  return word === 'PENDING' || word === 'IN_APPEAL' ? 'in_review' : 'not_sendable';
}

/** Approved here, and not yet there: waiting helps. */
export function isInReview(template: { status: TemplateStatus; platformStatus: string | null }): boolean {
  const { status, platformStatus } = template;
  const standing = standingOf(status, platformStatus, 'reviewed');
  return shownStatus({ status, standing, platformStatus }) === 'in_review';
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
