import { describe, expect, test } from 'vitest';
import { shownBetween, widen } from './in-slices.ts';

const items = (from: number, until: number) =>
  Array.from({ length: until - from }, (_, place) => ({ id: `m${from + place}` }));
const edgesOf = (all: readonly { id: string }[]) => ({ first: all[0]?.id, last: all.at(-1)?.id });

/** How many are shown after each step, until all are. */
function steps(before: readonly { id: string }[], after: readonly { id: string }[]): number[] {
  const counts: number[] = [];
  let edges = edgesOf(before);
  for (let step = 0; step < 20; step += 1) {
    const shown = shownBetween(after, edges);
    counts.push(shown.until - shown.from);
    if (shown.until - shown.from === after.length) break;
    edges = widen(after, shown);
  }
  return counts;
}

describe('items in slices', () => {
  test('a page before them comes a few at a time, and all that stood there stays', () => {
    const counts = steps(items(50, 100), items(0, 100));
    expect(counts).toEqual([50, 62, 74, 86, 100]);
    const { from, until } = shownBetween(items(0, 100), edgesOf(items(50, 100)));
    expect(items(0, 100).slice(from, until)).toEqual(items(50, 100));
  });

  test('a page behind them as well', () => {
    expect(steps(items(0, 50), items(0, 100))).toEqual([50, 62, 74, 86, 100]);
  });

  test('pages at both ends come at the same time', () => {
    expect(steps(items(50, 100), items(0, 150)).slice(0, 2)).toEqual([50, 74]);
  });

  test('one that arrives is there at once', () => {
    expect(steps(items(0, 50), items(0, 51))).toEqual([51]);
  });

  test('the other end may go meanwhile', () => {
    expect(steps(items(50, 350), items(0, 300))[0]).toBe(250);
    expect(steps(items(50, 350), items(0, 300)).at(-1)).toBe(300);
  });

  test('what takes the place of everything is there at once', () => {
    expect(steps(items(0, 50), items(900, 950))).toEqual([50]);
    expect(steps([], items(0, 50))).toEqual([50]);
    expect(steps(items(0, 50), [])).toEqual([0]);
  });
});
