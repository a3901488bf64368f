import { QueryClientProvider } from '@tanstack/react-query';
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { FailedRows } from '../../src/features/contact-imports/failed-rows.tsx';
import type { ContactImport } from '../../src/features/contact-imports/running-import.ts';
import { loadMessages } from '../../src/shared/messages.ts';
import { queryClient } from '../../src/shared/query-client.ts';
import { eventually, show, shownText } from '../screen.tsx';

beforeAll(() => loadMessages('contacts', 'long-acts'));
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
