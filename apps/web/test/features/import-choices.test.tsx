import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { beforeAll, expect, test } from 'vitest';
import { ColumnMapping } from '../../src/features/contact-imports/column-mapping.tsx';
import { useImportChoices } from '../../src/features/contact-imports/use-import-choices.ts';
import { homeCountryOptions } from '../../src/shared/contacts/contacts-queries.ts';
import { loadMessages } from '../../src/shared/messages.ts';
import { eventually, find, findAll, press, show, shownText } from '../screen.tsx';

beforeAll(() => loadMessages('contacts'));

function Choices({ file, text = '' }: { file?: File; text?: string }) {
  const choices = useImportChoices(file ?? null, text);
  return (
    <>
      <ColumnMapping choices={choices} />
      <output>{JSON.stringify({ mapping: choices.mapping ?? null, country: choices.country })}</output>
    </>
  );
}

function open(props: { file?: File; text?: string }) {
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Number.POSITIVE_INFINITY } } });
  client.setQueryData(homeCountryOptions.queryKey, { country: 'DE' });
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
    country: 'DE',
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
  open({ file: new File([bytes], 'gens.csv') });
  await find('combobox', 'What the column “Prénom” becomes');
  expect(chosen().mapping).toEqual(['firstName', 'lastName', 'phone']);
});

test('the country is what the file’s own country codes say, before that of the workspace', async () => {
  open({ text: 'Name,Phone\nAnn,+34 612 345 678\nBob,612 345 679\n' });
  await eventually(() => expect(chosen().country).toBe('ES'));
});
