import type { api } from '../../shared/api.ts';

export type TimelineAnswer = Awaited<ReturnType<typeof api.conversations.listMessages>>;
export type TimelineItem = TimelineAnswer['items'][number];
export type Message = Extract<TimelineItem, { kind: 'message' }>;
export type Note = Extract<TimelineItem, { kind: 'note' }>;

/** Items as they were read together, oldest first, with where it goes on at both ends. */
type Page = { items: readonly TimelineItem[]; older: string | null; newer: string | null };

/** The stretch of a history that is on the page. However far somebody scrolls, it holds no more than some pages. */
export type TimelineWindow = {
  /** Oldest first. */
  pages: readonly Page[];
  /** It reaches to the newest. */
  isNewest: boolean;
};

export const PAGE_SIZE = 50;
/** So many pages stay; what is further away is read again when somebody comes there. */
const MOST_PAGES = 6;

/** Begins with one reading: the newest, or around a message. */
export function openWindow(answer: TimelineAnswer): TimelineWindow {
  return { pages: [toPage(answer)], isNewest: !answer.hasNewer };
}

/** With an older page before it. */
export function addOlder(window: TimelineWindow, answer: TimelineAnswer): TimelineWindow {
  const known = idsOf(window);
  const page = toPage(answer);
  const fresh = { ...page, items: page.items.filter(({ id }) => !known.has(id)) };
  const pages = [fresh, ...window.pages];
  return { pages: pages.slice(0, MOST_PAGES), isNewest: window.isNewest && pages.length <= MOST_PAGES };
}

/** With a newer page behind it. */
export function addNewer(window: TimelineWindow, answer: TimelineAnswer): TimelineWindow {
  const known = idsOf(window);
  const page = toPage(answer);
  const fresh = { ...page, items: page.items.filter(({ id }) => !known.has(id)) };
  return { pages: [...window.pages, fresh].slice(-MOST_PAGES), isNewest: !answer.hasNewer };
}

/**
 * As the newest page says by now: what it holds takes the place of what stood there, so that nothing is there twice and what is gone goes.
 * Null when it begins behind the end of the window: what is between them was not read.
 */
export function takeNewest(
  window: TimelineWindow,
  answer: TimelineAnswer,
  { isAtEnd = true } = {},
): TimelineWindow | null {
  const newest = toPage(answer);
  const [first] = newest.items;
  if (!first) return openWindow(answer);
  const ids = new Set(newest.items.map(({ id }) => id));
  const isWhole = answer.older === null;
  const pages: Page[] = [];
  let touches = isWhole;
  for (const page of window.pages) {
    const at = page.items.findIndex((item) => ids.has(item.id) || item.at > first.at);
    if (at === -1) {
      pages.push(page);
      continue;
    }
    touches ||= page.items.some(({ id }) => ids.has(id));
    if (at > 0) pages.push({ ...page, items: page.items.slice(0, at) });
    break;
  }
  if (!touches) return null;
  const joined = joinShort([...pages, newest]);
  // Whoever reads further up keeps what they read.
  return { pages: isAtEnd ? joined.slice(-MOST_PAGES) : joined, isNewest: true };
}

/**
 * A page of the newest with messages that arrived after it was read: each once and in its place by time, whatever the order of arrival. What is older than
 * the page is left out, because other messages may be between them.
 */
export function addArrived(answer: TimelineAnswer, arrived: readonly TimelineItem[]): TimelineAnswer {
  const fresh = new Map(arrived.filter(({ at }) => isOnPage(answer, at)).map((item) => [item.id, item]));
  if (fresh.size === 0) return answer;
  const known = new Set(answer.items.map(({ id }) => id));
  const items = answer.items.map((item) => fresh.get(item.id) ?? item);
  for (const item of fresh.values()) {
    if (known.has(item.id)) continue;
    const at = items.findIndex((other) => isBefore(other, item));
    items.splice(at === -1 ? items.length : at, 0, item);
  }
  return { ...answer, items };
}

/** Whether the newest page reaches back to this moment. */
export function isOnPage({ items, older }: TimelineAnswer, at: string): boolean {
  const oldest = items.at(-1);
  return older === null || !oldest || at >= oldest.at;
}

/** In the order of the server: by time, then by id. */
function isBefore(one: TimelineItem, other: TimelineItem): boolean {
  return one.at < other.at || (one.at === other.at && one.id < other.id);
}

/** As a reading of its middle says by now: how far messages came, what was edited, who reacted. */
export function refreshItems(window: TimelineWindow, answer: TimelineAnswer): TimelineWindow {
  const news = new Map(answer.items.map((item) => [item.id, item]));
  return {
    ...window,
    pages: window.pages.map((page) =>
      page.items.some(({ id }) => news.has(id))
        ? { ...page, items: page.items.map((item) => news.get(item.id) ?? item) }
        : page,
    ),
  };
}

export function itemsOf({ pages }: TimelineWindow): TimelineItem[] {
  return pages.flatMap(({ items }) => items);
}

/** What is left of pages becomes one again, else each new message would leave a page of one. */
function joinShort(pages: readonly Page[]): Page[] {
  const joined: Page[] = [];
  for (const page of pages) {
    const last = joined.at(-1);
    if (last && last.items.length + page.items.length <= PAGE_SIZE)
      joined[joined.length - 1] = {
        items: [...last.items, ...page.items],
        older: last.older,
        newer: page.newer,
      };
    else joined.push(page);
  }
  return joined;
}

function toPage({ items, older, newer }: TimelineAnswer): Page {
  return { items: items.toReversed(), older, newer };
}

function idsOf(window: TimelineWindow): Set<string> {
  return new Set(window.pages.flatMap(({ items }) => items.map(({ id }) => id)));
}
