import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { attackList } from './attack-list.ts';

const ROOT = fileURLToPath(new URL('../../../..', import.meta.url));
const read = (file: string) => readFileSync(`${ROOT}/${file}`, 'utf8');

test('every attack of the list has its place', () => {
  const numbers = Object.keys(attackList).map(Number);
  expect(numbers.length).toBeGreaterThanOrEqual(18);
  expect(numbers.toSorted((a, b) => a - b)).toEqual(numbers.map((_, place) => place + 1));
});

test.each(Object.entries(attackList))('attack %s is proven by tests that there are', (_, { proofs }) => {
  expect(proofs.length).toBeGreaterThan(0);
  for (const [file, title] of proofs)
    expect([file, title, read(file).includes(title)]).toEqual([file, title, true]);
});

test('the security guide shows the list', () => {
  const guide = read('docs/guides/security.md');
  for (const [number, { attack, holds }] of Object.entries(attackList)) {
    const row = guide.split('\n').find((line) => line.startsWith(`| ${number} `)) ?? '';
    expect([number, row.includes(attack), row.includes(holds)]).toEqual([number, true, true]);
  }
});
