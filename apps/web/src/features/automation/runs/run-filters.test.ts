import { afterEach, describe, expect, test } from 'vitest';
import { activeTimeZone, setTimeZone } from '../../../shared/formats.ts';
import { isFiltered, isWrongWay, readRunsSearch, runsWanted } from './run-filters.tsx';

const NOW = Date.parse('2026-11-27T18:00:00Z');
const before = activeTimeZone();
afterEach(() => setTimeZone(before));

describe('the filters of a run log', () => {
  test('a fixed period ends now', () => {
    const url = readRunsSearch({ started: 'week', status: 'failed' });
    expect(runsWanted(url, NOW)).toEqual({ status: 'failed', from: '2026-11-20T18:00:00.000Z' });
  });

  test('days are those of the user, and the last one counts as well', () => {
    setTimeZone('Europe/Berlin');
    // The clocks go back on 25 October: this day has 25 hours.
    const url = readRunsSearch({ started: 'own', from: '2026-10-25', to: '2026-10-25' });
    expect(runsWanted(url, NOW)).toEqual({
      from: '2026-10-24T22:00:00.000Z',
      to: '2026-10-25T23:00:00.000Z',
    });
  });

  test.each([
    [{ started: 'own', from: '2026-11-01' }, { from: '2026-11-01T00:00:00.000Z' }],
    [{ started: 'own', to: '2026-12-31' }, { to: '2027-01-01T00:00:00.000Z' }],
    [{ started: 'own', from: '2026-11-02', to: '2026-11-01' }, {}],
    [{ started: 'own', from: '2026-13-45', to: 'tomorrow' }, {}],
    [{ started: 'century', status: 'gone', from: '2026-11-01' }, {}],
  ])('of the address %j the server is asked %j', (search, asked) => {
    setTimeZone('UTC');
    expect(runsWanted(readRunsSearch(search), NOW)).toEqual(asked);
  });

  test('an end before the beginning is said, and filters nothing', () => {
    const url = readRunsSearch({ started: 'own', from: '2026-11-02', to: '2026-11-01' });
    expect([isWrongWay(url), isFiltered(url), isFiltered(readRunsSearch({}))]).toEqual([true, true, false]);
  });
});
