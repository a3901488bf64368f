import { expect, test } from 'vitest';
import { rowsOf } from './timeline-rows.ts';
import type { TimelineItem } from './timeline-window.ts';

const said = (id: string, at: string, direction: 'in' | 'out' = 'in') =>
  ({
    kind: 'message',
    id,
    at,
    direction,
    author: { kind: 'contact', id: null },
    about: null,
    campaign: null,
  }) as unknown as TimelineItem;

test('days stand between messages, and the unread mark before the first that nobody read', () => {
  const items = [
    said('a', '2026-01-01T10:00:00Z'),
    said('b', '2026-01-01T10:01:00Z'),
    said('c', '2026-01-01T10:02:00Z', 'out'),
    said('d', '2026-01-01T12:00:00Z', 'out'),
    said('e', '2026-01-02T00:00:00Z', 'out'),
    said('f', '2026-01-02T00:00:01Z', 'out'),
  ];
  const rows = rowsOf(items, { firstUnread: 'f', dayOf: (at) => at.slice(0, 10) });
  expect(
    rows.map((row) => (row.kind === 'item' ? `${row.id}${row.isFollowing ? ' follows' : ''}` : row.id)),
  ).toEqual([...['day-2026-01-01', 'a', 'b follows', 'c', 'd', 'day-2026-01-02', 'e', 'unread', 'f']]);
});
