import { archiveCounts } from '@app/domain/data-management/archive-import';
import { operationKinds } from '@app/domain/operations/operation-kinds';
import { QueryClientProvider } from '@tanstack/react-query';
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { dataOptions, type ArchiveImport } from '../../src/features/data-management/data-queries.ts';
import { ArchiveImportDialog } from '../../src/features/data-management/archive-import/archive-import-dialog.tsx';
import { orpc } from '../../src/shared/api.ts';
import { loadMessages } from '../../src/shared/messages.ts';
import { queryClient } from '../../src/shared/query-client.ts';
import { eventually, find, findAll, press, show, shownText, type } from '../screen.tsx';

const NAME = 'Corner Shop';
const counts = (n: number) =>
  Object.fromEntries(archiveCounts.map((kind) => [kind, n])) as Record<
    (typeof archiveCounts)[number],
    number
  >;
const reading: ArchiveImport = {
  ...{ id: '0190aaaa-0000-7000-8000-000000000001', fileName: 'shop.archive', state: 'here', bytes: 5_000 },
  ...{ isEncrypted: true, by: 'Ada', takenAt: '2026-01-02T03:04:05.000Z', report: null },
  createdAt: '2026-01-03T03:04:05.000Z',
  ...{ replacedAt: null, undoableUntil: null, undoneAt: null },
};
const report: NonNullable<ArchiveImport['report']> = {
  ...{ name: 'Old Shop', holds: counts(7), fileBytes: 10, hasSecrets: false, replaces: counts(3) },
  people: [
    { name: 'Ada Real', email: 'ada@real.test', isHere: true },
    { name: 'Ben Gone', email: 'ben@real.test', isHere: false },
  ],
};

/** What was asked for, by the last part of its address. */
let asked: { operation: string; body: string }[] = [];
/** How each act ends. */
let ends: Record<string, { state: string; error: { code: string; values: object } | null }> = {};
const sent = (operation: string) => asked.filter((one) => one.operation === operation);

class RefusedUpload {
  upload = {};
  status = 422;
  responseText = JSON.stringify({
    error: { code: 'archive_refused', details: { values: { fault: 'other_kind' } } },
  });
  onload = () => undefined;
  onloadend = () => undefined;
  open() {}
  setRequestHeader() {}
  abort() {}
  send() {
    this.onload();
    this.onloadend();
  }
}

beforeAll(() => Promise.all([loadMessages('data-management'), loadMessages('operations')]));
beforeEach(() => {
  asked = [];
  ends = {};
  vi.stubGlobal('XMLHttpRequest', RefusedUpload);
  vi.stubGlobal('fetch', async (request: Request) => {
    const operation = new URL(request.url).pathname.split('/').at(-1)!;
    asked.push({ operation, body: await request.text() });
    const end = ends[operation];
    if (end) return Response.json({ json: { id: `act-${operation}`, kind: 'archive-check', ...end } });
    if (operation === 'listArchiveReadings')
      return Response.json({ json: { items: [{ ...reading, report }], nextCursor: null } });
    if (operation === 'list') return Response.json({ json: { items: [] } });
    if (operation === 'dismiss') return Response.json({ json: {} });
    return new Promise<never>(() => undefined);
  });
});
afterEach(() => {
  vi.unstubAllGlobals();
  queryClient.clear();
});

function open(from: File | ArchiveImport): void {
  queryClient.setQueryData(dataOptions().queryKey, {
    ...{ name: NAME, contacts: 3, templates: 3, campaigns: 3 },
  });
  queryClient.setQueryData(orpc.auth.getSession.queryKey({ input: {} }), {
    permissions: operationKinds['archive-replacement'].access,
  } as never);
  show(
    <QueryClientProvider client={queryClient}>
      <ArchiveImportDialog from={from} onClose={() => undefined} />
    </QueryClientProvider>,
  );
}
const secretField = () => document.querySelector<HTMLInputElement>('input[type="password"]')!;

async function lookThrough(secret: string): Promise<void> {
  await eventually(() => expect(secretField()).not.toBeNull());
  type(secretField(), secret);
  const button = await find('button', 'Look It Through');
  await eventually(() => expect(button.hasAttribute('disabled')).toBe(false));
  press(button);
}

test('a file that is no archive of a workspace is refused in words, and can be sent again', async () => {
  open(new File(['a backup'], 'all.backup'));
  const alert = await find('alert');
  expect(alert.textContent).toContain('This is a backup of a whole installation');
  expect((await find('button', 'Send Again')).hasAttribute('disabled')).toBe(false);
});

test('a wrong passphrase is told, and stays to be corrected', async () => {
  ends = { checkArchive: { state: 'failed', error: { code: 'archive_passphrase_wrong', values: {} } } };
  open(reading);
  await lookThrough('a wrong one');
  expect((await find('alert')).textContent).toContain('The passphrase is wrong.');
  expect(secretField().value).toBe('a wrong one');
  ends = { checkArchive: { state: 'failed', error: { code: 'archive_truncated', values: {} } } };
  await lookThrough('the right one');
  await eventually(() => expect(shownText()).toContain('The archive ends too early.'));
  expect(sent('checkArchive').map(({ body }) => body)).toEqual([
    expect.stringContaining('a wrong one'),
    expect.stringContaining('the right one'),
  ]);
});

test('what comes, what goes and who is here is shown, and nothing is replaced before the name is typed; then once', async () => {
  ends = { checkArchive: { state: 'done', error: null } };
  open(reading);
  await lookThrough('the right one');
  const row = await find('row', /^Quick replies/);
  expect(row.textContent).toBe('Quick replies73');
  for (const words of ['Archive of Old Shop', 'Without secrets', '1 person is a member here', 'Ben Gone'])
    expect(shownText()).toContain(words);
  const button = await find('button', 'Replace Everything Here');
  expect(button.hasAttribute('disabled')).toBe(true);
  press(button);
  type(await find('textbox', /Corner Shop/), 'corner shop');
  await eventually(() => expect(button.hasAttribute('disabled')).toBe(true));
  type(await find('textbox', /Corner Shop/), NAME);
  await eventually(() => expect(button.hasAttribute('disabled')).toBe(false));
  press(button);
  press(button);
  await eventually(() => expect(sent('replaceByArchive')).toHaveLength(1));
  expect(sent('replaceByArchive')[0]!.body).toContain('the right one');
  await eventually(() => expect(findAll('alert')).toEqual([]));
  expect(sent('replaceByArchive')).toHaveLength(1);
});

test('what was typed stays where replacing failed', async () => {
  const error = { code: 'runs_under_way', values: {} };
  ends = {
    checkArchive: { state: 'done', error: null },
    replaceByArchive: { state: 'failed', error },
  };
  open(reading);
  await lookThrough('the right one of this file');
  type(await find('textbox', /Corner Shop/), NAME);
  const button = await find('button', 'Replace Everything Here');
  await eventually(() => expect(button.hasAttribute('disabled')).toBe(false));
  press(button);
  expect((await find('alert')).textContent).toContain('A campaign is being sent.');
  expect(((await find('textbox', /Corner Shop/)) as HTMLInputElement).value).toBe(NAME);
});
