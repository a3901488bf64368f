import { describe, expect, test } from 'vitest';
import { guessMapping, readImportedRow } from './contact-import.ts';

describe('one row of an import', () => {
  test('is read with its tags from a list or a text', () => {
    const ann = { name: ' Ann ', phone: 447911123456, tags: 'vip; new' };
    expect(readImportedRow(1, ann)).toEqual({
      name: 'Ann',
      phone: '447911123456',
      email: null,
      tags: ['vip', 'new'],
      status: 'active',
    });
    expect(readImportedRow(1, { ...ann, tags: ['vip', 7, null] })).toMatchObject({ tags: ['vip', '7'] });
  });

  test.each([
    [{ name: 'Ann' }, 'Row 3: Name and phone are required'],
    [{ name: {}, phone: '1' }, 'Row 3: Name and phone are required'],
    [{ name: 'A'.repeat(201), phone: '1' }, 'Row 3: The name is longer than 200 characters'],
    [{ name: 'Ann', phone: '1', tags: ['x'.repeat(61)] }, 'Row 3: A tag is longer than 60 characters'],
    [{ name: 'Ann', phone: '1', tags: [...Array(51).keys()] }, 'Row 3: There are more than 50 tags'],
  ])('%j is refused', (source, sentence) => {
    expect(readImportedRow(3, source)).toBe(sentence);
  });
});

test('headings are guessed by their own name first, then by common other names', () => {
  expect(guessMapping(['Mobile', 'PHONE', 'Full Name', 'Labels', 'Shoe size'])).toEqual({
    PHONE: 'phone',
    'Full Name': 'name',
    Labels: 'tags',
  });
  expect(guessMapping(['constructor', '__proto__'])).toEqual({});
});
