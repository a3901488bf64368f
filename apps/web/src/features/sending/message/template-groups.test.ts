import { expect, test } from 'vitest';
import { groupTemplates, inLanguageOrder, shownOf } from './template-groups.ts';

const template = (id: string, name: string, language: string) => ({ id, name, language });
const english = template('1', 'Welcome', 'en');
const german = template('2', 'Welcome', 'de');
const other = template('3', 'Offer', 'de');
const double = template('4', 'Welcome', 'de');

test('the languages of one name stand together, a second one of a language apart', () => {
  expect(groupTemplates([english, other, german, double])).toEqual([[english, german], [other], [double]]);
});

test.each([
  ['the chosen one', '1', 'de', english],
  ['the one in the language of the reader', '3', 'de', german],
  ['the first', null, 'fr', english],
])('of a group is shown %s', (_, chosenId, language, shown) => {
  expect(shownOf([english, german], { chosenId, language })).toBe(shown);
});

test('the languages stand by their names, those of a country beside the others', () => {
  const group = ['de', 'pt', 'en_US', 'en_GB', 'en'].map((language) => ({ language }));
  expect(inLanguageOrder(group).map(({ language }) => language)).toEqual([
    'en_US',
    'en_GB',
    'en',
    'de',
    'pt',
  ]);
});
