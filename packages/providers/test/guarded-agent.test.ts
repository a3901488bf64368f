import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fetch } from 'undici';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createGuardedAgent, isPublicAddress } from '../src/guarded-agent.ts';

let server: Server;
let port: number;
let calls = 0;
beforeAll(async () => {
  server = createServer((_, response) => {
    calls += 1;
    response.end('here');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  port = (server.address() as AddressInfo).port;
});
afterAll(() => new Promise((resolve) => server.close(resolve)));

test.each([
  ['93.184.215.14', true],
  ['2606:2800:21f:cb07:6820:80da:af6b:8b2c', true],
  ...['127.0.0.1', '10.1.2.3', '172.31.0.1', '192.168.1.1', '169.254.169.254', '100.64.0.1', '0.0.0.0'].map(
    (address) => [address, false] as const,
  ),
  ...['::1', '::', 'fe80::1', 'fd00::1', '::ffff:127.0.0.1', '::ffff:8.8.8.8', '64:ff9b::7f00:1'].map(
    (address) => [address, false] as const,
  ),
  ...['2002:7f00:1::', '2001:0:7f00:1::', '2001:db8::1', 'ff02::1', 'no address'].map(
    (address) => [address, false] as const,
  ),
] as const)('%s belongs to the open network: %s', (address, isPublic) => {
  expect(isPublicAddress(address)).toBe(isPublic);
});

describe('an agent', () => {
  test.each(['127.0.0.1', '[::ffff:127.0.0.1]', 'localhost', '2130706433', '0x7f.1', '127.1', '[::1]', '0'])(
    'opens no connection to %s',
    async (host) => {
      const agent = createGuardedAgent();
      const failure = await fetch(`http://${host}:${port}/`, { dispatcher: agent }).catch(
        (error: unknown) => error,
      );
      expect(failure).toMatchObject({ cause: { code: 'ERR_ADDRESS_REFUSED' } });
      expect(calls).toBe(0);
      await agent.close();
    },
  );

  test('goes where the operator has named the host, and to no other host of that network', async () => {
    const agent = createGuardedAgent({ namedHosts: ['127.0.0.1'] });
    const answer = await fetch(`http://127.0.0.1:${port}/`, { dispatcher: agent });
    expect(await answer.text()).toBe('here');
    await expect(fetch(`http://localhost:${port}/`, { dispatcher: agent })).rejects.toThrow('fetch failed');
    expect(calls).toBe(1);
    await agent.close();
  });
});
