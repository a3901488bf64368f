import type { QuietHours } from '@app/domain/campaigns/quiet-hours';
import { newKey } from '../../shared/api.ts';
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
import type { SentBulkMessage } from './use-send-bulk-message.ts';

/** Everything that the wizard knows until the message is sent. */
export interface BulkMessageDraft {
  /**
   * Sends this draft once, from whatever tab and after whatever reload: it is stored with it before the first request, and
   * ends with it.
   */
  key: string;
  step: 0 | 1 | 2;
  selection: AudienceSelection;
  message: MessageDraft;
  isScheduled: boolean;
  schedule: Schedule;
  quietHours: QuietHours | null;
}

export function emptyDraft(): BulkMessageDraft {
  return {
    key: newKey(),
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
    if (readSent(localStorage.getItem(sentKeyOf(userId)))?.key === rest.key) return emptyDraft();
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

type SentDraft = { key: string; sent: SentBulkMessage };

/** Tells the other tabs, which may show the same draft, that it is done. */
export function storeSent(userId: string, sentDraft: SentDraft): void {
  try {
    localStorage.setItem(sentKeyOf(userId), JSON.stringify(sentDraft));
  } catch {
    // Without storage no other tab has this draft.
  }
}

/** Calls back for each draft that another tab of this user has sent; answers with how to stop. */
export function onSentElsewhere(userId: string, listener: (sentDraft: SentDraft) => void): () => void {
  const listen = ({ key, newValue }: StorageEvent) => {
    const sentDraft = key === sentKeyOf(userId) ? readSent(newValue) : null;
    if (sentDraft) listener(sentDraft);
  };
  addEventListener('storage', listen);
  return () => removeEventListener('storage', listen);
}

function readSent(stored: string | null): SentDraft | null {
  try {
    return stored === null ? null : JSON.parse(stored);
  } catch {
    return null;
  }
}

function sentKeyOf(userId: string): string {
  return `${OFFLINE_PREFIX}bulk-message-sent:${userId}`;
}

function keyOf(userId: string): string {
  return `${OFFLINE_PREFIX}bulk-message:${userId}`;
}
