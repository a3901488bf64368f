import { expect, test } from 'vitest';
import { defaultRetention, keptSinceOfAll, type RetentionSettings } from './retention.ts';

const now = new Date('2026-11-23T12:00:00Z');
const day = (text: string) => new Date(`${text}T12:00:00Z`);

test.each<[Partial<RetentionSettings>, object]>([
  [{}, {}],
  [{ messages: 30 }, { messages: day('2026-10-24'), files: day('2026-10-24') }],
  [
    { messages: 90, files: 30 },
    { messages: day('2026-08-25'), files: day('2026-10-24') },
  ],
  [
    { messages: 30, files: 90 },
    { messages: day('2026-10-24'), files: day('2026-10-24') },
  ],
  [{ files: 30 }, { files: day('2026-10-24') }],
  [
    { audit: 90, logs: 30 },
    { audit: day('2026-08-25'), logs: day('2026-10-24') },
  ],
])('%j', (chosen, since) => {
  const nothing = { messages: null, files: null, audit: null, logs: null };
  expect(keptSinceOfAll({ ...defaultRetention, ...chosen }, now)).toEqual({ ...nothing, ...since });
});
