import { beforeAll, expect, test } from 'vitest';
import { setTimeZone } from '../../shared/formats.ts';
import { loadMessages } from '../../shared/messages.ts';
import { conversationTime } from './conversation-time.ts';

beforeAll(async () => {
  await loadMessages('chatbot');
  setTimeZone('UTC');
});

test.each([
  ['2026-11-27T12:00:00.000Z', 'Just now'],
  ['2026-11-27T11:00:00.001Z', 'Just now'],
  ['2026-11-27T11:00:00.000Z', '11:00 AM'],
  ['2026-11-26T12:00:00.001Z', '12:00 PM'],
  ['2026-11-26T12:00:00.000Z', 'Nov 26, 2026'],
])('at noon of the 27th, %s is shown as %s', (at, shown) =>
  expect(conversationTime(at, Date.parse('2026-11-27T12:00:00Z')).replace('\u202f', ' ')).toBe(shown),
);
