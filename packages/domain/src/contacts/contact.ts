import { readableAddress } from './mail-domain.ts';

export const contactStatuses = ['active', 'blocked'] as const;
export type ContactStatus = (typeof contactStatuses)[number];

export const contactSorts = ['newest', 'oldest', 'name', 'name_desc', 'last_message'] as const;
export type ContactSort = (typeof contactSorts)[number];

export const contactLimits = {
  ...{ name: 200, phone: 40, email: 254, tag: 60, tags: 50 },
  /** Of one transaction that changes many: their rows are held until it ends. */
  editedAtOnce: 10_000,
} as const;

/** One line without control characters, half characters or space at its ends, as names and tags are stored. */
export function cleanText(text: string): string {
  return text
    .toWellFormed()
    .replace(/\s+/g, ' ')
    .replace(/\p{Cc}/gu, '')
    .trim();
}

/** A name as stored: empty where nothing of it can be seen, such as one of spaces, marks and fillers alone. */
export function cleanName(text: string): string {
  const name = cleanText(text);
  return isVisible(name) ? name : '';
}

/** Whether anything of a text can be seen. */
export function isVisible(text: string): boolean {
  return /[^\p{C}\p{Z}\p{M}\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0]/u.test(text);
}

/**
 * Tags as stored: empty ones dropped, of several that differ in case alone the first one kept. A semicolon
 * separates tags in files, so it separates them everywhere.
 */
export function cleanTags(tags: readonly string[]): string[] {
  const kept = new Map<string, string>();
  for (const tag of tags.flatMap((text) => text.split(';')).map(cleanText)) {
    if (tag && !kept.has(tag.toLowerCase())) kept.set(tag.toLowerCase(), tag);
  }
  return [...kept.values()];
}

/** Blocked only when the word is exactly `blocked`. */
export function readContactStatus(word: unknown): ContactStatus {
  return word === 'blocked' ? 'blocked' : 'active';
}

/**
 * The address in what somebody typed or a file has; null when it says that there is none, undefined when it is something
 * else. Forms, the API and files all read by it: people without an address must not become duplicates of each other.
 */
export function readEmailAddress(text: string): string | null | undefined {
  const address = cleanText(text);
  if (address === '' || NO_ADDRESS.test(address)) return null;
  return ADDRESS.test(address) ? readableAddress(address) : undefined;
}

const NO_ADDRESS = /^(?:[-–—.?]+|n\/?a|none|null|nil)$/i;
/** Something, an at sign, a domain with a dot. */
const ADDRESS = /^[^\s@]+@[^\s@.]+(\.[^\s@.]+)+$/;
