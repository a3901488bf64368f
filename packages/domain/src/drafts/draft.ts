import type { MediaKind } from '../messaging/message-content.ts';
import { conversationLimits } from '../conversations/conversation-status.ts';

/** What is being written: to the contact, or for colleagues alone. */
export const draftKinds = ['reply', 'note'] as const;
export type DraftKind = (typeof draftKinds)[number];

/** A draft may be longer than a message, so that what is too long is not lost before it is shortened. */
export const draftLimits = {
  text: conversationLimits.text * 4,
  files: 10,
  buttons: 10,
  buttonTitle: 200,
} as const;

/** A file of a draft that is at the server already; what it is called and how large it is says how it is shown before it is sent. */
export type DraftFile = {
  fileId: string;
  name: string;
  kind: MediaKind;
  size: number;
  caption: string;
};
