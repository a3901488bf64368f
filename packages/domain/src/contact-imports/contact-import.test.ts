import { describe, expect, test } from 'vitest';
import { readImportedRow } from './contact-import.ts';
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
      language: null,
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
    [
      { name: 'Ann', phone: '1', language: 'Klingon' },
      'Row 3: The language is not one such as de or German; leave it empty if nobody knows it',
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

describe('the name of a row', () => {
  const nameOf = (source: object, isFamilyFirst = false) =>
    readImportedRow({ phone: '+4917112345678', ...source }, [], { isFamilyFirst });

  test.each([
    [{ firstName: ' Jürgen', lastName: 'Groß ' }, 'Jürgen Groß'],
    [{ lastName: 'Groß' }, 'Groß'],
    [{ firstName: 'Zoë', lastName: 'Zoë Weiß' }, 'Zoë Weiß'],
    [{ firstName: 'Zoë Weiß', lastName: 'Weiß' }, 'Zoë Weiß'],
    [{ name: 'Dr. Zoë Weiß', firstName: 'Zoë', lastName: 'Weiß' }, 'Dr. Zoë Weiß'],
    [{ name: ' ', firstName: 'Zoë', lastName: 'Weiß' }, 'Zoë Weiß'],
    [{ firstName: '太郎', lastName: '山田' }, '山田太郎'],
  ])('%j', (source, name) => {
    expect(nameOf(source)).toMatchObject({ name });
  });

  test('begins with the family where that is the custom', () => {
    expect(nameOf({ firstName: 'Anna', lastName: 'Nagy' }, true)).toMatchObject({ name: 'Nagy Anna' });
  });

  test('must be there in one of its columns', () => {
    expect(nameOf({ firstName: ' ', lastName: '' })).toEqual({ code: 'incomplete', values: {} });
  });
});

test('tags for everybody come after those of the row, each once', () => {
  const row = { name: 'Ann', phone: '1', tags: 'vip;Spring' };
  expect(readImportedRow(row, [], { tags: ['spring', 'fair'] })).toMatchObject({
    tags: ['vip', 'Spring', 'fair'],
  });
});
