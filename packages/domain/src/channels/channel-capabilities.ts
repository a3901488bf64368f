import type { ContentType } from '../channel-kinds/content-type.ts';
import type { MediaKind } from '../messaging/message-content.ts';

/** What can be said through a kind of channel, and when. Whoever writes messages asks this, never which vendor it is. */
export type ChannelCapabilities = {
  /**
   * Anything may be written for so many hours after a person's last message, and only templates before and after. Null: anything, at
   * any time.
   */
  freeTextHours: number | null;
  /** `reviewed`: the platform holds each template and says whether it may be sent. `none`: ours leave as ordinary messages. */
  templates: 'reviewed' | 'none';
  text: TextRule;
  /** By kind of file; what is not here cannot be sent. */
  media: Readonly<Partial<Record<MediaKind, MediaRule>>>;
  /** Files that people send: for how many hours the platform keeps them for us (null: for good), and how large we take them. */
  received: { fileHours: number | null; largestBytes: Readonly<Record<MediaKind, number>> };
  replyButtons: ButtonRule | null;
  lists: ListRule | null;
  linkButtons: boolean;
  /** Forms of messages that the kind adds to all of these. */
  contents: readonly ContentType[];
  /** Somebody who hides their number is written to by the id that the platform has for them. */
  userIds: boolean;
  /** A message may quote an earlier one. */
  quotes: boolean;
  reactions: boolean;
  /** A word such as START renews consent. Where it does not, the platform itself tells of who wants messages again. */
  wordsRenewConsent: boolean;
  /** The platform delivers each try once, however often it is sent (by `tag` and `origin`): what a crash left in doubt is sent again. Left out, it may not be. */
  ignoresRepeats?: boolean;
  /** A message can have a time limit, and be withdrawn while it was not delivered: only then another may follow it. Left out, it cannot. */
  withdraws?: boolean;
  /** A person can be shown that we read a message, and that we are writing. */
  showsRead: boolean;
  showsTyping: boolean;
};

/** Lengths in characters. */
export type TextRule = {
  longest: number;
  /** Phones show `*bold*` and its like as styles. Where they do not, the reader sees the signs. */
  hasStyles: boolean;
};

export type MediaRule = {
  mimeTypes: readonly string[];
  maxBytes: number;
  /** Of pictures that move, where these may be larger. */
  maxAnimatedBytes?: number;
  /** Zero where the file stands alone. */
  longestCaption: number;
};

export type ButtonRule = { most: number; longestTitle: number; longestBody: number };

export type ListRule = {
  mostRows: number;
  mostSections: number;
  longestTitle: number;
  longestDescription: number;
  longestBody: number;
};

/** Until when anything may be written to somebody who wrote at `writtenAt` (milliseconds); null where there is no such end. */
export function freeTextEnd(
  { freeTextHours }: Pick<ChannelCapabilities, 'freeTextHours'>,
  writtenAt: number,
): number | null {
  return freeTextHours === null ? null : writtenAt + freeTextHours * HOUR_MS;
}

const HOUR_MS = 3_600_000;
