import type { ChannelCapabilities } from '../channels/channel-capabilities.ts';
import { findComponent, type TemplateComponent, type TemplateStatus } from './template.ts';

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
  const isReviewed = status === 'approved' && platformStatus !== null && review !== 'none';
  return isReviewed ? nextStatus(status, platformStatus) : status;
}

/** Why a template may not go out now. Of the two of its header the first has no file here, the second one that the platform does not have yet. */
export const sendObstacles = [
  ...['draft', 'pending', 'not_submitted', 'in_review', 'paused', 'not_sendable'],
  ...['rejected', 'archived', 'disabled', 'deleted', 'header_file_missing', 'header_file_waiting'],
] as const;
export type SendObstacle = (typeof sendObstacles)[number];

type Sendable = {
  status: TemplateStatus;
  platformStatus: string | null;
  components: readonly TemplateComponent[];
};

/** What keeps it from going out now, null where nothing does: the one rule for lists, campaigns, tests and conversations. */
export function whyNotSendable(
  { status, platformStatus, components }: Sendable,
  { review, hasHeaderFile }: { review: TemplateReview; hasHeaderFile: boolean },
): SendObstacle | null {
  const standing = standingOf(status, platformStatus, review);
  const shown = shownStatus({ status, standing, platformStatus });
  if (shown === 'rejected') return ends[platformStatus?.toUpperCase() ?? ''] ?? shown;
  if (shown !== 'approved') return shown;
  // A header without its file would be refused for each recipient.
  const header = findComponent(components, 'header');
  if (!header || header.format === 'text') return null;
  if (header.media === null) return 'header_file_missing';
  return hasHeaderFile ? null : 'header_file_waiting';
}

/** What became of it otherwise than by a review. */
const ends: Readonly<Record<string, SendObstacle>> = {
  ARCHIVED: 'archived',
  DISABLED: 'disabled',
  DELETED: 'deleted',
  PENDING_DELETION: 'deleted',
};

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

/**
 * What the platform said when it turned a template down: one of its reasons, the code with which it refused the submission itself, and what it
 * wrote beside or in place of them.
 */
export type Rejection = { reason: RejectionReason | null; code: string | null; text: string | null };

export function readRejection({
  rejectionReason,
  rejectionText,
}: {
  rejectionReason: string | null;
  rejectionText: string | null;
}): Rejection | null {
  if (rejectionReason === null && rejectionText === null) return null;
  const word = rejectionReason?.toUpperCase();
  const reason = rejectionReasons.find((known) => known === word) ?? null;
  const code = rejectionReason !== null && /^\d+$/.test(rejectionReason) ? rejectionReason : null;
  return {
    ...{ reason, code },
    text: rejectionText ?? (reason === null && code === null ? rejectionReason : null),
  };
}

/** In English, for programs: what people can act on is the platform's own text, where there is one. */
export function explainRejection({ reason, text }: Pick<Rejection, 'reason' | 'text'>): string {
  return text ?? (reason === null ? '' : rejectionWords[reason]);
}

export const rejectionReasons = [
  ...['ABUSIVE_CONTENT', 'INCORRECT_CATEGORY', 'CATEGORY_NOT_AVAILABLE', 'INVALID_FORMAT'],
  ...['PROMOTIONAL', 'SCAM', 'TAG_CONTENT_MISMATCH'],
] as const;
export type RejectionReason = (typeof rejectionReasons)[number];

const rejectionWords: Readonly<Record<RejectionReason, string>> = {
  ABUSIVE_CONTENT: 'The content breaks the platform’s rules on abusive content.',
  INCORRECT_CATEGORY: 'The category does not fit the content. Choose the right one and submit again.',
  CATEGORY_NOT_AVAILABLE: 'This category is not available to your account.',
  INVALID_FORMAT:
    'A part has the wrong form: often variables next to each other, at an edge, or without samples.',
  PROMOTIONAL: 'The content is promotional but the category is not. Choose promotion and submit again.',
  SCAM: 'The platform took the content for a scam.',
  TAG_CONTENT_MISMATCH: 'The language or category does not match the content.',
};
