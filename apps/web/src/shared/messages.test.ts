import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { compileCatalogue } from '../../vite-messages.ts';
import { loadMessages, switchLocale, t } from './messages.ts';

const folder = join(import.meta.dirname, '../messages');
const read = (locale: string, file: string): Record<string, string> =>
  JSON.parse(readFileSync(join(folder, locale, file), 'utf8'));

describe('messages', () => {
  test('a plural follows its number', async () => {
    await loadMessages('common');
    expect(t('ui.formErrors', { n: 1 })).toBe('Please correct this field:');
    expect(t('ui.formErrors', { n: 1200 })).toBe('Please correct these 1,200 fields:');
  });

  test('an apostrophe stays as it is written', async () => {
    await loadMessages('common');
    expect(t('common.accessDeniedText')).toBe("You don't have permission to access this page.");
  });

  test('a broken text names its file and key', () => {
    expect(() => compileCatalogue('{"a.b":"{n"}', 'en/a.json')).toThrow(/en\/a\.json: "a\.b"/);
  });
});

test('a number is grouped wherever a text has one', async () => {
  const bare = readdirSync(folder).flatMap((locale) =>
    readdirSync(join(folder, locale)).flatMap((file) =>
      Object.entries(read(locale, file)).filter(([, text]) => text.includes('{n}')),
    ),
  );
  expect(bare).toEqual([]);
  await loadMessages('contacts', 'bulk-message');
  expect(t('contacts.importDone', { n: 19760 })).toBe('Successfully imported 19,760 contacts!');
  expect(t('bulkMessage.sent', { n: 1_000_000 })).toBe(
    'Bulk message sent successfully to 1,000,000 contacts!',
  );
});

test('a key belongs to one catalogue only', () => {
  const keys = readdirSync(join(folder, 'en')).flatMap((file) => Object.keys(read('en', file)));
  expect(keys.filter((key, index) => keys.indexOf(key) !== index)).toEqual([]);
});

test.each([
  ['es', 'Buscar o ir a', '1.000.000 de contactos'],
  ['fr', 'Rechercher', '1\u202f000\u202f000 de contacts'],
  ['de', 'Suchen, öffnen', '1.000.000 Kontakte'],
  ['pt', 'Buscar ou ir a', '1.000.000 de contatos'],
] as const)('%s has its own words, plural forms and numbers', async (locale, words, million) => {
  await loadMessages('common', 'contacts');
  await switchLocale(locale);
  try {
    expect(t('common.palette.open')).toBe(words);
    expect(t('contacts.filterCount', { n: 1_000_000 })).toBe(million);
  } finally {
    await switchLocale('en');
  }
});
