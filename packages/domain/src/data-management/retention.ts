import { importLimits } from '../contact-imports/contact-import.ts';
import { mergeLimits } from '../contact-merges/merge-rules.ts';
import { DAYS_ACT_KEPT, HOURS_FILE_KEPT } from '../long-acts/long-act-kinds.ts';
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
  acts: { days: DAYS_ACT_KEPT },
  facts: { days: DAYS_FACTS_KEPT },
  notifications: { days: NOTIFICATION_DAYS },
  webhookCalls: { last: SHOWN_WEBHOOK_CALLS },
} as const satisfies Record<string, { hours: number } | { days: number } | { last: number }>;
