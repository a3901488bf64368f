import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { compileCatalogue } from '../../vite-messages.ts';
import { splitWords, type SourceTexts } from './languages/split-words.ts';
import { loadMessages, switchLocale, t } from './messages.ts';

const folder = join(import.meta.dirname, '../messages');
const files = globSync('*.json', { cwd: folder }).map((file): SourceTexts =>
  JSON.parse(readFileSync(join(folder, file), 'utf8')),
);

describe('messages', () => {
  test('a plural follows its number', async () => {
    await loadMessages('ui', 'common');
    expect(t('ui.formErrors', { n: 1 })).toBe('Please correct this field:');
    expect(t('ui.formErrors', { n: 1200 })).toBe('Please correct these 1,200 fields:');
  });

  test('an apostrophe stays as it is written', async () => {
    await loadMessages('ui', 'common');
    expect(t('common.accessDeniedText')).toBe("You don't have permission to access this page.");
  });

  test('a broken text names its key and language', () => {
    expect(() => compileCatalogue({ 'a.b': '{n' }, 'es')).toThrow(/"a\.b" \(es\)/);
  });
});

test('a number is grouped wherever a text has one', async () => {
  const bare = files.flatMap((texts) =>
    Object.entries(texts).filter(([, spoken]) => Object.values(spoken).some((text) => text.includes('{n}'))),
  );
  expect(bare).toEqual([]);
  await loadMessages('contacts', 'bulk-message');
  expect(t('contacts.importDone', { n: 19760 })).toBe('Successfully imported 19,760 contacts!');
  expect(t('bulkMessage.sent', { n: 1_000_000 })).toBe(
    'Bulk message sent successfully to 1,000,000 contacts!',
  );
});

test('a key stands in one file only', () => {
  const keys = files.flatMap((texts) => Object.keys(texts));
  expect(keys.filter((key, index) => keys.indexOf(key) !== index)).toEqual([]);
});

test('a text is loaded with its file, but for what a page shows of all features', () => {
  const spoken = (text: string) => ({ en: text, es: `${text} es`, fr: '', de: '', pt: '' });
  const notes = {
    'notes.title': spoken('Notes'),
    'activity.fact.note.added': spoken('Added'),
    'palette.newNote': spoken('New'),
    'common.nav.notes': spoken('Notes'),
  };
  expect(splitWords({ notes, common: { 'common.yes': spoken('Yes') } }, 'es')).toEqual({
    notes: { 'notes.title': 'Notes es' },
    'activity-facts': { 'activity.fact.note.added': 'Added es' },
    palette: { 'palette.newNote': 'New es' },
    common: { 'common.nav.notes': 'Notes es', 'common.yes': 'Yes es' },
  });
});

test.each([
  ['es', 'Buscar o ir a', '1.000.000 de contactos'],
  ['fr', 'Rechercher', '1\u202f000\u202f000 de contacts'],
  ['de', 'Suchen, öffnen', '1.000.000 Kontakte'],
  ['pt', 'Buscar ou ir a', '1.000.000 de contatos'],
] as const)('%s has its own words, plural forms and numbers', async (locale, words, million) => {
  await loadMessages('ui', 'common', 'contacts');
  await switchLocale(locale);
  try {
    expect(t('common.palette.open')).toBe(words);
    expect(t('contacts.filterCount', { n: 1_000_000 })).toBe(million);
  } finally {
    await switchLocale('en');
  }
});
