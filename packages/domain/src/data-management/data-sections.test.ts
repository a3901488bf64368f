import { expect, test } from 'vitest';
import { splitDataSections } from './data-sections.ts';

function split(text: string, step = text.length) {
  const sections = splitDataSections(['templates', 'campaigns'], ['contacts']);
  const pieces = [];
  for (let at = 0; at < text.length; at += step) pieces.push(...sections.push(text.slice(at, at + step)));
  sections.end();
  return pieces;
}

const WHOLE = `{"version":"1.0", "settings" : {"a":[1,{"b":"}]\\",:"}]},
  "contacts":[{"name":"A"} , {"name":"B,]"}], "templates": [ ] ,"campaigns":[{"n":1},2 , "x"],"n":null}`;

test.each([1, 7, 1_000])('an object comes apart the same in pieces of %i', (step) => {
  expect(split(WHOLE, step)).toEqual([
    { section: 'version', value: '1.0' },
    { section: 'settings', value: { a: [1, { b: '}]",:' }] } },
    { section: 'campaigns', row: 1, value: { n: 1 } },
    { section: 'campaigns', row: 2, value: 2 },
    { section: 'campaigns', row: 3, value: 'x' },
    { section: 'n', value: null },
  ]);
});

test.each([
  ['', 'not-an-array'],
  ['[]', 'not-an-array'],
  ['name,phone', 'not-an-array'],
  ['{"a":1', 'unfinished'],
  ['{"a":[{"b":"', 'unfinished'],
  ['{"contacts":[{}', 'unfinished'],
  ['{"a":1}x', 'malformed'],
  ['{"a":1,}', 'malformed'],
  ['{"a" 1}', 'malformed'],
  ['{"a":}', 'malformed'],
  ['{"a":1]}', 'malformed'],
  ['{"templates":[1,]}', 'malformed'],
  ['{"templates":[,1]}', 'malformed'],
  ['{"templates":[{"a":}]}', 'malformed'],
  ['{"templates":[]{}', 'malformed'],
  ['{"a":1,"a":2}', 'malformed'],
  [`{${Array.from({ length: 1_001 }, (_, n) => `"${n}":0`).join()}}`, 'malformed'],
  [`{"a":${'['.repeat(70)}`, 'too-deep'],
  [`{"a":"${'x'.repeat(1_000_001)}"}`, 'too-long'],
])('%.20s is refused as %s', (text, problem) => {
  expect(() => split(text)).toThrow(expect.objectContaining({ problem }));
});

test('nothing but braces is an object without sections', () => {
  expect(split(' {} ')).toEqual([]);
});
