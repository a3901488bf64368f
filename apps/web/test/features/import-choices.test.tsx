import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router';
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { ImportDialog } from '../../src/features/contact-imports/import-dialog.tsx';
import { ImportOptions } from '../../src/features/contact-imports/import-options.tsx';
import { useImportChoices } from '../../src/features/contact-imports/use-import-choices.ts';
import { homeCountryOptions } from '../../src/shared/contacts/contacts-queries.ts';
import { loadMessages } from '../../src/shared/messages.ts';
import { ConfirmProvider } from '../../src/ui/overlays/confirm.tsx';
import { eventually, find, findAll, press, show, shownText, type } from '../screen.tsx';

beforeAll(() => loadMessages('contacts'));
beforeEach(() => {
  localStorage.clear();
  vi.stubGlobal('fetch', async () => Response.json({ json: { items: [], nextCursor: null } }));
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

function Choices({ file, text = '' }: { file?: File; text?: string }) {
  const choices = useImportChoices(file ?? null, text);
  return (
    <>
      <ImportOptions choices={choices} />
      <button type="button" onClick={choices.keepChoices}>
        Keep
      </button>
      <output>
        {JSON.stringify({
          mapping: choices.mapping ?? null,
          ...{ country: choices.country, ambiguousReading: choices.ambiguousReading },
          needsCountry: choices.needsCountry,
        })}
      </output>
    </>
  );
}

function open({ home = 'DE', ...props }: { file?: File; text?: string; home?: 'DE' | null }) {
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Number.POSITIVE_INFINITY } } });
  client.setQueryData(homeCountryOptions.queryKey, { country: home });
  show(
    <QueryClientProvider client={client}>
      <Choices {...props} />
    </QueryClientProvider>,
  );
}

const chosen = () => JSON.parse(document.querySelector('output')?.textContent ?? '{}');
const become = async (column: string, value: string) => {
  const select = (await find('combobox', column)) as HTMLSelectElement; // it is one
  select.value = value;
  select.dispatchEvent(new Event('change', { bubbles: true }));
};

test('each column has its first values and what becomes of it; the country is that of the workspace', async () => {
  open({ text: 'Vorname;Nachname;Telefon;Mobil;Telefon\nAnn;Lee;030 1;0171 1;x\nBob;;030 2;0171 1;\n' });
  await find('combobox', 'What the column “Vorname” becomes');
  expect(chosen()).toEqual({
    mapping: ['firstName', 'lastName', 'otherPhone', 'phone', 'otherPhone'],
    ...{ country: 'DE', ambiguousReading: 'international', needsCountry: false },
  });
  expect(shownText()).toContain('030 1 · 030 2');
  await become('What the column “Vorname” becomes', 'lastName');
  await eventually(() => expect(chosen().mapping.slice(0, 2)).toEqual(['lastName', null]));
  expect(shownText()).toContain('1 of 5 columns is ignored.');
});

test('what a contact needs is asked for where it can be chosen', async () => {
  open({ text: 'Wer,Nummer\nAnn,+447700900001\n' });
  await eventually(() => expect(shownText()).toContain('Choose the column of Name.'));
  expect(chosen().mapping).toBeNull();
  await become('Name', '0');
  await eventually(() => expect(findAll('combobox', 'Name')).toEqual([]));
  await become('Phone', '1');
  await eventually(() => expect(chosen().mapping).toEqual(['name', 'phone']));
});

test('a first row of values is told from headings, and people may say otherwise', async () => {
  open({ text: 'Ann Lee,+447700900001,ann@example.com\nBob Ray,+447700900002,\n' });
  const headless = await find('checkbox', /The first row is a contact/);
  expect(headless).toHaveProperty('checked', true);
  expect(chosen().mapping).toEqual(['name', 'phone', 'email']);
  press(headless);
  await eventually(() => expect(chosen().mapping).toBeNull());
});

