import { expect, test } from 'vitest';
import { findKeyword, isOneTypo, splitKeywords } from './match-keywords.ts';

test.each([
  ['order|tracking', ['order', 'tracking']],
  [' order | ORDER||  | where  is it ', ['order', 'where is it']],
  ['|', []],
  ['...|!', []],
  ['größe|grosse', ['größe']],
])('%j names the keywords %j', (value, keywords) => expect(splitKeywords(value)).toEqual(keywords));

test.each([
  ['Where is my ORDER?', 'order'],
  ['wheres my oder', 'order'],
  ['ordre please', 'order'],
  ['orderr', 'order'],
  ['disorderly', null],
  ['preorders', null],
  ['a hi', null],
  ['Ist die Bestelung da', 'bestellung'],
  ['¿Cuánto cuesta?', 'cuanto cuesta'],
  ['cuanto cuestta', 'cuanto cuesta'],
  ['cuanto no cuesta', null],
  ['order-nr 5', 'order'],
  ['ПРИВЕТ!', 'привет'],
  ['営業時間は何時ですか', '営業時間'],
  ['สวัสดีครับ', 'สวัสดี'],
  ['code 12346', null],
  ['code 12345', '12345'],
  ['', null],
])('%j has the keyword %j', (text, keyword) =>
  expect(
    findKeyword(text, ['order', 'bestellung', 'cuanto cuesta', 'привет', '営業時間', 'สวัสดี', '12345']),
  ).toBe(keyword),
);

test('typos at the first and the last letter are found, and a list that changed elsewhere is another list', () => {
  const keywords = ['invoice', 'delivery time'];
  expect(findKeyword('my onvoice', keywords)).toBe('invoice');
  expect(findKeyword('my invoicd', keywords)).toBe('invoice');
  expect(findKeyword('nivoice?', keywords)).toBe('invoice');
  expect(findKeyword('the eelivery time', keywords)).toBe('delivery time');
  expect(findKeyword('the delivery tjme', [...keywords].reverse())).toBeNull();
  expect(findKeyword('refund', keywords)).toBeNull();
  expect(findKeyword('refund', [...keywords, 'refund'])).toBe('refund');
});

test('a keyword is never a pattern, and a long message costs no more than its first words', () => {
  expect(findKeyword('aaaaaaaaaaaaaaaaaaaaaaaa!', ['(a+)+$', '.*'])).toBeNull();
  expect(findKeyword('a+', ['a+'])).toBe('a+');
  expect(findKeyword(`${'word '.repeat(100_000)}order`, ['order'])).toBeNull();
});

test.each([
  ['oder', 'order', true],
  ['ordder', 'order', true],
  ['odrer', 'order', true],
  ['ordar', 'order', true],
  ['orde', 'order', true],
  ['rdeor', 'order', false],
  ['hy', 'hi', false],
  ['hallo', 'hello', true],
  ['order', 'order', false],
])('%s is %s with one typo: %s', (written, word, is) => expect(isOneTypo(written, word)).toBe(is));
