export type MessageTag = { no: number; attempt: number };

const tagPattern = /^m1\.([0-9a-z]{1,11})\.([0-9a-z]{1,4})$/;

/** The text that travels with a single message and comes back in its status reports; that of a campaign's is `formatDeliveryTag`. */
export function formatMessageTag({ no, attempt }: MessageTag): string {
  return `m1.${no.toString(36)}.${attempt.toString(36)}`;
}

/** Null for a tag that is no single message's. */
export function parseMessageTag(tag: string): MessageTag | null {
  const parts = tagPattern.exec(tag);
  if (!parts) return null;
  const [no, attempt] = parts.slice(1).map((part) => parseInt(part, 36)) as [number, number]; // two groups
  return Number.isSafeInteger(no) && attempt <= 0x7fff ? { no, attempt } : null;
}
