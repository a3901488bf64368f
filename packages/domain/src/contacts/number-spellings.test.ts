import { describe, expect, test } from 'vitest';
import { identityOfNumber, spellingsOf } from './number-spellings.ts';

/** As it is compared, and as it is written or told as well. */
export const pairs: readonly (readonly [string, string])[] = [
  ['+5511987650901', '+551187650901'],
  ['+5531999990001', '+553199990001'],
  ['+5585961234567', '+558561234567'],
  ['+525512345678', '+5215512345678'],
  ['+523312345678', '+5213312345678'],
  ['+541123456789', '+5491123456789'],
  ['+543511234567', '+5493511234567'],
  ['+2250102030405', '+22502030405'],
  ['+2250544123456', '+22544123456'],
  ['+2250707123456', '+22507123456'],
  ['+2250758123456', '+22558123456'],
  ['+2252722123456', '+22522123456'],
  ['+2252520012345', '+22520012345'],
  ['+2252120812345', '+22520812345'],
  ['+2290197000001', '+22997000001'],
  ['+2290121000001', '+22921000001'],
];

describe('two spellings of one number', () => {
  test.each(pairs)('%s is %s', (key, other) => {
    expect(identityOfNumber(other)).toBe(key);
    expect(identityOfNumber(key)).toBe(key);
    expect(spellingsOf(other)).toEqual([other, key]);
    expect(spellingsOf(key)).toEqual([key, other]);
  });
});

describe('numbers with one spelling', () => {
  test.each([
    // Landlines of Brazil have eight digits.
    '+551133334444',
    '+5511933334444',
    '+491512345678',
    '+4915130000001',
    '+447700900123',
    '+14155552671',
    '+12025550123',
    // No operator has these two digits before such a number.
    '+2250507123456',
    '+2290297000001',
    'BR.1234567890',
    '+551',
  ])('%s', (number) => {
    expect(identityOfNumber(number)).toBe(number);
    expect(spellingsOf(number)).toEqual([number]);
  });
});
