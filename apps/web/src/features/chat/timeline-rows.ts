import type { Message, TimelineItem } from './timeline-window.ts';

export type Row =
  | { kind: 'day'; id: string; at: string }
  | { kind: 'unread'; id: string }
  | { kind: 'item'; id: string; item: TimelineItem; isFollowing: boolean; isFollowed: boolean };

/** Messages of one side that come so close to each other belong together. */
const TOGETHER_MS = 5 * 60_000;

/**
 * The rows of the chat, the oldest first: days between items, and where the unread began when somebody came.
 *
 * @param dayOf names the day of a moment in the time zone of the reader
 */
export function rowsOf(
  items: readonly TimelineItem[],
  { firstUnread, dayOf }: { firstUnread: string | null; dayOf: (at: string) => string },
): Row[] {
  const rows: Row[] = [];
  let before: TimelineItem | undefined;
  let day = '';
  for (const item of items) {
    const itsDay = dayOf(item.at);
    const isNewDay = itsDay !== day;
    if (isNewDay) rows.push({ kind: 'day', id: `day-${itsDay}`, at: item.at });
    if (item.id === firstUnread) rows.push({ kind: 'unread', id: 'unread' });
    const isFollowing = !isNewDay && item.id !== firstUnread && belongsTo(item, before);
    const last = rows.at(-1);
    if (isFollowing && last?.kind === 'item') last.isFollowed = true;
    rows.push({ kind: 'item', id: item.id, item, isFollowing, isFollowed: false });
    day = itsDay;
    before = item;
  }
  return rows;
}

function belongsTo(item: TimelineItem, before: TimelineItem | undefined): boolean {
  if (item.kind !== 'message' || before?.kind !== 'message') return false;
  return (
    sideOf(item) === sideOf(before) &&
    Date.parse(item.at) - Date.parse(before.at) < TOGETHER_MS &&
    !item.about?.ad
  );
}

function sideOf({ direction, author, campaign }: Message): string {
  return `${direction} ${author.kind} ${author.id} ${campaign?.id}`;
}
