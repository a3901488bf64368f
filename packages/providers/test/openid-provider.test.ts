import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { noCompanyRules } from '@app/domain/company-sign-in/company-rules';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createOpenIdProvider } from '../src/openid-connect/openid-provider.ts';

let server: Server;
let origin: string;
let answers: Record<string, (to: string) => { status?: number; body?: unknown; location?: string }>;
let seen: string[];
beforeEach(async () => {
  seen = [];
  server = createServer((request, response) => {
    seen.push(`${request.method} ${request.url}`);
    const { status = 200, body, location } = answers[request.url ?? '']?.(origin) ?? { status: 404 };
    response.writeHead(status, { 'content-type': 'application/json', ...(location && { location }) });
    response.end(typeof body === 'string' ? body : JSON.stringify(body ?? {}));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(() => new Promise((resolve) => server.close(resolve)));

const METADATA = '/.well-known/openid-configuration';
const attempt = {
  redirectUri: 'http://localhost/back',
  state: 's',
  nonce: 'n',
  verifier: 'v'.repeat(43),
  isProof: false,
};
const open = (issuer = origin) =>
  createOpenIdProvider({
    ...{ name: 'Acme', issuer, clientId: 'client', clientSecret: 'secret', scopes: 'openid' },
    rules: noCompanyRules,
  });
const describeAs = (change: object = {}) => ({
  [METADATA]: (to: string) => ({
    body: {
      issuer: to,
      authorization_endpoint: `${to}/authorize`,
      token_endpoint: `${to}/token`,
      jwks_uri: `${to}/jwks`,
      ...change,
    },
  }),
});

test('sends people on with all that the answer is bound to', async () => {
  answers = describeAs();
  const asked = await open().askFor(attempt);
  const { searchParams, pathname } = new URL(asked.outcome === 'address' ? asked.address : 'http://none');
  expect(pathname).toBe('/authorize');
  expect(Object.fromEntries(searchParams)).toMatchObject({
    ...{ response_type: 'code', client_id: 'client', scope: 'openid', state: 's', nonce: 'n' },
    ...{ redirect_uri: 'http://localhost/back', code_challenge_method: 'S256' },
  });
  expect(searchParams.get('code_challenge')).not.toBe(attempt.verifier);
  expect([...searchParams.values()].join(' ')).not.toContain('secret');
});

test('asks for its metadata once, however many come at the same time', async () => {
  answers = describeAs();
  const provider = open();
  await Promise.all(Array.from({ length: 20 }, () => provider.askFor(attempt)));
  expect(seen).toEqual([`GET ${METADATA}`]);
});

describe('what cannot be used is said, and thrown at nobody', () => {
  test.each([
    ['another issuer', describeAs({ issuer: 'https://evil.example' })],
    ['no JSON', { [METADATA]: () => ({ body: '<html>' }) }],
    ['an error', { [METADATA]: () => ({ status: 500 }) }],
    ['a redirect', { [METADATA]: () => ({ status: 302, location: '/elsewhere' }) }],
    ['no authorization endpoint', describeAs({ authorization_endpoint: undefined })],
    ['an answer without an end', { [METADATA]: () => ({ body: `{"issuer":"${'x'.repeat(2_000_000)}"}` }) }],
  ])('%s', async (_, given) => {
    answers = given;
    expect(await open().askFor(attempt)).toMatchObject({ outcome: 'away' });
    expect(seen).toEqual([`GET ${METADATA}`]);
  });

  test('nobody at the address', async () => {
    await new Promise((resolve) => server.close(resolve));
    expect(await open().look()).toEqual({ outcome: 'away', why: 'connect_refused' });
  });

  test('a token endpoint inside of the network, under another name than that of the issuer', async () => {
    answers = describeAs({ token_endpoint: origin.replace('127.0.0.1', 'localhost') + '/token' });
    const answer = await open().readAnswer('code=c&state=s', attempt);
    expect(answer).toEqual({ outcome: 'away', why: 'address_refused' });
  });
});

test.each([
  ['code=c&state=other', 'refused'],
  ['code=c', 'refused'],
  ['code=c&code=d&state=s', 'refused'],
  ['error=access_denied&state=s', 'refused'],
  ['error=server%0Aerror&state=s', 'refused'],
])('an answer with %s is %s, and no code is shown to anybody', async (query, outcome) => {
  answers = describeAs();
  const answer = await open().readAnswer(query, attempt);
  expect(answer).toMatchObject({ outcome });
  expect('why' in answer && answer.why).not.toContain('\n');
  expect(seen).toEqual([`GET ${METADATA}`]);
});
