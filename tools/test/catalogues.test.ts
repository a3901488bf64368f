import { cpSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { interfaceLanguages } from '../../packages/domain/src/text/interface-language.ts';
import { checkCatalogues } from '../catalogues/check-catalogues.ts';
import { sameWords } from '../catalogues/same-words.ts';
import { root } from '../child-process.ts';

/** What the web says, and what mails do. */
const FOLDERS = ['apps/web/src/messages', 'packages/api/src/platform/words/messages'];

const HOW_TO_MEND =
  'A text that people read stands in all five languages: add or correct these in each file that is named (docs/guides/languages.md).';

describe.each(FOLDERS)('%s', (folder) => {
  test('says everything in every language', () => {
    const faults = checkCatalogues(join(root, folder), interfaceLanguages, sameWords);
    expect(faults, `${HOW_TO_MEND}\n${faults.join('\n')}`).toEqual([]);
  });
});

test('no word is listed as the same in two languages that no text needs', () => {
  const texts = FOLDERS.flatMap((folder) => readEnglish(join(root, folder)));
  expect(Object.keys(sameWords).filter((word) => !texts.includes(word))).toEqual([]);
});

describe('a planted fault is found:', () => {
  const english = {
    'a.hello': 'Hello {name}',
    'a.count': '{n, plural, one {# contact of {name}} other {# contacts of {name}}}',
    'a.kind': '{kind, select, csv {A table} other {A list}}',
    'a.size': 'Up to {n, number} MB',
  };
  const spanish = {
    'a.hello': 'Hola {name}',
    'a.count':
      '{n, plural, one {# contacto de {name}} many {# de contactos de {name}} other {# contactos de {name}}}',
    'a.kind': '{kind, select, csv {Una tabla} other {Una lista}}',
    'a.size': 'Hasta {n, number} MB',
  };
  const places: string[] = [];
  afterAll(() => places.forEach((place) => rmSync(place, { recursive: true })));

  function findFaults(
    changed: Record<string, string | undefined>,
    files: Record<string, object> = {},
  ): string[] {
    const place = mkdtempSync(join(tmpdir(), 'catalogues-'));
    places.push(place);
    const all = { 'en/a.json': english, 'es/a.json': { ...spanish, ...changed }, ...files };
    for (const [name, texts] of Object.entries(all)) {
      mkdirSync(dirname(join(place, name)), { recursive: true });
      writeFileSync(join(place, name), JSON.stringify(texts));
    }
    return checkCatalogues(place, ['en', 'es'], {});
  }

  test('none in what is right', () => expect(findFaults({})).toEqual([]));

  test.each([
    ['a key that is missing', { 'a.hello': undefined }, 'es/a.json lacks: a.hello'],
    ['a key too many', { 'a.other': 'Otro' }, 'es/a.json has what English has not: a.other'],
    ['a lost value', { 'a.hello': 'Hola' }, 'es/a.json: a.hello lost {name text}'],
    ['another value', { 'a.hello': 'Hola {nombre}' }, 'es/a.json: a.hello lost {name text}'],
    ['a number that became a text', { 'a.size': 'Hasta {n} MB' }, 'es/a.json: a.size lost {n number}'],
    ['a brace that nobody closes', { 'a.hello': 'Hola {name' }, 'es/a.json: a.hello is not a valid message'],
    [
      'a plural form that Spanish needs',
      { 'a.count': '{n, plural, one {# de {name}} other {# de {name}}}' },
      'es/a.json: a.count needs the plural form many of {n}',
    ],
    [
      'a plural form that Spanish has not',
      { 'a.count': '{n, plural, one {# {name}} few {# {name}} many {# {name}} other {# {name}}}' },
      'es/a.json: a.count has the plural form few, unknown to es',
    ],
    [
      'a value lost in one form',
      { 'a.count': '{n, plural, one {# contacto} many {# de {name}} other {# de {name}}}' },
      'es/a.json: a.count leaves {name} out of one of its forms',
    ],
    [
      'a number that is never said',
      { 'a.count': '{n, plural, one {Uno de {name}} many {Muchos de {name}} other {Varios de {name}}}' },
      'es/a.json: a.count never says the number #',
    ],
    [
      'a choice that is lost',
      { 'a.kind': '{kind, select, other {Una lista}}' },
      'es/a.json: a.kind lost {kind select csv other}',
    ],
    ['a text left in English', { 'a.kind': english['a.kind'] }, 'es/a.json: a.kind is still English'],
    ['an empty text', { 'a.hello': '' }, 'es/a.json: a.hello is empty'],
  ])('%s', (_, changed, fault) => {
    expect(findFaults(changed).join('\n')).toContain(fault);
  });

  test('a file that is missing, with all its keys, and one too many', () => {
    const faults = findFaults({}, { 'en/b.json': { 'b.one': 'One' }, 'es/c.json': {} });
    expect(faults).toEqual(['es/b.json lacks: b.one', 'es/c.json is no catalogue of English']);
  });

  test('a French sign that a line may break before', () => {
    const place = mkdtempSync(join(tmpdir(), 'catalogues-'));
    places.push(place);
    cpSync(join(root, FOLDERS[1]!), place, { recursive: true });
    writeFileSync(join(place, 'en/a.json'), '{"a.b":"Really?"}');
    writeFileSync(join(place, 'fr/a.json'), '{"a.b":"Vraiment ?"}');
    expect(checkCatalogues(place, ['en', 'fr'], sameWords)[0]).toContain(
      'fr/a.json: a.b may break before a sign',
    );
  });
});

function readEnglish(folder: string): string[] {
  return globSync('en/*.json', { cwd: folder }).flatMap((file) =>
    Object.values<string>(JSON.parse(readFileSync(join(folder, file), 'utf8'))),
  );
}
