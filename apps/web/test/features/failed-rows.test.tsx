import { QueryClientProvider } from '@tanstack/react-query';
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { FailedRows } from '../../src/features/contact-imports/failed-rows.tsx';
import { ImportResults } from '../../src/features/contact-imports/import-results.tsx';
import type { ContactImport } from '../../src/features/contact-imports/running-import.ts';
import { loadMessages } from '../../src/shared/messages.ts';
import { queryClient } from '../../src/shared/query-client.ts';
import { eventually, show, shownText } from '../screen.tsx';

beforeAll(() => loadMessages('contacts', 'operations'));
const values = { phone: '(11) 98000-0000' };
beforeEach(() => {
  vi.stubGlobal('fetch', async (request: Request) =>
    Response.json({
      json: request.url.includes('listReasons')
        ? { items: [{ code: 'no_country', values, rows: 40 }] }
        : { items: [{ row: 1, code: 'no_country', values }], nextCursor: null },
    }),
  );
});
afterEach(() => {
  vi.unstubAllGlobals();
  queryClient.clear();
});
const result = { id: 'one', failed: 40, hasFailedRows: true, isDryRun: true } as unknown as ContactImport; // what the reasons show

test.each([
  ['GB' as const, true],
  [undefined, false],
])('numbers that fail say of which country they were read: %s', async (country, isSaid) => {
  show(
    <QueryClientProvider client={queryClient}>
      <FailedRows result={result} country={country} onUpdate={undefined} />
    </QueryClientProvider>,
  );
  await eventually(() => expect(shownText()).toContain('(11) 98000-0000'));
  expect(shownText().includes('were read as those of United Kingdom')).toBe(isSaid);
});

test('a try says as which country it reads numbers, and what was imported does not', async () => {
  const tried = { id: 'two', state: 'done', isDryRun: true, successful: 60, failed: 0, total: 60 };
  const rest = { updated: 0, optedOut: 0, optOuts: 0, optIns: 0, encoding: 'utf-8', twofold: 0 };
  const reading = { country: 'GB', twofold: 'international' } as const;
  const of = (over: object) => ({ ...tried, ...rest, ...over }) as unknown as ContactImport; // what the results show
  const again = show(<ImportResults result={of({})} reading={reading} onUpdate={undefined} />);
  await eventually(() =>
    expect(shownText()).toContain('Numbers without + or 00 count as those of United Kingdom.'),
  );
  again(
    <ImportResults result={of({ isDryRun: false, successful: 0 })} reading={reading} onUpdate={undefined} />,
  );
  await eventually(() => expect(shownText()).not.toContain('United Kingdom'));
});

test('a try without a country says how many numbers would be read by their first digits', async () => {
  const tried = { id: 'two', state: 'done', isDryRun: true, successful: 60, failed: 0, total: 60 };
  const rest = { updated: 0, optedOut: 0, optOuts: 0, optIns: 0, encoding: 'utf-8', twofold: 41 };
  const result = { ...tried, ...rest } as unknown as ContactImport; // what the results show
  const reading = { country: undefined, twofold: 'international' } as const;
  show(<ImportResults result={result} reading={reading} onUpdate={undefined} />);
  await eventually(() => expect(shownText()).toContain('41 numbers without + or 00 would be read'));
});
