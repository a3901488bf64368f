import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openCsvReader, readCsvHeader } from '@app/domain/contact-imports/csv-reader';
import { guessFileCountry } from '@app/domain/contact-imports/file-country';
import { mayBeConsent } from '@app/domain/contact-imports/import-consent';
import { findHeadingRow, guessMapping } from '@app/domain/contact-imports/import-mapping';
import { readCountryName } from '@app/domain/contacts/country-name';
import { lacksCode } from '@app/domain/contacts/written-code';
import { openApiFixture, type ApiCaller, type ApiFixture } from '../api-fixture.ts';

type Right = {
  people: [name: string, phone: string, more?: { optedOut?: boolean; tags?: string[]; email?: string }][];
  nobody?: string[];
};
type Contact = {
  name: string;
  phone: string;
  email: string | null;
  tags: string[];
  optedOutAt: string | null;
};

const input = (name: string) => readFileSync(new URL(`inputs/${name}`, import.meta.url));
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a file of ours
const right = JSON.parse(input('expect.json').toString()) as Record<string, Right>;

let api: ApiFixture;
let admin: ApiCaller;
beforeAll(async () => {
  api = await openApiFixture();
  admin = await api.as('admin');
});
afterAll(() => api.close());
beforeEach(() => api.db.systemPool.query('DELETE FROM contacts; DELETE FROM suppression_list'));

/** As the dialog does it when nothing is changed there: what the file shows of itself is what it is imported with. */
async function importAsIs(
  bytes: Uint8Array,
  name: string,
  more: Record<string, string> = {},
): Promise<Contact[]> {
  const look = await admin.post('/api/contacts/imports/start', {
    start: Buffer.from(bytes).subarray(0, 65_536).toString('base64'),
  });
  expect(look.status).toBe(200);
  const start = await look.json<{ encoding: string; cards: string[][] | null }>();
  const rows = start.cards ?? readRows(new TextDecoder(start.encoding).decode(bytes));
  const table = rows.slice(findHeadingRow(rows, []));
  const [headings = [], ...people] = table;
  expect(headings.filter(mayBeConsent)).toEqual([]);
  const mapping = guessMapping(headings, []);
  const numbers = people
    .filter((cells) => !readCountryName(cells[mapping.indexOf('country')] ?? ''))
    .flatMap((cells) => cells.filter((_, at) => mapping[at] === 'phone'));
  const country = guessFileCountry(numbers);
  // Else the dialog asks.
  expect(numbers.filter(lacksCode).length === 0 || country?.isCertain).toBe(true);
  const choices = new URLSearchParams({
    ...{ fileName: name, encoding: start.encoding, mapping: JSON.stringify(mapping) },
    ...(country && { country: country.country }),
    ...more,
  });
  const answer = await admin.request(`/api/contacts/imports?${choices}`, {
    method: 'POST',
    body: new Uint8Array(bytes),
    headers: { prefer: 'wait=50', 'content-type': 'text/plain' },
  });
  expect(answer.status, JSON.stringify(await answer.clone().json())).toBe(200);
  const list = await admin.get('/api/contacts?limit=200');
  return (await list.json<{ items: Contact[] }>()).items;
}

function expectRight(contacts: readonly Contact[], { people, nobody = [] }: Right) {
  expect(contacts.map(({ name, phone }) => [name, phone]).toSorted()).toEqual(
    people.map(([name, phone]) => [name, phone]).toSorted(),
  );
  for (const [, number, more] of people) {
    const contact = contacts.find(({ phone }) => phone === number)!;
    if (more?.optedOut !== undefined)
      expect([number, contact.optedOutAt !== null]).toEqual([number, more.optedOut]);
    if (more?.tags) expect(contact.tags).toEqual(more.tags);
    if (more?.email) expect(contact.email).toBe(more.email);
  }
  for (const number of nobody) expect(contacts.some(({ phone }) => phone === number)).toBe(false);
}

function readRows(text: string): string[][] {
  const { delimiter, from } = readCsvHeader(text);
  const reader = openCsvReader({ delimiter, cells: 1_000, characters: 1_000_000 });
  return [...reader.push(text.slice(from)), ...reader.end()].map(({ cells }) => cells);
}

describe('files of contacts', () => {
  test.each(Object.entries(right))('%s', async (name, one) => {
    const contacts = await importAsIs(input(name), name);
    expect(contacts).toHaveLength(one.people.length);
    expectRight(contacts, one);
  });
});
