import { importLimits } from '../contact-imports/contact-import.ts';
import { mergeLimits } from '../contact-merges/merge-rules.ts';
import { DAYS_OPERATION_STORED, HOURS_FILE_KEPT } from '../operations/operation-kinds.ts';
import { NOTIFICATION_DAYS } from '../notifications/notification-kinds.ts';
import { SHOWN_WEBHOOK_CALLS } from '../webhooks/webhook-call.ts';
import { DAYS_IMPORT_UNDOABLE } from './data-import.ts';

/** So long what happened is told to connected parts, in days; the audit log keeps its own entries. */
export const DAYS_FACTS_KEPT = 30;
/** So long somebody who was deleted can be brought back, in hours. */
export const HOURS_DELETED_KEPT = 1;

/** How long each kind of data is kept, by the figures that the product goes by. What is not named stays until somebody deletes it. */
export const retention = {
  deletedContacts: { hours: HOURS_DELETED_KEPT },
  mergedContacts: { days: mergeLimits.undoDays },
  exportFiles: { hours: HOURS_FILE_KEPT },
  importUndo: { days: DAYS_IMPORT_UNDOABLE },
  refusedRows: { days: importLimits.daysRowsKept },
  acts: { days: DAYS_OPERATION_STORED },
  facts: { days: DAYS_FACTS_KEPT },
  notifications: { days: NOTIFICATION_DAYS },
  webhookCalls: { last: SHOWN_WEBHOOK_CALLS },
} as const satisfies Record<string, { hours: number } | { days: number } | { last: number }>;

/**
 * What a workspace may keep for a time of its own, and the days that may be chosen. No time is shorter than what platforms may tell of once
 * more, which would then be taken for something new; the log of who did what outlasts a quarter.
 */
export const retentionChoices = {
  messages: [30, 90, 180, 365, 730],
  files: [30, 90, 180, 365, 730],
  audit: [90, 180, 365, 730],
  logs: [30, 90, 180, 365],
} as const;

export type RetentionKind = keyof typeof retentionChoices;
export const retentionKinds = Object.keys(retentionChoices) as RetentionKind[]; // these are its keys

/** Days; null: until somebody deletes it. */
export type RetentionSettings = { [Kind in RetentionKind]: (typeof retentionChoices)[Kind][number] | null };

export const defaultRetention: RetentionSettings = { messages: null, files: null, audit: null, logs: null };

const DAY_MS = 86_400_000;

/** What is older than that moment goes; null when nothing does. */
export function keptSince(days: number | null, now: Date): Date | null {
  return days === null ? null : new Date(now.getTime() - days * DAY_MS);
}

/** Those that files of messages are kept: they go with their message at the latest. */
export function daysOfFiles({ messages, files }: RetentionSettings): number | null {
  return messages === null || files === null ? (files ?? messages) : Math.min(messages, files);
}

/** What of each kind is older than that goes. */
export function keptSinceOfAll(chosen: RetentionSettings, now: Date): Record<RetentionKind, Date | null> {
  return {
    messages: keptSince(chosen.messages, now),
    files: keptSince(daysOfFiles(chosen), now),
    audit: keptSince(chosen.audit, now),
    logs: keptSince(chosen.logs, now),
  };
}
