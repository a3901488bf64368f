import { expect, test } from 'vitest';
import { guessJsonTargets, listJsonKeys, mapByKey, readJsonValues } from './json-contact.ts';

const shoe = { key: 'shoe', label: 'Shoe size' };
const language = { key: 'language', label: 'Language' };

const guess = (element: unknown, fields: readonly { key: string; label: string }[] = []) => {
  const keys = [...readJsonValues(element).keys()];
  return mapByKey(keys, guessJsonTargets(keys, fields));
};

test('keys are understood as headings are', () => {
  expect(
    guess({ firstName: 'Ann', lastName: 'Lee', mobile: '1', phone: '2', Correo: 'x', notes: '' }),
  ).toEqual({
    ...{
      firstName: 'firstName',
      lastName: 'lastName',
      mobile: 'phone',
      phone: 'otherPhone',
      Correo: 'email',
    },
  });
});

test('custom values stand beside the others or in an object of their own, which goes first', () => {
  expect(guess({ 'Shoe size': 38 }, [shoe])).toEqual({ 'Shoe size': 'custom:shoe' });
  expect(guess({ shoe: 1, customFields: { shoe: 38, gone: 1 } }, [shoe])).toEqual({
    'customFields.shoe': 'custom:shoe',
  });
});

test('a field named like the language stands apart from it in an export of ours', () => {
  expect(guess({ language: 'de' }, [language])).toEqual({ language: 'custom:language' });
  expect(guess({ language: 'de', customFields: {} }, [language])).toEqual({ language: 'language' });
  expect(guess({ language: 'de', customFields: { language: 'C' } }, [language])).toEqual({
    ...{ language: 'language', 'customFields.language': 'custom:language' },
  });
});

test('the keys of several elements are listed once; what is no object has none', () => {
  expect(listJsonKeys([{ a: 1, b: 2 }, { b: 1, customFields: { c: 1 } }, 7, null, [1]])).toEqual([
    ...['a', 'b', 'customFields.c'],
  ]);
});
