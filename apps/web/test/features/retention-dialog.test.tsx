import type { RetentionSettings } from '@app/domain/data-management/retention';
import { QueryClientProvider } from '@tanstack/react-query';
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { dataOptions } from '../../src/features/data-management/data-queries.ts';
import { RetentionDialog } from '../../src/features/data-management/retention-dialog.tsx';
import { loadMessages } from '../../src/shared/messages.ts';
import { queryClient } from '../../src/shared/query-client.ts';
import { eventually, find, findAll, press, show, shownText, type } from '../screen.tsx';

beforeAll(() => loadMessages('data-management'));
// What is shown is kept already; nothing is asked for.
beforeEach(() => vi.stubGlobal('fetch', () => new Promise(() => undefined)));
afterEach(() => {
  vi.unstubAllGlobals();
  queryClient.clear();
});

const chosen: RetentionSettings = { messages: 365, files: 730, audit: 90, logs: null };
const preview = { messages: 1, files: 12, fileBytes: 2_000_000, audit: 0, logs: 0 };

function openDialog(isSaving = false): string[] {
  const saved: string[] = [];
  queryClient.setQueryData(dataOptions().queryKey, {
    ...{ name: 'Corner Shop', contacts: 1, templates: 1, campaigns: 1 },
  });
  show(
    <QueryClientProvider client={queryClient}>
      <RetentionDialog
        {...{ chosen, preview, isSaving }}
        onSave={(name) => saved.push(name)}
        onClose={() => undefined}
      />
    </QueryClientProvider>,
  );
  return saved;
}

test('only what goes is named, each with its time; files go with their message at the latest', async () => {
  openDialog();
  await find('dialog');
  const lines = findAll('listitem').map(({ textContent }) => textContent);
  expect(lines).toHaveLength(2);
  expect(lines[0]).toBe('1 message older than 1 year');
  expect(lines[1]).toMatch(/^12 files of messages older than 1 year: /);
  expect(shownText()).not.toContain('audit log');
});

test('nothing is deleted before the name of the business is typed as it stands', async () => {
  const saved = openDialog();
  const act = await find('button', 'Save and Delete');
  const field = await find('textbox');
  type(field, 'corner shop');
  await eventually(() => expect((field as HTMLInputElement).value).toBe('corner shop'));
  expect(act.hasAttribute('disabled')).toBe(true);
  type(field, ' Corner Shop ');
  await eventually(() => expect(act.hasAttribute('disabled')).toBe(false));
  press(act);
  await eventually(() => expect(saved).toEqual([' Corner Shop ']));
});