test('a file in the letters of Windows shows them', async () => {
  const bytes = Uint8Array.from(
    [...'Pr\u00e9nom;Nom;Mobile\nZo\u00eb;Lee;0612345678\n'].map((letter) => letter.charCodeAt(0)),
  );
  const possible = [
    { encoding: 'windows-1252', examples: ['Zoë'] },
    { encoding: 'windows-1250', examples: ['Zoë', 'Łukasz'] },
  ];
  vi.stubGlobal('fetch', async () =>
    Response.json({ json: { encoding: 'windows-1252', isCertain: false, possible, cards: null } }),
  );
  open({ file: new File([bytes], 'gens.csv') });
  await find('combobox', 'What the column “Prénom” becomes');
  expect(chosen().mapping).toEqual(['firstName', 'lastName', 'phone']);
  // Names of the file stand where others can be chosen.
  await find('combobox', 'Characters of the file');
  expect(shownText()).toContain('Are these names right: Zoë?');
});

test('a column that may say who wants no messages is asked about before anything is imported', async () => {
  open({ text: 'Name,Phone,Promo preference\nAnn,+34612345678,weekly\n' });
  await find('combobox', 'What the column “Promo preference” becomes');
  expect(shownText()).toContain('This column may say who does not want messages.');
  await become('What the column “Promo preference” becomes', '');
  await eventually(() =>
    expect(shownText()).not.toContain('This column may say who does not want messages.'),
  );
});

test('numbers of rows that say their own country are asked about no more', async () => {
  open({ home: null, text: 'Name,Phone,Country\nAnn,0151 20020001,DE\nBob,11 98765-0002,Brasil\n' });
  await find('combobox', 'What the column “Country” becomes');
  expect(chosen()).toMatchObject({ mapping: ['name', 'phone', 'country'], needsCountry: false });
});

test('the country is what most numbers of the file say, before that of the workspace', async () => {
  open({ text: 'Name,Phone\nAnn,+34 612 345 678\nBob,612 345 679\n' });
  await eventually(() => expect(chosen().country).toBe('ES'));
});

test('one customer abroad does not make strangers of the others, and is hinted at', async () => {
  open({ text: `Name,Phone\n${'Bob,0171 2345678\n'.repeat(9)}Ann,+34 612 345 678\n` });
  await eventually(() => expect(shownText()).toContain('are mostly from Spain'));
  expect(chosen().country).toBe('DE');
});

test('numbers that can be read in two ways are shown as both, and the choice holds for the file', async () => {
  const asked: unknown[] = [];
  vi.stubGlobal('fetch', async (request: Request) => {
    if (request.url.includes('readNumbers')) {
      asked.push((await request.json()).json);
      const both = { written: '33612345678', home: '+4933612345678', international: '+33612345678' };
      return Response.json({ json: { twofold: 1, examples: [both] } });
    }
    return Response.json({ json: { items: [], nextCursor: null } });
  });
  open({ text: 'Name,Phone\nAnn,33612345678\nBob,0171 2345678\nCat,+33612345678\n' });
  const home = await find('radio', /As numbers of Germany/);
  expect(asked).toEqual([{ country: 'DE', numbers: ['33612345678'] }]);
  expect(shownText()).toContain('1 number can be read in two ways');
  expect(shownText()).toContain('+33 6 12 34 56 78');
  expect(chosen().ambiguousReading).toBe('international');
  press(home);
  await eventually(() => expect(chosen().ambiguousReading).toBe('home'));
});

test('keys of JSON are columns: understood by their names, others ignored or made a field', async () => {
  open({ text: '[{"firstName":"Ann","lastName":"Lee","mobile":"+447700900001","notes":["a","b"]}]' });
  await find('combobox', 'What the column “notes” becomes');
  expect(shownText()).toContain('a, b');
  expect(shownText()).toContain('1 of 4 columns is ignored.');
  expect(findAll('checkbox', /The first row is a contact/)).toEqual([]);
  // Untouched it is left to the server, which sees all elements.
  expect(chosen().mapping).toBeNull();
  await become('What the column “notes” becomes', 'tags');
  await eventually(() =>
    expect(chosen().mapping).toEqual({
      ...{ firstName: 'firstName', lastName: 'lastName', mobile: 'phone', notes: 'tags' },
    }),
  );
});

