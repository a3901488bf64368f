import { afterEach, expect, test, vi } from 'vitest';
import { isCalmEnding, useWithoutCalmEndings } from '../../src/shared/operations/calm-endings.ts';
import type { Operation } from '../../src/shared/operations/operations.ts';
import { eventually, show, shownText } from '../screen.tsx';

const NOW = Date.parse('2026-11-27T12:00:00Z');
const ended = (change: Partial<Operation>) =>
  ({
    ...{ id: 'one', kind: 'contact-import', state: 'done', name: 'a.csv', file: null, fileGone: null },
    ...{ result: { successful: 3, failed: 0 }, endedAt: new Date(NOW).toISOString() },
    ...change,
  }) as Operation; // what is read of an operation

afterEach(() => vi.useRealTimers());

test.each<[string, Partial<Operation>, boolean]>([
  ['an import without failed rows', {}, true],
  ['an import with failed rows', { result: { failed: 1 } }, false],
  ['an export with its file', { kind: 'contact-export', file: { name: 'contacts.csv' } }, false],
  ['an export whose file is gone', { kind: 'contact-export', fileGone: 'erased' }, false],
  ['a deletion, which can be undone', { kind: 'contact-removal' }, false],
  ['one that failed', { state: 'failed' }, false],
  ['one that runs', { state: 'running' }, false],
])('%s', (_, change, calm) => expect(isCalmEnding(ended(change))).toBe(calm));

test('a calm ending leaves the banner by itself, and its neighbours stay', async () => {
  vi.useFakeTimers({ now: NOW });
  const operations = [ended({}), ended({ id: 'two', name: 'b.csv', result: { failed: 2 } })];
  function Names() {
    return (
      <p>
        {useWithoutCalmEndings(operations)
          .map(({ name }) => name)
          .join(' ')}
      </p>
    );
  }
  show(<Names />);
  await eventually(() => expect(shownText()).toBe('a.csv b.csv'));
  await vi.advanceTimersByTimeAsync(30_000);
  await eventually(() => expect(shownText()).toBe('b.csv'));
});
