import { expect, test } from 'vitest';
import { nameOfLabel } from './name-of-label.ts';

test.each([
  ['Your company?', [], 'your_company'],
  ['Größe & Straße', [], 'grosse_strasse'],
  ['2. Wahl', [], 'wahl'],
  ['Size', ['size'], 'size_2'],
  ['電話', ['field_1'], 'field_2'],
  ['', [], 'field_1'],
  ['x'.repeat(200), [], 'x'.repeat(37)],
])('%j beside %j is %s', (label, taken, name) => expect(nameOfLabel(label, taken)).toBe(name));
