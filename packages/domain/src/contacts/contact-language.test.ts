import { describe, expect, it } from 'vitest';
import { contactLanguages, readLanguage } from './contact-language.ts';

describe('the language of a contact', () => {
  it.each([
    ...[
      ['de', 'de'],
      ['DE', 'de'],
      ['de-DE', 'de_DE'],
      ['de_AT', 'de_AT'],
      ['de-at', 'de_AT'],
    ],
    ...[
      ['deu', 'de'],
      ['ger', 'de'],
      ['fre', 'fr'],
      ['ENG', 'en'],
      ['en-us', 'en_US'],
      ['pt_BR', 'pt_BR'],
    ],
    ...[
      ['de_DE.UTF-8', 'de_DE'],
      ['de-DE,de;q=0.9,en', 'de_DE'],
      ['es-419', 'es'],
      ['no', 'nb'],
      ['iw', 'he'],
    ],
    ...[
      ['zh-Hant', 'zh_TW'],
      ['zh-Hans-CN', 'zh_CN'],
      ['fil', 'fil'],
      ['tl', 'fil'],
    ],
    ...[
      ['German', 'de'],
      ['Deutsch', 'de'],
      [' allemand ', 'de'],
      ['alemán', 'de'],
      ['ALEMAO', 'de'],
    ],
    ...[
      ['English', 'en'],
      ['Inglés', 'en'],
      ['anglais', 'en'],
      ['Englisch', 'en'],
      ['inglês', 'en'],
    ],
    ...[
      ['Portuguese (Brazil)', 'pt_BR'],
      ['Brazilian Portuguese', 'pt_BR'],
      ['português', 'pt'],
    ],
    ...[
      ['German (Germany)', 'de'],
      ['français', 'fr'],
      ['Castellano', 'es'],
      ['Norwegian', 'nb'],
    ],
    ...[
      ['polski', 'pl'],
      ['русский', 'ru'],
      ['日本語', 'ja'],
      ['British English', 'en_GB'],
    ],
  ] as const)('%s is %s', (written, code) => {
    expect(readLanguage(written)).toBe(code);
  });

  it.each(['', ' ', '-', 'n/a', 'None', 'null'])('%j says that there is none', (written) => {
    expect(readLanguage(written)).toBeNull();
  });

  it.each(['xx', 'AT', 'Klingon', 'yes', '12', 'de-DEU', 'ann@example.com', 'x'.repeat(500), '__proto__'])(
    '%s is no language',
    (written) => {
      expect(readLanguage(written)).toBeUndefined();
    },
  );

  it('reads each code that is offered as itself', () => {
    expect(contactLanguages.map((code) => readLanguage(code))).toEqual([...contactLanguages]);
  });
});
