import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { operationKindNames } from '../../packages/domain/src/operations/operation-kinds.ts';
import { defaultMessagingSettings } from '../../packages/domain/src/settings/messaging-settings.ts';
import { interfaceLanguages } from '../../packages/domain/src/text/interface-language.ts';
import { checkCatalogues } from '../catalogues/check-catalogues.ts';
import { sameWords } from '../catalogues/same-words.ts';
import { findUnusedTexts } from '../catalogues/unused-texts.ts';
import { root } from '../child-process.ts';

/** What the web says, and what mails do. */
const FILES = ['apps/web/src/messages/**/*.json', 'packages/api/src/platform/words/*.json']
  .flatMap((pattern) => globSync(pattern, { cwd: root }))
  .map((file) => join(root, file));

const HOW_TO_MEND =
  'A text that people read stands in all five languages: add or correct these where they are named (docs/guides/languages.md).';

test('everything is said in every language', () => {
  const faults = checkCatalogues(FILES, interfaceLanguages, sameWords);
  expect(faults, `${HOW_TO_MEND}\n${faults.join('\n')}`).toEqual([]);
  expect(FILES.map((file) => basename(file))).toEqual(
    expect.arrayContaining(['contacts.json', 'mails.json']),
  );
});

describe('a text that no code shows', () => {
  test('is not there', () => {
    const keys = FILES.flatMap((file) => Object.keys(JSON.parse(readFileSync(file, 'utf8'))));
    const sources = globSync('{apps,packages}/*/src/**/*.{ts,tsx}', { cwd: root })
      .filter((file) => !/[.]test[.]tsx?$/.test(file))
      .map((file) => readFileSync(join(root, file), 'utf8'));
    expect(findUnusedTexts(keys, sources)).toEqual([]);
  });

  test('is found, whole or by its beginning', () => {
    const source = "t('a.title'); t(`a.state.${state}`)";
    const keys = ['a.title', 'a.state.on', 'a.titles', 'a.states'];
    expect(findUnusedTexts(keys, [source])).toEqual(['a.titles', 'a.states']);
  });
});

test('no word is listed as the same in two languages that no text needs', () => {
  const texts = FILES.flatMap((file) =>
    Object.values<{ en: string }>(JSON.parse(readFileSync(file, 'utf8'))).map(({ en }) => en),
  );
  expect(Object.keys(sameWords).filter((word) => !texts.includes(word))).toEqual([]);
});

test('what takes long and is told of, and what a file of data sets, is called by a word of its own', () => {
  const texts = Object.assign({}, ...FILES.map((file) => JSON.parse(readFileSync(file, 'utf8')))) as Record<
    string,
    Record<string, string>
  >;
  // The text says "export" of whatever it does not name.
  const operations = operationKindNames.filter((kind) => !kind.endsWith('-export'));
  const unnamed = ['notifications.kind', 'mail.news'].flatMap((place) =>
    ['long_act_done', 'long_act_failed'].flatMap((event) =>
      Object.entries(texts[`${place}.${event}`] ?? { none: '' }).flatMap(([language, text]) =>
        operations
          .filter((kind) => !text.includes(` ${kind.replaceAll('-', '_')} {`))
          .map((kind) => `${place}.${event} ${language}: ${kind}`),
      ),
    ),
  );
  expect(unnamed).toEqual([]);
  const settings = Object.keys(defaultMessagingSettings).map((name) => `dataManagement.setting.${name}`);
  expect(settings.filter((key) => !Object.hasOwn(texts, key))).toEqual([]);
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
  let place: string;
  beforeEach(() => (place = mkdtempSync(join(tmpdir(), 'catalogues-'))));
  afterEach(() => rmSync(place, { recursive: true }));

  function check(texts: Record<string, Record<string, string | undefined>>, languages: string[]): string[] {
    const path = join(place, 'a.json');
    writeFileSync(path, JSON.stringify(texts));
    return checkCatalogues([path], languages, {});
  }

  function findFaults(changed: Record<string, string | undefined>): string[] {
    const spoken = { ...spanish, ...changed };
    const texts = Object.entries(english).map(([key, en]) => [
      key,
      { en, es: spoken[key as keyof typeof english] },
    ]);
    return check(Object.fromEntries(texts), ['en', 'es']);
  }

  test('none in what is right', () => expect(findFaults({})).toEqual([]));

  test.each([
    ['a language that is missing', { 'a.hello': undefined }, 'a.json: a.hello lacks: es'],
    ['a lost value', { 'a.hello': 'Hola' }, 'a.json: a.hello (es) lost {name text}'],
    ['another value', { 'a.hello': 'Hola {nombre}' }, 'a.json: a.hello (es) lost {name text}'],
    ['a number that became a text', { 'a.size': 'Hasta {n} MB' }, 'a.json: a.size (es) lost {n number}'],
    [
      'a brace that nobody closes',
      { 'a.hello': 'Hola {name' },
      'a.json: a.hello (es) is not a valid message',
    ],
    [
      'a plural form that Spanish needs',
      { 'a.count': '{n, plural, one {# de {name}} other {# de {name}}}' },
      'a.json: a.count (es) needs the plural form many of {n}',
    ],
    [
      'a plural form that Spanish has not',
      { 'a.count': '{n, plural, one {# {name}} few {# {name}} many {# {name}} other {# {name}}}' },
      'a.json: a.count (es) has the plural form few, unknown to es',
    ],
    [
      'a value lost in one form',
      { 'a.count': '{n, plural, one {# contacto} many {# de {name}} other {# de {name}}}' },
      'a.json: a.count (es) leaves {name} out of one of its forms',
    ],
    [
      'a number that is never said',
      { 'a.count': '{n, plural, one {Uno de {name}} many {Muchos de {name}} other {Varios de {name}}}' },
      'a.json: a.count (es) never says the number #',
    ],
    [
      'a choice that is lost',
      { 'a.kind': '{kind, select, other {Una lista}}' },
      'a.json: a.kind (es) lost {kind select csv other}',
    ],
    ['a text left in English', { 'a.kind': english['a.kind'] }, 'a.json: a.kind (es) is still English'],
    ['an empty text', { 'a.hello': '' }, 'a.json: a.hello (es) is empty'],
  ])('%s', (_, changed, fault) => {
    expect(findFaults(changed).join('\n')).toContain(fault);
  });

  test('a language that nobody speaks here', () => {
    expect(check({ 'a.b': { en: 'One', es: 'Uno', xx: 'Eins' } }, ['en', 'es'])).toEqual([
      'a.json: a.b is in a language that there is not: xx',
    ]);
  });

  test('a French sign that a line may break before', () => {
    expect(check({ 'a.b': { en: 'Really?', fr: 'Vraiment ?' } }, ['en', 'fr'])[0]).toContain(
      'a.json: a.b (fr) may break before a sign',
    );
  });
});
