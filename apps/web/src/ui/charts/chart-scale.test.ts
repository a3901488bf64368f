import { describe, expect, test } from 'vitest';
import {
  arcPath,
  labelStep,
  namesBelowBars,
  placeLabel,
  roundTicks,
  shortLabel,
  smoothPath,
} from './chart-scale.ts';

describe('roundTicks', () => {
  test.each([
    [0, [0, 1]],
    [1, [0, 0.25, 0.5, 0.75, 1]],
    [2, [0, 1, 2]],
    [3, [0, 1, 2, 3]],
    [7, [0, 2, 4, 6, 8]],
    [69, [0, 20, 40, 60, 80]],
    [100, [0, 25, 50, 75, 100]],
    [1_000_000, [0, 250_000, 500_000, 750_000, 1_000_000]],
  ])('up to %d', (most, ticks) => {
    expect(roundTicks(most)).toEqual(ticks);
  });

  test('counts have no fractions', () => {
    expect(roundTicks(1, true)).toEqual([0, 1]);
    expect(roundTicks(2, true)).toEqual([0, 1, 2]);
  });

  test('reaches the most and stays few', () => {
    for (let most = 0.01; most < 1e7; most *= 1.37) {
      const ticks = roundTicks(most);
      expect(ticks.at(-1)).toBeGreaterThanOrEqual(most - 1e-9);
      expect(ticks.length).toBeLessThanOrEqual(6);
    }
  });
});

test('labels are left out where they would touch', () => {
  const labels = ['15 Sun', '16 Mon', '17 Tue', '18 Wed', '19 Thu', '20 Fri', '21 Sat'];
  expect(labelStep(labels, 600)).toBe(1);
  expect(labelStep(labels, 210)).toBe(2);
});

test.each([
  ['Welcome Campaign', 'Welcome Campaign'],
  ['Twenty letters long.', 'Twenty letters long.'],
  ['Offers of the spring for Germany', 'Offers of…r Germany'],
  ['Offers of the spring for France', 'Offers of…or France'],
  ['😀'.repeat(30), `${'😀'.repeat(10)}…${'😀'.repeat(9)}`],
])('below a bar %j is %j', (label, short) => {
  expect(shortLabel(label)).toBe(short);
});

test.each([
  // 'Spring offers' is 91 pixels wide, of an axis up to 288 in 300.
  ['in the middle of its place', { x: 150, isFirst: false }, { x: 150, anchor: 'middle' }],
  ['the first one not outside on the left', { x: 20, isFirst: true }, { x: 45.5, anchor: 'middle' }],
  ['a long one not outside on the right', { x: 262, isFirst: false }, { x: 300, anchor: 'end' }],
  ['the last one ends at its place', { x: 288, isFirst: false }, { x: 288, anchor: 'end' }],
] as const)('a label stands %s', (_, at, place) => {
  expect(placeLabel('Spring offers', { ...at, right: 288, width: 300 })).toEqual(place);
});

test.each([
  ['in full where there is room', 160, ['Welcome Campaign', 'Offers of…r Germany', 'Sale'], 1],
  ['shorter, so that each is there', 80, ['Welco…aign', 'Offer…many', 'Sale'], 1],
  ['as short as a name can be', 50, ['Wel…gn', 'Off…ny', 'Sale'], 1],
  ['some left out where nothing has room', 40, ['Welcome Campaign', 'Offers of…r Germany', 'Sale'], 4],
])('names below bars are drawn %s', (_, band, labels, every) => {
  expect(namesBelowBars(['Welcome Campaign', 'Offers of the spring for Germany', 'Sale'], band)).toEqual({
    labels,
    every,
  });
});

test('below bars names that would look alike are left out rather than shortened', () => {
  const names = ['Campaign 1 of May', 'Campaign 2 of May', 'Campaign 3 of May'];
  expect(namesBelowBars(names, 76)).toEqual({ labels: names, every: 2 });
});

describe('smoothPath', () => {
  test('of nothing is nothing, of one place a point', () => {
    expect(smoothPath([])).toBe('');
    expect(smoothPath([{ x: 1, y: 2 }])).toBe('M1,2');
  });

  test('is flat at peaks, so that no figure looks larger than it is', () => {
    const path = smoothPath([
      { x: 0, y: 10 },
      { x: 30, y: 0 },
      { x: 60, y: 10 },
    ]);
    expect(path).toContain(',20,0,30,0');
    expect(path).not.toMatch(/-\d/);
  });
});

test('an arc over more than half of the ring takes the long way', () => {
  expect(arcPath(0, 0.25, 40)).toBe('M50,10A40,40,0,0,1,90,50');
  expect(arcPath(0, 0.75, 40)).toBe('M50,10A40,40,0,1,1,10,50');
});
