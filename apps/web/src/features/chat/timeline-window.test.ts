import { describe, expect, test } from 'vitest';
import {
  addArrived,
  addNewer,
  addOlder,
  itemsOf,
  openWindow,
  PAGE_SIZE,
  refreshItems,
  takeNewest,
  type TimelineAnswer,
  type TimelineWindow,
} from './timeline-window.ts';

/** A history of numbered messages, read as the server reads it. */
function server(numbers: number[], size = PAGE_SIZE) {
  const item = (n: number) =>
    ({ kind: 'number_changed', id: String(n), at: String(n).padStart(6, '0'), from: '' }) as const;
  const answer = (shown: number[]): TimelineAnswer => ({
    items: shown.toReversed().map(item),
    older: shown[0] !== undefined && shown[0] > numbers[0]! ? String(shown[0]) : null,
    newer: String(shown.at(-1)),
    hasNewer: shown.at(-1) !== numbers.at(-1),
  });
  return {
    newest: () => answer(numbers.slice(-size)),
    older: (before: string) => answer(numbers.filter((n) => n < Number(before)).slice(-size)),
    newer: (after: string) => answer(numbers.filter((n) => n > Number(after)).slice(0, size)),
    around: (n: number) => answer(numbers.filter((m) => Math.abs(m - n) <= size / 2)),
  };
}
const count = (n: number) => Array.from({ length: n }, (_, index) => index + 1);
const shown = (window: TimelineWindow | null) =>
  window ? itemsOf(window).map(({ id }) => Number(id)) : null;

describe('the stretch of a history that is on the page', () => {
  test('grows at both ends, and lets go of what is far away', () => {
    const { newest, older, newer } = server(count(2_000));
    let window = openWindow(newest());
    for (let page = 0; page < 20; page += 1) {
      window = addOlder(window, older(window.pages[0]!.older!));
      const ids = shown(window)!;
      expect(ids.length).toBeLessThanOrEqual(6 * PAGE_SIZE);
      expect(ids).toEqual(count(2_000).slice(ids[0]! - 1, ids.at(-1)));
    }
    expect(window.isNewest).toBe(false);
    while (!window.isNewest) window = addNewer(window, newer(window.pages.at(-1)!.newer!));
    expect(shown(window)!.at(-1)).toBe(2_000);
    expect(shown(window)).toHaveLength(6 * PAGE_SIZE);
  });

  test('takes what is new, each once, and what was changed', () => {
    let numbers = count(60);
    const first = openWindow(server(numbers).newest());
    const longer = addOlder(first, server(numbers).older(first.pages[0]!.older!));
    numbers = count(70);
    expect(shown(takeNewest(longer, server(numbers).newest()))).toEqual(numbers);
    expect(
      shown(takeNewest(takeNewest(longer, server(numbers).newest())!, server(numbers).newest())),
    ).toEqual(numbers);
    // One that came late stands where it belongs, one that is gone goes.
    numbers = count(70).filter((n) => n !== 65 && n !== 40);
    const late = takeNewest(longer, server(numbers).newest())!;
    numbers = count(70).filter((n) => n !== 65);
    expect(shown(takeNewest(late, server(numbers).newest()))).toEqual(numbers);
    expect(takeNewest(late, server(numbers).newest())!.pages[0]!.older).toBeNull();
  });

  test('keeps what somebody reads while message after message comes, and lets go of it at the end', () => {
    let window = openWindow(server(count(60)).newest());
    for (let n = 61; n <= 1_000; n += 1)
      window = takeNewest(window, server(count(n)).newest(), { isAtEnd: false })!;
    expect(shown(window)).toEqual(count(1_000).slice(10));
    expect(shown(takeNewest(window, server(count(1_001)).newest()))!.length).toBeLessThanOrEqual(
      6 * PAGE_SIZE,
    );
  });

  test('adds what arrives, in any order and doubled, as the server would list it', () => {
    const all = server(count(80)).newest().items;
    const page = server(count(60)).newest();
    const arriving = all.slice(0, 20).map((_, index) => all[(index * 7) % 20]!);
    const added = [...arriving, ...arriving].reduce((now, item) => addArrived(now, [item]), page);
    expect(added.items.map(({ id }) => Number(id)).toReversed()).toEqual(count(80).slice(10));
    expect(addArrived(page, all.slice(0, 20))).toEqual(added);
    // The page is read again, as it was before the last of them: nothing goes, nothing is doubled.
    expect(shown(takeNewest(openWindow(added), addArrived(server(count(70)).newest(), arriving))!)).toEqual(
      count(80).slice(10),
    );
    // Older than the page: the server knows what is between.
    expect(addArrived(page, server(count(5)).newest().items)).toBe(page);
    const [first, second] = ['b', 'a'].map((id) => ({ ...page.items[0]!, id }));
    expect(addArrived(addArrived(page, [second!]), [first!]).items.slice(0, 2)).toEqual([first, second]);
  });

  test('knows when it missed something', () => {
    const window = openWindow(server(count(60)).newest());
    expect(takeNewest(window, server(count(111)).newest())).toBeNull();
    expect(shown(takeNewest(window, server(count(110)).newest()))).toBeNull();
    expect(shown(takeNewest(window, server(count(109)).newest()))).toEqual(count(109).slice(10));
    expect(shown(takeNewest(openWindow(server([]).newest()), server([1]).newest()))).toEqual([1]);
  });

  test('is read around a message, and its middle anew', () => {
    const { around } = server(count(500));
    const window = openWindow(around(100));
    expect(window.isNewest).toBe(false);
    const changed = around(100);
    changed.items = changed.items.map((item) => ({ ...item, from: '+1' }) as never);
    expect(itemsOf(refreshItems(window, changed)).every((item) => 'from' in item && item.from === '+1')).toBe(
      true,
    );
  });
});
