import { describe, expect, test } from 'vitest';
import {
  findLeftOut,
  findMissingColumns,
  guessMapping,
  readImportedRow,
  readTarget,
} from './contact-import.ts';
import { describeRowProblem } from './import-problems.ts';

function refusalOf(...row: Parameters<typeof readImportedRow>): string | null {
  const read = readImportedRow(...row);
  return 'code' in read ? describeRowProblem(3, read) : null;
}

describe('one row of an import', () => {
  test('is read with its tags from a list or a text', () => {
    const ann = { name: ' Ann ', phone: 447911123456, tags: 'vip; new' };
    expect(readImportedRow(ann)).toEqual({
      name: 'Ann',
      phone: '447911123456',
      email: null,
      tags: ['vip', 'new'],
      status: 'active',
      customValues: {},
    });
    expect(readImportedRow({ ...ann, tags: ['vip', 7, null] })).toMatchObject({ tags: ['vip', '7'] });
  });

  test.each([
    [{ name: 'Ann' }, 'Row 3: Name and phone are required'],
    [{ name: {}, phone: '1' }, 'Row 3: Name and phone are required'],
    [{ name: 'A'.repeat(201), phone: '1' }, 'Row 3: The name is longer than 200 characters'],
    [
      { name: 'Ann', phone: '1', email: 'unknown' },
      'Row 3: The email is not an address such as ann@example.com; leave it empty if there is none',
    ],
    [{ name: 'Ann', phone: '1', tags: ['x'.repeat(61)] }, 'Row 3: A tag is longer than 60 characters'],
    [{ name: 'Ann', phone: '1', tags: [...Array(51).keys()] }, 'Row 3: There are more than 50 tags'],
  ])('%j is refused', (source, sentence) => {
    expect(refusalOf(source)).toBe(sentence);
  });
});

const fields = [
  { id: 'f1', key: 'tier', label: 'Level', type: 'choice', options: ['Silver', 'Gold'] },
  { id: 'f2', key: 'mobile', label: 'Mobile plan', type: 'text', options: [] },
  { id: 'f3', key: 'born', label: 'Born', type: 'date', options: [] },
] as const;

describe('the custom columns of a row', () => {
  const row = { name: 'Ann', phone: '1' };

  test('are read as their fields say; what is empty is not there', () => {
    const custom = { tier: 'gold', mobile: ' ', born: '1.2.1990', other: 'x' };
    expect(readImportedRow({ ...row, custom }, fields)).toMatchObject({
      customValues: { f1: 'Gold', f3: '1990-02-01' },
    });
  });

  test.each([
    [{ tier: 'Tin' }, 'Row 3: Level is not one of Silver, Gold'],
    [{ born: '11/12/90' }, 'Row 3: Born is not a date such as 2026-11-21'],
    [{ mobile: 'x'.repeat(501) }, 'Row 3: Mobile plan is longer than 500 characters'],
    [{ mobile: {} }, 'Row 3: Mobile plan is not a text'],
  ])('%j is refused', (custom, sentence) => {
    expect(refusalOf({ ...row, custom }, fields)).toBe(sentence);
  });
});

test('headings that name a custom field are guessed before other names of our columns', () => {
  expect(guessMapping(['Full name', 'Phone', 'LEVEL', 'tier', 'Mobile'], fields)).toEqual({
    'Full name': 'name',
    Phone: 'phone',
    LEVEL: 'custom:tier',
    Mobile: 'custom:mobile',
  });
});

test.each([
  ['phone', 'phone'],
  ['custom:tier', 'custom:tier'],
  ['custom:', undefined],
  ['custom:a b', undefined],
  ['tier', undefined],
  [7, undefined],
])('the target %j of a mapping', (text, target) => {
  expect(readTarget(text)).toBe(target);
});

test('headings are guessed by their own name first, then by common other names', () => {
  expect(guessMapping(['Mobile', 'PHONE', 'Full Name', 'Labels', 'Shoe size'], [])).toEqual({
    PHONE: 'phone',
    'Full Name': 'name',
    Labels: 'tags',
  });
  expect(guessMapping(['constructor', '__proto__'], [])).toEqual({});
});

test('columns that are left out are named: unknown ones, second ones, and those without a heading', () => {
  const headings = ['Name', 'Phone', ' Shoe size', '', 'Phone'];
  expect(findLeftOut(headings, guessMapping(headings, []))).toEqual([
    { heading: 'Shoe size', place: 3 },
    { heading: '', place: 4 },
    { heading: 'Phone', place: 5 },
  ]);
  expect(findLeftOut([], {})).toEqual([]);
});

test('first and last name apart are one name', () => {
  const parts = { Vorname: 'firstName', Nachname: 'lastName', Handy: 'phone' };
  expect(guessMapping(['Vorname', 'Nachname', 'Handy'], [])).toEqual(parts);
  expect(guessMapping(['Name', 'Vorname'], [])).toEqual({ Name: 'lastName', Vorname: 'firstName' });
  expect(guessMapping(['Name', 'Given Name', 'Family Name'], [])).toEqual({ Name: 'name' });
  expect(
    guessMapping(
      ['First Name (Billing)', 'State (Billing)', 'E-Mail (Rechnungsadresse)', 'Telefon (Rechnungsadresse)'],
      [],
    ),
  ).toEqual({
    ...{ 'First Name (Billing)': 'firstName', 'E-Mail (Rechnungsadresse)': 'email' },
    'Telefon (Rechnungsadresse)': 'phone',
  });
  const phone = '+4917112345678';
  const nameOf = (source: object) => readImportedRow({ phone, ...source });
  expect(nameOf({ firstName: ' Jürgen', lastName: 'Groß ' })).toMatchObject({ name: 'Jürgen Groß' });
  expect(nameOf({ lastName: 'Groß' })).toMatchObject({ name: 'Groß' });
  expect(nameOf({ firstName: 'Zoë', lastName: 'Zoë Weiß' })).toMatchObject({ name: 'Zoë Weiß' });
  expect(nameOf({ firstName: ' ', lastName: '' })).toEqual({ code: 'incomplete', values: {} });
  expect(findMissingColumns(['lastName'])).toEqual(['phone']);
  expect(findMissingColumns(['phone', 'email'])).toEqual(['name']);
});

test.each([
  [
    ['Full Name', 'Mobile Phone', 'E-mail Address', 'Labels'],
    ['name', 'phone', 'email', 'tags'],
  ],
  [
    ['Kunde', 'Handy', 'E-Mail-Adresse', 'Gruppen'],
    ['name', 'phone', 'email', 'tags'],
  ],
  [
    ['contact_name', 'Telephone', 'E-mail', 'Tag'],
    ['name', 'phone', 'email', 'tags'],
  ],
  [
    ['Name', 'Telefon', 'Mail', 'Status'],
    ['name', 'phone', 'email', 'status'],
  ],
  [
    ['Display Name', 'Mobile No.', 'EMAIL_ADDRESS', 'groups'],
    ['name', 'phone', 'email', 'tags'],
  ],
])('the headings %j of other programs are guessed', (headings, columns) => {
  expect(guessMapping(headings, [])).toEqual(
    Object.fromEntries(headings.map((heading, index) => [heading, columns[index]])),
  );
});
