import { expect, test } from 'vitest';
import { readJson } from './read-json.ts';

test.each([
  ['{"id":120210000000000123}', { id: '120210000000000123' }],
  ['[-9007199254740993, 9007199254740991]', ['-9007199254740993', 9007199254740991]],
  ['{"rate":0.30000000000000004,"large":1e30}', { rate: 0.30000000000000004, large: 1e30 }],
  ['\ufeff{"id":1}', { id: 1 }],
])('%s keeps its long numbers', (text, value) => expect(readJson(text)).toEqual(value));

test('what is no JSON is an error', () => expect(() => readJson('{')).toThrow(SyntaxError));
