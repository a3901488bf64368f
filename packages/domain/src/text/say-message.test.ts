import { describe, expect, test } from 'vitest';
import { sayMessage, type Message } from './say-message.ts';

// As the compiler leaves `{n, plural, =0 {Nobody} one {# person in {place}} other {# people in {place}}}`.
const people: Message = [
  [
    'n',
    'plural',
    {
      offset: 0,
      0: ['Nobody'],
      one: ['#', ' person in ', ['place']],
      other: ['#', ' people in ', ['place']],
    },
  ],
];
const kinds: Message = [['kind', 'select', { csv: ['A table of ', ['n', 'number']], other: ['A list'] }]];

describe('a message', () => {
  test.each([
    [0, 'Nobody'],
    [1, '1 person in Rome'],
    [1200, '1,200 people in Rome'],
  ])('bends with %d', (n, text) => {
    expect(sayMessage(people, { n, place: 'Rome' }, 'en')).toBe(text);
  });

  test('has the forms and numbers of its language', () => {
    const many: Message = [['n', 'plural', { one: ['#'], many: ['# de'], other: ['#', ' x'] }]];
    expect(sayMessage([['n', 'plural', { many: ['#', ' de'], other: ['#'] }]], { n: 1e6 }, 'es')).toBe(
      '1.000.000 de',
    );
    expect(sayMessage(many, { n: 0 }, 'fr')).toBe('0');
    expect(sayMessage(many, { n: 0 }, 'es')).toBe('0 x');
  });

  test('chooses by a word, and never by what every object has', () => {
    expect(sayMessage(kinds, { kind: 'csv', n: 1500 }, 'de')).toBe('A table of 1.500');
    expect(sayMessage(kinds, { kind: 'constructor' }, 'en')).toBe('A list');
    expect(sayMessage(kinds, { kind: 'offset' }, 'en')).toBe('A list');
    const lamp: Message = [['isOn', 'select', { true: ['On'], other: ['Off'] }]];
    expect([true, false].map((isOn) => sayMessage(lamp, { isOn }, 'en'))).toEqual(['On', 'Off']);
  });

  test('says values as they are: signs of messages and of other systems mean nothing in them', () => {
    const hello: Message = ['Hello ', ['name'], ', # and ', ['toString'], '.'];
    expect(sayMessage(hello, { name: '{x} # \\u0041 <b>' }, 'en')).toBe('Hello {x} # \\u0041 <b>, # and .');
  });
});
