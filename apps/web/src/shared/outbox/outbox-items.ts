import type { api, ApiFailure } from '../api.ts';

type SendInput = Parameters<typeof api.conversations.send>[0];
type Said = SendInput['message'];

/** A file that a person chose, took or recorded, or one that is at the server already. */
export type OutboxFile = {
  file: Blob | { fileId: string };
  /** Of a file that is here: its id at the server, where its upload has begun, and whether it is there. */
  fileId?: string;
  isUploaded?: boolean;
  name: string;
  /** How it is sent where its bytes allow more than one: a picture as a document. */
  kind?: 'image' | 'video' | 'audio' | 'document' | 'sticker';
  caption?: string;
  asVoice?: boolean;
};

/** What is said: as `conversations.send` takes it, with files that are still here. */
export type OutboxContent =
  | Exclude<Said, { files: unknown }>
  | { files: OutboxFile[]; replyTo?: string; sendAt?: string };

/** What lies in the browser: one message, with its file. */
export type OutboxContentOfOne =
  | Exclude<Said, { files: unknown }>
  | { file: OutboxFile; replyTo?: string; sendAt?: string };

/**
 * `pending`: it waits for its turn or for the connection. `uploading` and `sending`: this or another tab is at it. `failed`: the server refused it, and
 * a person decides. `sent`: the server has it as `messageId`, and the list of messages shows it as soon as it is read anew.
 */
export type OutboxState = 'pending' | 'uploading' | 'sending' | 'failed' | 'sent';

export type OutboxItem = {
  /** The key of the act, for ever: whoever sends it again under it sends nothing twice. */
  id: string;
  /** Who wrote it, in which workspace. */
  owner: string;
  conversationId: string;
  content: OutboxContentOfOne;
  /** The draft that ends with it. */
  writingId?: string;
  /** Of its file at the server, and whether it is there. */
  fileId?: string;
  isUploaded?: boolean;
  /** Milliseconds; the order of its conversation. */
  at: number;
  state: OutboxState;
  /** Whoever works alone is sending it. */
  isClaimed?: boolean;
  /** Of its upload, 0 to 1. */
  progress?: number;
  failure?: ApiFailure;
  messageId?: string;
};

/** One item for each message: several files are several messages, in their order. */
export function splitContent(content: OutboxContent): OutboxContentOfOne[] {
  if (!('files' in content)) return [content];
  const { files, replyTo, sendAt } = content;
  return files.map((file, place) => ({
    file,
    // One answer is enough.
    ...(replyTo && place === 0 && { replyTo }),
    ...(sendAt && { sendAt }),
  }));
}

/** The next item of each conversation: what was refused holds nothing up, what is on its way does. */
export function findNext(items: readonly OutboxItem[]): OutboxItem[] {
  const next = new Map<string, OutboxItem>();
  for (const item of items.toSorted(byTime)) {
    if (item.state === 'failed' || item.state === 'sent') continue;
    if (!next.has(item.conversationId)) next.set(item.conversationId, item);
  }
  return [...next.values()];
}

export function byTime(one: OutboxItem, other: OutboxItem): number {
  return one.at - other.at || (one.id < other.id ? -1 : 1);
}

/** Bytes that an item takes in the browser. */
export function sizeOf({ content }: OutboxItem): number {
  return 'file' in content && content.file.file instanceof Blob ? content.file.file.size : 0;
}
