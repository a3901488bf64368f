import { describe, expect, test } from 'vitest';
import { matchTrigger, type BotTrigger } from './bot-flow.ts';
import { chooseFlow, type ChosenFlow, type FlowToChoose } from './choose-flow.ts';

/** What it stands for: each trigger of each flow, in their order. */
function askEach(flows: readonly FlowToChoose[], text: string): ChosenFlow | null {
  for (const [place, { triggers }] of flows.entries())
    for (const trigger of triggers) {
      const keyword = matchTrigger(trigger, text);
      if (keyword !== null) return { place, keyword };
    }
  return null;
}

const keyword = (value: string): BotTrigger => ({ type: 'keyword', value });
const flows: FlowToChoose[] = [
  { id: 'a', triggers: [keyword('refund|Rückgabe'), { type: 'greeting', value: '' }] },
  { id: 'b', triggers: [{ type: 'greeting', value: 'ahoy' }, keyword('where is my order|order')] },
  { id: 'c', triggers: [keyword('営業時間|open'), keyword(`${'very'.repeat(20)}|ort`)] },
  { id: 'd', triggers: [keyword('opening hours|orders'), keyword('12345|Straße')] },
];

describe('the flow of a message is the first one whose trigger it has', () => {
  test.each([
    ['I want a refund', 0, 'refund'],
    ['refnud please', 0, 'refund'],
    ['rukgabe', 0, 'Rückgabe'],
    ['hello, my order', 0, 'hello'],
    ['ahoy', 1, 'ahoy'],
    ['where is my ordr', 1, 'where is my order'],
    ['wherre is my order', 1, 'where is my order'],
    ['ordre', 1, 'order'],
    ['営業時間は？', 2, '営業時間'],
    ['ort', 2, 'ort'],
    ['orts', 2, null],
    ['openin hours', 3, 'opening hours'],
    ['12345', 3, '12345'],
    ['12346', null, null],
    ['strasse', 3, 'Straße'],
    [`${'very'.repeat(20)}y`, 2, `${'very'.repeat(20)}`],
    ['', null, null],
  ] as const)('%s', (text, place, word) => {
    const each = askEach(flows, text);
    expect(chooseFlow(flows, text)).toEqual(each);
    if (word !== null) expect(each).toEqual({ place, keyword: word });
  });
});

test('it is the same as asking each of them, for random words with random typos', () => {
  let seed = 24;
  const random = () => (seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31) / 2 ** 31;
  const draw = <One>(from: readonly One[]) => from[Math.floor(random() * from.length)]!; // not empty
  // Few letters, so that many words are close to each other.
  const word = () => Array.from({ length: 2 + Math.floor(random() * 6) }, () => draw([...'abcé'])).join('');
  const words = Array.from({ length: 60 }, word);
  const made = Array.from({ length: 40 }, (_, n): FlowToChoose => ({
    id: String(n),
    stamp: '1',
    triggers: [keyword([draw(words), `${draw(words)} ${draw(words)}`, draw(words)].join('|'))],
  }));
  const mistype = (text: string) => {
    const place = Math.floor(random() * text.length);
    return draw([
      text,
      text.slice(0, place) + text.slice(place + 1),
      `${text.slice(0, place)}b${text.slice(place)}`,
      `${text.slice(0, place)}c${text.slice(place + 1)}`,
      text.slice(0, place) +
        text
          .slice(place, place + 2)
          .split('')
          .toReversed()
          .join('') +
        text.slice(place + 2),
    ]);
  };
  let found = 0;
  for (let n = 0; n < 2_000; n += 1) {
    const part = made.slice(n % 30);
    const text = Array.from({ length: 1 + (n % 3) }, () => mistype(draw(words))).join(' ');
    const chosen = chooseFlow(part, text);
    expect([text, chosen]).toEqual([text, askEach(part, text)]);
    if (chosen) found += 1;
  }
  expect(found).toBeGreaterThan(200);
});

test('a new version of a flow is asked by its new words', () => {
  const flow = (stamp: string, value: string): FlowToChoose[] => [
    { id: 'x', stamp, triggers: [keyword(value)] },
  ];
  expect(chooseFlow(flow('1', 'blue'), 'blue')).toEqual({ place: 0, keyword: 'blue' });
  expect(chooseFlow(flow('2', 'green'), 'blue')).toBeNull();
});
