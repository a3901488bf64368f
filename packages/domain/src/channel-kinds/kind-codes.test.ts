import { expect, test } from 'vitest';
import { codeOf, isBadValue, lastingCodes, readCode } from './kind-codes.ts';
import { kindList } from './kind-list.ts';
import { findKindText, kindTexts } from './kind-texts.ts';

test.each([
  ['131026', { kind: 'whatsapp', code: '131026' }],
  ['231', { kind: 'whatsapp', code: '200' }],
  ['whatsapp.131026', { kind: 'whatsapp', code: '131026' }],
  // A code of a kind that is not here, such as one of a newer version.
  ['smoke.42', { kind: 'whatsapp', code: 'smoke.42' }],
  ['', { kind: 'whatsapp', code: '' }],
])('the stored code %j belongs to %o', (stored, read) => {
  expect(readCode(stored)).toEqual(read);
});

test('a stored code is read as the code that was stored', () => {
  for (const { name } of kindList)
    for (const code of Object.keys(kindTexts[name] ?? {}))
      expect(readCode(codeOf({ kind: name, code }))).toEqual({ kind: name, code });
});

test('no code has the text of another kind', () => {
  expect(findKindText('smoke.131026')).toBeUndefined();
  expect(findKindText('constructor')).toBeUndefined();
  expect(findKindText('131026')?.code).toBe('131026');
});

test('each kind has texts, says them in sentences, and one kind alone has codes without its name', () => {
  expect(Object.keys(kindTexts)).toEqual(kindList.map(({ name }) => name));
  expect(kindList.filter(({ errors }) => errors.hasBareCodes)).toHaveLength(1);
  for (const texts of Object.values(kindTexts))
    for (const text of Object.values(texts)) expect(text).toMatch(/^[A-Z].*\.$/);
  expect(lastingCodes.filter((code) => findKindText(code) === undefined)).toEqual([]);
  expect([isBadValue('100'), isBadValue('131026')]).toEqual([true, false]);
});
