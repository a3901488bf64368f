import type { DeliveryTag } from '@app/domain/delivery/delivery-tag';
import { parseDeliveryTag } from '@app/domain/delivery/delivery-tag';
import { isFree } from '@app/domain/settings/budget';
import type { MessageStatusReported } from '@app/domain/messaging/inbound-event';
import type { DeliveryError, RejectionAction } from '@app/domain/messaging/rejection';

/** The part of a status event that the engine needs. */
export type StatusReport = Pick<
  MessageStatusReported,
  'tag' | 'status' | 'occurredAt' | 'messageId' | 'error' | 'action'
> & {
  /** What the platform says of the price, if it does. */
  pricing?: MessageStatusReported['pricing'];
  /** Whose signature the webhook carried: a report changes nothing of another workspace. */
  workspaceId: string;
  /** Left out for what the product knows itself. */
  provenBy?: ReportProof;
};

/**
 * Whose secret signed a report: it changes nothing of a channel of another kind, nor of another channel where each signs for itself.
 * `channelId` is null where channels share a secret.
 */
export type ReportProof = { kind: string; channelId: string | null };

/** All that one batch says of one recipient; times in milliseconds, each the earliest. */
export type RecipientReport = Pick<DeliveryTag, 'runNo' | 'seq'> & {
  workspaceId: string;
  messageId: string;
  sentAt: number | null;
  deliveredAt: number | null;
  readAt: number | null;
  failedAt: number | null;
  /** When the platform says that it failed; 0 when nobody knows. */
  failureSaidAt: number;
  error: DeliveryError | null;
  action: RejectionAction | null;
  /** Tries of which the platform says that they cost nothing, and those that failed. */
  freeAttempts: number[];
  failedAttempts: number[];
  /** Tries that somebody got. */
  arrivedAttempts: number[];
  /** Places of its reports in the batch. */
  indexes: number[];
};

/**
 * Groups a batch by recipient, in the order in which rows are locked everywhere. Reports without a tag of ours come back as
 * `foreign` (places in the batch).
 */
export function aggregateStatuses(
  reports: readonly StatusReport[],
  now: number,
): { recipients: RecipientReport[]; foreign: number[] } {
  const byRecipient = new Map<string, RecipientReport>();
  const foreign: number[] = [];
  reports.forEach((report, index) => {
    const tag = report.tag === null ? null : parseDeliveryTag(report.tag);
    if (!tag) {
      foreign.push(index);
      return;
    }
    const key = `${report.workspaceId}.${tag.runNo}.${tag.seq}`;
    let recipient = byRecipient.get(key);
    if (!recipient) byRecipient.set(key, (recipient = startReport(report, tag)));
    recipient.indexes.push(index);
    addReport(recipient, report, report.occurredAt || now);
    if (isFree(report.pricing)) recipient.freeAttempts.push(tag.attempt);
    else if (report.status === 'failed') recipient.failedAttempts.push(tag.attempt);
    else if (report.status !== 'sent') recipient.arrivedAttempts.push(tag.attempt);
  });
  const recipients = [...byRecipient.values()].sort((a, b) => a.runNo - b.runNo || a.seq - b.seq);
  return { recipients, foreign };
}

function startReport(report: StatusReport, { runNo, seq }: DeliveryTag): RecipientReport {
  return {
    runNo,
    seq,
    workspaceId: report.workspaceId,
    messageId: report.messageId,
    sentAt: null,
    deliveredAt: null,
    readAt: null,
    failedAt: null,
    failureSaidAt: 0,
    error: null,
    action: null,
    freeAttempts: [],
    failedAttempts: [],
    arrivedAttempts: [],
    indexes: [],
  };
}

function addReport(recipient: RecipientReport, report: StatusReport, at: number): void {
  switch (report.status) {
    case 'sent':
      recipient.sentAt = earlier(recipient.sentAt, at);
      return;
    case 'delivered':
      recipient.deliveredAt = earlier(recipient.deliveredAt, at);
      return;
    // Playing a voice note implies having opened it.
    case 'read':
    case 'played':
      recipient.readAt = earlier(recipient.readAt, at);
      return;
    case 'failed':
      if (recipient.failedAt === null || at < recipient.failedAt) {
        recipient.failedAt = at;
        recipient.failureSaidAt = report.occurredAt;
        recipient.error = report.error;
        recipient.action = report.action;
      }
  }
}

function earlier(known: number | null, at: number): number {
  return known === null ? at : Math.min(known, at);
}
