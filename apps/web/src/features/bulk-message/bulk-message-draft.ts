import type { QuietHours } from '@app/domain/campaigns/quiet-hours';
import { newKey } from '../../shared/api.ts';
import { OFFLINE_PREFIX } from '../../shared/offline/offline-copy.ts';
import {
  emptySelection,
  isSelectionEmpty,
  packSelection,
  unpackSelection,
  type AudienceSelection,
} from '../sending/audience/audience-selection.ts';
import { emptyMessage, isMessageEmpty, type MessageDraft } from '../sending/message/message-draft.ts';
import { emptySchedule, type Schedule } from '../sending/schedule-fields.tsx';
import type { SentBulkMessage } from './use-send-bulk-message.ts';

/** Everything that the wizard knows until the message is sent. */
export interface BulkMessageDraft {
  /**
   * Sends this draft once, from whatever tab and after whatever reload: it is stored with it before the first request, and
   * ends with it.
   */
  key: string;
  selection: AudienceSelection;
  message: MessageDraft;
  isScheduled: boolean;
  schedule: Schedule;
  quietHours: QuietHours | null;
  /** The number that it leaves through; null for that of the workspace. */
  channelId: string | null;
}

export function emptyDraft(quietHours: QuietHours | null = null): BulkMessageDraft {
  return {
    key: newKey(),
    selection: emptySelection,
    message: emptyMessage,
    isScheduled: false,
    schedule: emptySchedule(),
    quietHours,
    channelId: null,
  };
}

/** The steps in their order, as the address names them. */
export const stepNames = ['contacts', 'message', 'review'] as const;
export type StepName = (typeof stepNames)[number];

/** No step can be reached before the ones before it are done. */
export function furthestStep({ selection, message }: BulkMessageDraft): StepName {
  if (isSelectionEmpty(selection)) return 'contacts';
  return isMessageEmpty(message) ? 'message' : 'review';
}

export function isDraftEmpty({ selection, message }: BulkMessageDraft): boolean {
  return isSelectionEmpty(selection) && isMessageEmpty(message);
}

/** The draft that this person left on this device in this workspace (`ownerHere`), and the step it was left at; else an empty one. */
export function loadDraft(
  owner: string,
  quietHours: QuietHours | null = null,
): { draft: BulkMessageDraft; step: StepName } {
  const nothing = { draft: emptyDraft(quietHours), step: stepNames[0] };
  try {
    const stored = localStorage.getItem(keyOf(owner));
    if (stored === null) return nothing;
    const { selection, step, ...rest } = JSON.parse(stored);
    const sent = readSent(localStorage.getItem(sentKeyOf(owner)));
    // An earlier version stored drafts without a key.
    if (sent !== null && sent.key === rest.key) return nothing;
    return {
      draft: { ...nothing.draft, ...rest, selection: unpackSelection(selection) },
      step: stepNames[step] ?? nothing.step,
    };
  } catch {
    // A draft of another version, or a damaged one, is no reason to fail.
    return nothing;
  }
}

/** An empty draft leaves nothing behind. Answers whether it survives the tab: storage may be off, or too small for many picks. */
export function storeDraft(owner: string, draft: BulkMessageDraft, step: StepName): boolean {
  try {
    if (isDraftEmpty(draft)) localStorage.removeItem(keyOf(owner));
    else {
      const packed = {
        ...draft,
        step: stepNames.indexOf(step),
        selection: packSelection(draft.selection),
      };
      localStorage.setItem(keyOf(owner), JSON.stringify(packed));
    }
    return true;
  } catch {
    return isDraftEmpty(draft);
  }
}

type SentDraft = { key: string; sent: SentBulkMessage };

/** Tells the other tabs, which may show the same draft, that it is done. */
export function storeSent(owner: string, sentDraft: SentDraft): void {
  try {
    localStorage.setItem(sentKeyOf(owner), JSON.stringify(sentDraft));
  } catch {
    // Without storage no other tab has this draft.
  }
}

/** Calls back for each draft that another tab of this owner has sent; answers with how to stop. */
export function onSentElsewhere(owner: string, listener: (sentDraft: SentDraft) => void): () => void {
  const listen = ({ key, newValue }: StorageEvent) => {
    const sentDraft = key === sentKeyOf(owner) ? readSent(newValue) : null;
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

function sentKeyOf(owner: string): string {
  return `${OFFLINE_PREFIX}bulk-message-sent:${owner}`;
}

function keyOf(owner: string): string {
  return `${OFFLINE_PREFIX}bulk-message:${owner}`;
}
