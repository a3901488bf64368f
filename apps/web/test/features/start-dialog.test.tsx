import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { dataOptions, startOptions } from '../../src/features/data-management/data-queries.ts';
import { StartDialog } from '../../src/features/data-management/start-dialog.tsx';
import type { api } from '../../src/shared/api.ts';
import { loadMessages } from '../../src/shared/messages.ts';
import { queryClient } from '../../src/shared/query-client.ts';
import { showPage } from '../page.tsx';
import { eventually, find, findAll, press, shownText, type } from '../screen.tsx';

beforeAll(() => Promise.all([loadMessages('data-management'), loadMessages('auth')]));
/** What was sent; nothing is answered, and what is shown is kept already. */
let sent: string[] = [];
beforeEach(() => {
  sent = [];
  vi.stubGlobal('fetch', async (request: Request) => {
    if (request.method === 'POST') sent.push(await request.text());
    return new Promise(() => undefined);
  });
});
afterEach(() => {
  vi.unstubAllGlobals();
  queryClient.clear();
});

const sample = { email: 'admin@example.com', firstName: 'Amara', lastName: 'Okafor' };
const own = { email: 'ada@real.test', firstName: 'Ada', lastName: 'Real' };

function openDialog(
  user: typeof sample,
  start: Awaited<ReturnType<typeof api.dataManagement.previewStart>>,
): void {
  queryClient.setQueryData(dataOptions().queryKey, {
    ...{ name: 'Sample Business', contacts: 7, templates: 2, campaigns: 1 },
  });
  queryClient.setQueryData(startOptions().queryKey, start);
  const component = () => <StartDialog user={user} onClose={() => undefined} />;
  showPage(component);
}
const isDisabled = async () => (await find('button', 'Start for Real')).hasAttribute('disabled');
const field = (name: string) => document.querySelector<HTMLInputElement>(`input[name="${name}"]`)!;
const businessName = async () => find('textbox', /^Name of your business/);
const confirmation = async () => find('textbox', /Sample Business/);

test('nothing begins before the name is typed as it stands; what is missing is said at its field', async () => {
  openDialog(sample, { needsOwner: true, leaving: [], imports: [] });
  expect(await isDisabled()).toBe(true);
  type(await confirmation(), 'sample business');
  expect(await isDisabled()).toBe(true);
  type(await confirmation(), 'Sample Business');
  await eventually(async () => expect(await isDisabled()).toBe(false));
  // Nobody is called what the sample was.
  expect([field('firstName').value, field('email').value]).toEqual(['', '']);
  press(await find('button', 'Start for Real'));
  await eventually(() => {
    for (const sentence of [
      'Enter the name of your business',
      'First name is required',
      'Password is required',
    ])
      expect(shownText()).toContain(sentence);
  });
  expect(sent).toEqual([]);
});

test('the password of the sample is refused, also to whoever gave its account their own address', async () => {
  openDialog(own, { needsOwner: true, leaving: ['mat@real.test'], imports: [] });
  await find('dialog');
  expect(findAll('listitem').map(({ textContent }) => textContent)).toEqual(['mat@real.test']);
  expect([field('firstName').value, field('lastName').value, field('email').value]).toEqual([
    ...['Ada', 'Real', 'ada@real.test'],
  ]);
  type(await businessName(), 'Ada & Co');
  type(field('password'), 'Welcome123');
  type(field('confirmPassword'), 'Welcome123');
  type(await confirmation(), 'Sample Business');
  await eventually(async () => expect(await isDisabled()).toBe(false));
  press(await find('button', 'Start for Real'));
  await eventually(() => expect(shownText()).toContain('Everybody knows this password'));
  expect(sent).toEqual([]);
  type(field('password'), 'Truly-mine-1');
  type(field('confirmPassword'), 'Truly-mine-1');
  await eventually(() => expect(shownText()).not.toContain('Everybody knows this password'));
  press(await find('button', 'Start for Real'));
  await eventually(() => expect(sent).toHaveLength(1));
  expect(sent[0]).toContain('Truly-mine-1');
});

test('whoever has an account of their own is asked for no other', async () => {
  openDialog(own, { needsOwner: false, leaving: [], imports: [] });
  await businessName();
  expect(document.querySelector('input[type="password"]')).toBeNull();
  expect(findAll('listitem')).toEqual([]);
});

test('each import into the sample is asked about, with nothing chosen beforehand, and the answers are sent', async () => {
  const [shop, fair] = ['0198f1a0-0000-7000-8000-000000000001', '0198f1a0-0000-7000-8000-000000000002'];
  const at = '2026-11-20T10:00:00.000Z';
  openDialog(own, {
    ...{ needsOwner: false, leaving: [] },
    imports: [
      { id: shop!, fileName: 'shop.csv', contacts: 412, createdAt: at },
      { id: fair!, fileName: 'fair.csv', contacts: 1, createdAt: at },
    ],
  });
  type(await businessName(), 'Ada & Co');
  type(await confirmation(), 'Sample Business');
  const radios = () => findAll('radio') as HTMLInputElement[];
  expect(radios().map(({ checked }) => checked)).toEqual([false, false, false, false]);
  press(radios()[0]!);
  await eventually(async () => expect(await isDisabled()).toBe(false));
  press(await find('button', 'Start for Real'));
  await eventually(() => expect(shownText()).toContain('Choose for each import whether its contacts stay'));
  expect(sent).toEqual([]);
  press(radios()[3]!);
  await eventually(() => expect(radios()[3]!.checked).toBe(true));
  press(await find('button', 'Start for Real'));
  await eventually(() => expect(sent).toHaveLength(1));
  expect(JSON.parse(sent[0]!).json.imports).toEqual([
    { importId: shop, keep: true },
    { importId: fair, keep: false },
  ]);
});
