import { describe, expect, test } from 'vitest';
import { chooseLanguage, readLanguages } from './interface-language.ts';

describe('the language of a request', () => {
  test.each([
    [null, null, 'en'],
    [null, 'de-CH,de;q=0.9,en;q=0.8', 'de'],
    [null, 'it-IT, pt-BR;q=0.5, fr;q=0.7', 'fr'],
    [null, 'DE', 'de'],
    [null, 'fr;q=0, es;q=0.1', 'es'],
    [null, '*', 'en'],
    [null, ';;;,,q=,de;q=x', 'en'],
    ['language=fr', 'de', 'fr'],
    ['a=1; language=es; b=2', 'de', 'es'],
    ['language=xx', 'de', 'de'],
    ['other_language=fr', 'de', 'de'],
    ['language=fr-FR', 'de', 'de'],
  ])('cookie %s and Accept-Language %s: %s', (cookie, acceptLanguage, language) => {
    expect(chooseLanguage(readLanguages({ cookie, acceptLanguage }))).toBe(language);
  });
});
