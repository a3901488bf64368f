import type { QuietHours } from '@app/domain/campaigns/quiet-hours';
import { OFFLINE_PREFIX } from '../../shared/offline-copy.ts';
import {
  emptySelection,
  isSelectionEmpty,
  packSelection,
  unpackSelection,
  type AudienceSelection,
} from '../../shared/sending/audience-selection.ts';
import { emptyMessage, isMessageEmpty, type MessageDraft } from '../../shared/sending/message-draft.ts';
import { emptySchedule, type Schedule } from '../../shared/sending/schedule-fields.tsx';

/** Everything that the wizard knows until the message is sent. */
export interface BulkMessageDraft {
  step: 0 | 1 | 2;
  selection: AudienceSelection;
  message: MessageDraft;
  isScheduled: boolean;
  schedule: Schedule;
  quietHours: QuietHours | null;
}

export function emptyDraft(): BulkMessageDraft {
  return {
    step: 0,
    selection: emptySelection,
    message: emptyMessage,
    isScheduled: false,
    schedule: emptySchedule(),
    quietHours: null,
  };
}

export function isDraftEmpty({ selection, message }: BulkMessageDraft): boolean {
  return isSelectionEmpty(selection) && isMessageEmpty(message);
}

/** The draft that this user left on this device, else an empty one. */
export function loadDraft(userId: string): BulkMessageDraft {
  try {
    const stored = localStorage.getItem(keyOf(userId));
    if (stored === null) return emptyDraft();
    const { selection, ...rest } = JSON.parse(stored);
    return { ...emptyDraft(), ...rest, selection: unpackSelection(selection) };
  } catch {
    // A draft of another version, or a damaged one, is no reason to fail.
    return emptyDraft();
  }
}

/** An empty draft leaves nothing behind. */
export function storeDraft(userId: string, draft: BulkMessageDraft): void {
  try {
    if (isDraftEmpty(draft)) localStorage.removeItem(keyOf(userId));
    else {
      const packed = { ...draft, selection: packSelection(draft.selection) };
      localStorage.setItem(keyOf(userId), JSON.stringify(packed));
    }
  } catch {
    // Without storage, or with more hand-picked contacts than fit, the draft lasts until the tab closes.
  }
}

function keyOf(userId: string): string {
  return `${OFFLINE_PREFIX}bulk-message:${userId}`;
}
