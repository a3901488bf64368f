import type { IncomingMessage } from 'node:http';
import { expect, test } from 'vitest';
import { readCallerAddress } from '../src/read-caller.ts';

const arriving = (from: string | undefined, header?: string) =>
  ({
    socket: { remoteAddress: from },
    headers: { ...(header !== undefined && { 'x-forwarded-for': header }) },
  }) as unknown as IncomingMessage; // the two parts that are read

test.each([
  ['nobody is trusted', 0, '198.51.100.7', '203.0.113.5'],
  ['one proxy, nothing told', 1, undefined, '203.0.113.5'],
  ['one proxy', 1, '198.51.100.7', '198.51.100.7'],
  ['one proxy, the caller wrote a header too', 1, '10.0.0.1, 198.51.100.7', '198.51.100.7'],
  ['two proxies', 2, '10.0.0.1, 198.51.100.7, 192.0.2.9', '198.51.100.7'],
  ['two proxies, one of them silent', 2, '198.51.100.7', '198.51.100.7'],
  ['an address with its port', 1, '198.51.100.7:4711', '198.51.100.7'],
  ['an IPv6 address', 1, '2001:db8::1', '2001:db8::1'],
  ['an IPv6 address with its port', 1, '[2001:db8::1]:4711', '2001:db8::1'],
  ['a mapped address', 1, '::ffff:198.51.100.7', '198.51.100.7'],
  ['no address at all', 1, 'unknown', '203.0.113.5'],
  ['no address behind the outer proxy', 2, '<script>, 192.0.2.9', '192.0.2.9'],
  ['an empty header', 1, '', '203.0.113.5'],
])('%s', (_case, proxies, header, address) => {
  expect(readCallerAddress(arriving('::ffff:203.0.113.5', header), proxies)).toBe(address);
});

test('a connection that is gone has no address', () => {
  expect(readCallerAddress(arriving(undefined), 0)).toBeNull();
});
