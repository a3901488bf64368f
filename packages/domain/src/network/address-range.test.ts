import { expect, test } from 'vitest';
import { isInRange } from './address-range.ts';

const all = [
  ...['198.51.100.7', '198.51.100.255', '198.51.101.0', '::ffff:198.51.100.7', '::FFFF:C633:6407'],
  ...[
    '::',
    '::1',
    '2001:db8::',
    '2001:DB8:0:0:0:0:0:1',
    '2001:db8:8000::1',
    '2001:db9::',
    '1:2:3:4:5:6:7:8',
    '1::8',
  ],
  '2001:db8::198.51.100.7',
];
const mapped = ['::ffff:198.51.100.7', '::FFFF:C633:6407'];
const inDocumentation = ['2001:db8::', '2001:DB8:0:0:0:0:0:1', '2001:db8::198.51.100.7'];

test.each<[range: string, inside: string[]]>([
  ['198.51.100.7', ['198.51.100.7', ...mapped]],
  ['198.51.100.7/32', ['198.51.100.7', ...mapped]],
  ['198.51.100.0/24', ['198.51.100.7', '198.51.100.255', ...mapped]],
  ['198.51.100.128/25', ['198.51.100.255']],
  ['198.51.0.0/16', ['198.51.100.7', '198.51.100.255', '198.51.101.0', ...mapped]],
  ['0.0.0.0/0', ['198.51.100.7', '198.51.100.255', '198.51.101.0', ...mapped]],
  ['203.0.113.0/24', []],
  ['2001:db8::1', ['2001:DB8:0:0:0:0:0:1']],
  ['2001:db8::/32', [...inDocumentation, '2001:db8:8000::1']],
  ['2001:db8::/33', inDocumentation],
  ['2001:db8::c633:6407', ['2001:db8::198.51.100.7']],
  ['::1/128', ['::1']],
  ['::/127', ['::', '::1']],
  ['1:2:3:4::/64', ['1:2:3:4:5:6:7:8']],
  ['1:0:0:0:0:0:0:8', ['1::8']],
  // No IPv4 address is in a network of IPv6.
  ['::/0', all.filter((address) => address.includes(':') && !mapped.includes(address))],
])('in %s are %j', (range, inside) => {
  expect(all.filter((address) => isInRange(address, range)).toSorted()).toEqual(inside.toSorted());
});

test.each([
  ...[
    '',
    'unknown',
    '1.2.3',
    '1.2.3.4.5',
    '256.1.1.1',
    '01.2.3.4',
    '1.2.3.4%eth0',
    ':',
    ':::',
    '1::2::3',
    '12345::',
    'g::1',
  ],
  ...['1:2:3:4:5:6:7', '1:2:3:4:5:6:7:8:9', '::1%eth0', '1.2.3.4:80', '::1.2.3', '1:2:3:4:5:6:7::8'],
])('%s is no address, and in no range', (text) => {
  for (const range of ['0.0.0.0/0', '::/0', '1.2.3.4', '::1']) expect(isInRange(text, range)).toBe(false);
  expect(isInRange('1.2.3.4', text)).toBe(false);
});

test.each(['0.0.0.0/33', '0.0.0.0/-1', '0.0.0.0/x', '0.0.0.0/', '::/129', '0.0.0.0/1/2/3'])(
  '%s is no range',
  (range) => {
    expect([isInRange('1.2.3.4', range), isInRange('::1', range)]).toEqual([false, false]);
  },
);

test('a range of IPv4 addresses that is written as IPv6 is the same range', () => {
  expect(isInRange('198.51.100.9', '::ffff:198.51.100.0/120')).toBe(true);
  expect(isInRange('198.51.101.9', '::ffff:198.51.100.0/120')).toBe(false);
  expect(isInRange('198.51.100.9', '::ffff:0:0/90')).toBe(false);
});
