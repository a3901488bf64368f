import { describe, expect, test } from 'vitest';
import type { FieldMapping } from './contact-connector.ts';
import { checkMapping, nextRunAt } from './integration-rules.ts';
import { mergeField, mergeOptOut, type FieldPair } from './merge-fields.ts';
import { joinName, splitName } from './split-name.ts';

const both = (ours: string, theirs = ours, more: Partial<FieldMapping> = {}): FieldMapping => ({
  ...{ ours, theirs, direction: 'both', wins: 'newest', ...more },
});

describe('a field of both sides', () => {
  const [A, B] = [
    { oursChanged: true, theirsChanged: false },
    { oursChanged: false, theirsChanged: true },
  ];
  const AB = { oursChanged: true, theirsChanged: true };
  const pair = (
    ours: string | null,
    theirs: string | null,
    base: FieldPair['base'],
    more: Partial<FieldMapping> = {},
  ): FieldPair => ({ ours, theirs, base, mapping: both('email', 'email', more) });

  test.each<[string, FieldPair, 'ours' | 'theirs', string]>([
    ['the same', pair('a', 'a', null), 'ours', 'same'],
    ['ours changed', pair('b', 'a', A), 'theirs', 'send_ours'],
    ['theirs changed', pair('a', 'b', B), 'ours', 'take_theirs'],
    ['both, ours newer', pair('b', 'c', AB), 'ours', 'send_ours'],
    ['both, theirs newer', pair('b', 'c', AB), 'theirs', 'take_theirs'],
    ['both, theirs always', pair('b', 'c', AB, { wins: 'theirs' }), 'ours', 'take_theirs'],
    ['both, ours always', pair('b', 'c', AB, { wins: 'ours' }), 'theirs', 'send_ours'],
    ['the first time an empty field is filled', pair(null, 'b', null), 'ours', 'take_theirs'],
    ['the first time theirs is filled', pair('a', null, null), 'theirs', 'send_ours'],
    ['emptied there', pair('a', null, B), 'ours', 'take_theirs'],
    ['inwards, theirs changed', pair('a', 'b', B, { direction: 'in' }), 'ours', 'take_theirs'],
    ['inwards, ours changed', pair('b', 'a', A, { direction: 'in' }), 'ours', 'leave'],
    ['inwards, both, ours newer', pair('b', 'c', AB, { direction: 'in' }), 'ours', 'leave'],
    ['inwards, both, theirs newer', pair('b', 'c', AB, { direction: 'in' }), 'theirs', 'take_theirs'],
    ['inwards, both, ours always', pair('b', 'c', AB, { direction: 'in', wins: 'ours' }), 'theirs', 'leave'],
    ['inwards, a mirror', pair('b', 'a', A, { direction: 'in', wins: 'theirs' }), 'ours', 'take_theirs'],
    [
      'inwards, a mirror, emptied',
      pair('b', null, B, { direction: 'in', wins: 'theirs' }),
      'ours',
      'take_theirs',
    ],
    [
      'inwards, nothing there the first time',
      pair('a', null, null, { direction: 'in', wins: 'theirs' }),
      'theirs',
      'leave',
    ],
    [
      'inwards, a link, ours always',
      pair('a', 'b', null, { direction: 'in', wins: 'ours' }),
      'theirs',
      'leave',
    ],
    ['outwards, ours changed', pair('b', 'a', A, { direction: 'out' }), 'theirs', 'send_ours'],
    ['outwards, theirs changed', pair('a', 'b', B, { direction: 'out' }), 'theirs', 'leave'],
    [
      'outwards, both, theirs always',
      pair('b', 'c', AB, { direction: 'out', wins: 'theirs' }),
      'ours',
      'leave',
    ],
    ['outwards, a mirror', pair('a', 'b', B, { direction: 'out', wins: 'ours' }), 'theirs', 'send_ours'],
    [
      'outwards, a mirror, nothing here',
      pair(null, 'b', B, { direction: 'out', wins: 'ours' }),
      'theirs',
      'leave',
    ],
  ])('%s', (_, given, newer, expected) => {
    expect(mergeField(given, newer)).toBe(expected);
  });

  test.each(['name', 'phone'])('a %s is never emptied', (field) => {
    const mapping = both(field);
    expect(mergeField({ mapping, ours: 'a', theirs: null, base: B }, 'theirs')).toBe('send_ours');
    expect(mergeField({ mapping, ours: null, theirs: 'a', base: A }, 'ours')).toBe('take_theirs');
    const inwards = { ...mapping, direction: 'in' as const };
    expect(mergeField({ mapping: inwards, ours: 'a', theirs: null, base: B }, 'theirs')).toBe('leave');
  });
});

test.each([
  [false, false, false, false, false],
  [false, true, false, true, false],
  [true, false, false, false, true],
  [true, true, true, false, false],
  // Opted in here after the mark was set there.
  [false, true, true, false, false],
])('an opt-out of either side holds on both (%#)', (ours, theirs, before, optOutHere, optOutThere) => {
  expect(mergeOptOut(ours, theirs, before)).toEqual({ optOutHere, optOutThere });
});

test.each([
  [[both('name'), both('phone')], null],
  [[both('name')], 'phone_needed'],
  [[both('phone')], 'name_needed'],
  [[both('name'), both('phone'), both('phone', 'mobile')], 'field_twice'],
  [[both('name'), both('phone'), both('email', 'phone')], 'field_twice'],
  [[both('name'), both('phone'), both('custom.gone', 'x')], 'field_unknown'],
  [[both('name'), both('phone'), both('custom.size', 'x')], null],
  // A yes to something else is no opt-out, and an opt-out is no other field.
  [[both('name'), both('phone'), both('opt_out', 'email_optout')], 'opt_out_fixed'],
  [[both('name'), both('phone'), both('custom.size', 'stop')], 'opt_out_fixed'],
])('a mapping is checked (%#)', (mapping, problem) => {
  const optOutField = mapping.some(({ theirs }) => theirs === 'stop') ? 'stop' : undefined;
  const checked = checkMapping(mapping, { customKeys: ['size'], optOutField });
  expect(checked?.problem ?? null).toBe(problem);
});

test('a service that takes no values is only read', () => {
  const inwards = [both('name', 'name', { direction: 'in' }), both('phone', 'phone', { direction: 'in' })];
  const options = { customKeys: [], optOutField: undefined, isReadOnly: true };
  expect(checkMapping(inwards, options)).toBeNull();
  expect(checkMapping([...inwards, both('email')], options)).toEqual({
    ...{ problem: 'direction_unavailable', field: 'email' },
  });
});

test('failures pause longer each time, and not longer than an hour', () => {
  const now = new Date('2026-01-01T00:00:00Z');
  const after = (failures: number) =>
    (nextRunAt('realtime', now, failures).getTime() - now.getTime()) / 60_000;
  expect([0, 1, 2, 3, 9, 30].map(after)).toEqual([5, 1, 2, 4, 60, 60]);
});

test.each(['Ana', 'Ana Diaz', 'Ana María Diaz'])(
  'a name in two parts is the same joined again: %s',
  (name) => {
    const { first, last } = splitName(name);
    expect(joinName(first, last)).toBe(name);
  },
);
