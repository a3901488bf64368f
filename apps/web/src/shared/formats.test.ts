import { beforeAll, describe, expect, test } from 'vitest';
import {
  formatBytes,
  formatDateTime,
  formatDuration,
  formatMoney,
  formatNumber,
  formatPercent,
  formatWholePercent,
  formatRate,
  formatShare,
  formatRelativeTime,
  setTimeZone,
} from './formats.ts';
import { loadMessages } from './messages.ts';

beforeAll(() => loadMessages('ui', 'common'));

describe('relative time', () => {
  const now = Date.parse('2026-11-21T12:00:00Z');
  test.each([
    [0, 'Just now'],
    [59_999, 'Just now'],
    [60_000, '1m ago'],
    [59 * 60_000 + 59_999, '59m ago'],
    [60 * 60_000, '1h ago'],
    [24 * 60 * 60_000 - 1, '23h ago'],
    [24 * 60 * 60_000, '1d ago'],
    [400 * 24 * 60 * 60_000, '400d ago'],
    // A clock that runs ahead must not show a negative age.
    [-5 * 60_000, 'Just now'],
  ])('%i ms ago is "%s"', (age, text) => {
    expect(formatRelativeTime(now - age, now)).toBe(text);
  });
});

describe('figures', () => {
  test.each([
    [formatNumber(1_234_567), '1,234,567'],
    [formatPercent(0.934), '93.4%'],
    [formatPercent(1), '100.0%'],
    [formatWholePercent(0.666), '67%'],
    [formatRate(7, 9), '77.8%'],
    [formatRate(3, 0), '0%'],
    [formatRate(0, 0), '0%'],
    [formatRate(0, 5), '0.0%'],
    [formatRate(2, 3), '66.7%'],
    [formatRate(3, 3), '100.0%'],
    [formatShare(0, 0), '–'],
    [formatShare(3, 0), '–'],
    [formatShare(0, 5), '0.0%'],
    [formatShare(2, 3), '66.7%'],
    [formatMoney(12.5), '$12.50'],
    [formatMoney(2399, 'INR'), '₹2,399.00'],
    [formatMoney(0), '$0.00'],
    [formatMoney(0.006), '$0.01'],
    [formatMoney(0.00341), '$0.0034'],
    [formatMoney(0.000014), '$0.000014'],
    [formatMoney(0.4, 'JPY'), '¥0.4'],
    [formatDuration(0), '0 sec'],
    [formatDuration(95), '1 min 35 sec'],
    [formatDuration(3600), '1 hr'],
    [formatDuration(90_061), '1 day 1 hr'],
    [formatBytes(1_536_000), '1.5 MB'],
    [formatBytes(12), '12 bytes'],
  ])('%s', (shown, expected) => {
    expect(shown).toBe(expected);
  });
});

describe('time zone', () => {
  test('dates are shown in the zone of the user', () => {
    setTimeZone('Asia/Kolkata');
    expect(formatDateTime('2026-11-21T20:00:00Z')).toBe('Nov 22, 2026, 1:30 AM');
    setTimeZone('UTC');
    expect(formatDateTime('2026-11-21T20:00:00Z')).toBe('Nov 21, 2026, 8:00 PM');
  });

  test('an unknown zone changes nothing', () => {
    setTimeZone('UTC');
    setTimeZone('Mars/Olympus');
    expect(formatDateTime('2026-11-21T20:00:00Z')).toBe('Nov 21, 2026, 8:00 PM');
  });
});
