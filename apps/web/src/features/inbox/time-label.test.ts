import { beforeAll, expect, test } from 'vitest';
import { setTimeZone } from '../../shared/formats.ts';
import { timeLabel } from './time-label.ts';

beforeAll(() => setTimeZone('UTC'));
const now = Date.parse('2026-11-20T12:00:00Z'); // a Friday

test.each([
  ['2026-11-20T09:05:00Z', '9:05 AM'],
  ['2026-11-19T12:00:01Z', '12:00 PM'],
  ['2026-11-19T12:00:00Z', 'Thu'],
  ['2026-11-13T12:00:01Z', 'Fri'],
  ['2026-11-13T12:00:00Z', 'Nov 13, 2026'],
])('%s is said as %s', (at, label) => expect(timeLabel(at, now).replace('\u202f', ' ')).toBe(label));