test('what was chosen for columns is kept for the rows that failed', async () => {
  const text = 'Wer,Nummer,x\nAnn,+447700900001,\n';
  open({ text });
  await eventually(() => expect(shownText()).toContain('Choose the column of Name.'));
  await become('Name', '0');
  await become('Phone', '1');
  await eventually(() => expect(chosen().mapping).toEqual(['name', 'phone', null]));
  press(await find('button', 'Keep'));
  document.body.replaceChildren();
  open({ text: text.replace('x\n', 'x,Import error\n').replace('001,', '001,,Row 1: No') });
  await eventually(() => expect(chosen().mapping).toEqual(['name', 'phone', null, null]));
  expect(shownText()).toContain('The columns are as you chose them');
});

const national = 'Name,Phone\nAnn,626152275\nBob,644115149\nCat,+447700900001\n';

test('numbers without a code wait for their country where nothing says it; the likely one is proposed, not taken', async () => {
  vi.spyOn(navigator, 'languages', 'get').mockReturnValue(['es-ES']);
  vi.spyOn(Intl.DateTimeFormat.prototype, 'resolvedOptions').mockReturnValue({
    ...{ locale: 'es', calendar: 'gregory', numberingSystem: 'latn', timeZone: 'Europe/Madrid' },
  });
  open({ text: national, home: null });
  const spain = await find('radio', /As numbers of Spain/);
  expect(spain).toHaveProperty('checked', false);
  expect(shownText()).toContain('2 numbers have neither + nor 00');
  expect(shownText()).toContain('+62 615');
  expect(shownText()).toContain('Choose the country of the numbers without a code.');
  expect(chosen()).toMatchObject({ needsCountry: true });
  press(await find('radio', /With the country code they begin with/));
  await eventually(() => expect(chosen().needsCountry).toBe(false));
  expect(chosen().country).toBeUndefined();
  press(spain);
  await eventually(() => expect(chosen()).toMatchObject({ country: 'ES', needsCountry: false }));
  expect(shownText()).not.toContain('Choose the country of the numbers without a code.');
  press(await find('button', 'Keep'));
  document.body.replaceChildren();
  open({ text: 'Name,Phone\nDan,611222333\n' });
  await eventually(() => expect(chosen()).toMatchObject({ country: 'ES', needsCountry: false }));
  expect(shownText()).toContain('As you last chose it in this browser.');
});

test('Check First and Import wait for the country, and say so', async () => {
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Number.POSITIVE_INFINITY } } });
  client.setQueryData(homeCountryOptions.queryKey, { country: null });
  const component = () => <ImportDialog onClose={() => undefined} />;
  const router = createRouter({ routeTree: createRootRoute({ component }), history: createMemoryHistory() });
  show(
    <QueryClientProvider client={client}>
      <ConfirmProvider>
        <RouterProvider router={router as never} />
      </ConfirmProvider>
    </QueryClientProvider>,
  );
  type(await find('textbox', 'Or paste contacts here'), national);
  const whole = await find('radio', /With the country code they begin with/);
  const isHeld = (name: string) => findAll('button', name).map((button) => button.matches(':disabled'));
  expect([isHeld('Check First'), isHeld('Import')]).toEqual([[true], [true]]);
  const described = findAll('button', 'Import')[0]?.getAttribute('aria-describedby') ?? '';
  expect(document.getElementById(described)?.textContent).toBe(
    'Choose the country of the numbers without a code.',
  );
  press(whole);
  await eventually(() => expect([isHeld('Check First'), isHeld('Import')]).toEqual([[false], [false]]));
});

test('no country is asked for where each number has its code', async () => {
  open({ text: 'Name,Phone\nAnn,+34626152275\nBob,0044 7700 900001\n', home: null });
  await find('combobox', 'What the column “Name” becomes');
  expect(chosen().needsCountry).toBe(false);
});
