import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { readCredentials } from '@app/domain/channels/channel-credentials';
import { indexConnectorKinds } from '@app/domain/integrations/connector-kind';
import { createOutgoingCalls, type CallLog } from '@app/providers/calls/outgoing-calls';
import { openConnector, openWith } from '../../src/platform/connectors/open-connector.ts';
import { sealFields } from '../../src/platform/stored-credentials.ts';
import { createTestSecretBox } from '../api-fixture.ts';
import { echoConnector } from './echo-connector.ts';

let server: Server;
let url: string;
let busyTimes = 0;
beforeAll(async () => {
  server = createServer((request, response) => {
    const account = /^Bearer key-of-(\w+)$/.exec(request.headers.authorization ?? '')?.[1];
    if (busyTimes > 0) {
      busyTimes -= 1;
      response.writeHead(429, { 'retry-after': '0' }).end();
    } else if (!account) response.writeHead(401).end('{"error":"unknown key"}');
    else if (account === 'page') response.end('<html>');
    else response.end(JSON.stringify({ account }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
const lines: Parameters<CallLog>[0][] = [];
const calls = createOutgoingCalls({ namedHosts: ['127.0.0.1'], log: (line) => lines.push(line) });
beforeEach(() => void lines.splice(0));
afterAll(async () => {
  await calls.close();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

const kinds = indexConnectorKinds([echoConnector]);
const kind = kinds.of({ kind: 'echo' });

test('a connector is connected, stored with its secret sealed, and asked how it is', async () => {
  const secrets = await createTestSecretBox();
  const written = readCredentials(kind.credentials, { server: url, apiKey: ' key-of-acme ', more: 'x' });
  expect(written.problems).toEqual([]);
  const stored = await sealFields(kind.credentials, written.credentials, secrets);
  expect(stored).toMatchObject({ version: 1, values: { server: url } });
  expect(JSON.stringify(stored)).not.toContain('key-of-acme');

  const opened = await openConnector({ calls, secrets }, kind, { workspaceId: 'w1', credentials: stored });
  expect(await opened.check()).toEqual({ state: 'healthy', account: 'acme' });
  expect(lines).toMatchObject([{ service: 'echo:w1', outcome: 'ok' }]);
  expect(JSON.stringify(lines)).not.toContain('key-of-acme');
});

test('what is missing or no address is said by field before anything is called', () => {
  expect(readCredentials(kind.credentials, { server: 'somewhere' }).problems).toEqual([
    { field: 'server', problem: 'not_url' },
    { field: 'apiKey', problem: 'missing' },
  ]);
});

test.each([
  ['wrong', 'credentials_wrong'],
  ['key-of-page', 'response_unreadable'],
])('the credentials %s have the problem %s', async (apiKey, problem) => {
  const connector = openWith({ calls }, kind, 'w2', { server: url, apiKey });
  expect(await connector.check()).toMatchObject({ state: 'unhealthy', problem });
});

test('a service that is busy for a moment is asked again; one of a private network is not asked', async () => {
  busyTimes = 1;
  const connector = openWith({ calls }, kind, 'w3', { server: url, apiKey: 'key-of-acme' });
  expect(await connector.check()).toEqual({ state: 'healthy', account: 'acme' });
  expect(lines).toMatchObject([{ attempts: 2 }]);
  const inside = openWith({ calls }, kind, 'w3', { server: 'http://10.0.0.1', apiKey: 'key-of-acme' });
  expect(await inside.check()).toMatchObject({ problem: 'address_refused' });
});
