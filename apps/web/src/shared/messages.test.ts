import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { compileCatalogue } from '../../vite-messages.ts';
import { loadMessages, t } from './messages.ts';

const folder = join(import.meta.dirname, '../messages');
const read = (locale: string, file: string): Record<string, string> =>
  JSON.parse(readFileSync(join(folder, locale, file), 'utf8'));
const placeholders = (text: string) =>
  [...new Set([...text.matchAll(/\{(\w+)[,}]/g)].map((match) => match[1]))].sort();

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

describe.each(readdirSync(folder))('catalogues of %s', (locale) => {
  test.each(readdirSync(join(folder, locale)))('%s compiles and has the placeholders of English', (file) => {
    const texts = read(locale, file);
    const english = read('en', file);
    expect(() => compileCatalogue(JSON.stringify(texts), file)).not.toThrow();
    for (const [key, text] of Object.entries(texts)) {
      expect(english, `${locale}/${file}: ${key} is not in English`).toHaveProperty([key]);
      expect(placeholders(text), `${locale}/${file}: ${key}`).toEqual(placeholders(english[key] ?? ''));
    }
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
