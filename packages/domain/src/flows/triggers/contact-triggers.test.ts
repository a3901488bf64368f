import { expect, test } from 'vitest';
import { messageReceived } from './contact-triggers.ts';

test.each([
  ['contains', 'price', 'What is the PRICE?', true],
  ['contains', 'art', 'When do you start?', false],
  ['contains', 'start', 'art or Start', true],
  ['contains', 'información', 'Quiero informacion por favor', true],
  ['contains', 'Größe', 'welche GROSSE GRÖSSE habt ihr', true],
  ['is', '1', '١', true],
  ['is', '1', '11', false],
  ['contains', '价格', '请问价格是多少', true],
  ['starts_with', '价格', '请问价格是多少', false],
  ['contains', 'ราคา', 'ขอทราบราคาหน่อย', true],
  ['contains', 'क', 'का', false],
  ['contains', '❤', 'We ❤️ it', true],
  ['starts_with', 'order', 'order 15', true],
  ['starts_with', 'order', 'my order', false],
  ['contains', 'c++', 'I write C++.', true],
])('a message that %s %j: %j is %s', (match, words, text, isMet) => {
  expect(messageReceived.matches({ match, words: [words] }, { text })).toBe(isMet);
});
