import { conversationLimits } from '../conversations/conversation-status.ts';

/** What is being written: to the contact, or for colleagues alone. */
export const draftKinds = ['reply', 'note'] as const;
export type DraftKind = (typeof draftKinds)[number];

/** A draft may be longer than a message, so that what is too long is not lost before it is shortened. */
export const draftLimits = { text: conversationLimits.text * 4 } as const;
