import { createHash, createPublicKey, verify } from 'node:crypto';
import { afterAll, beforeEach, beforeAll, expect, test } from 'vitest';
import { CLIENT_ID, CLIENT_SECRET } from '../src/openid/openid-provider.ts';
import { startSandbox, type StartedSandbox } from './started-sandbox.ts';

let started: StartedSandbox;
beforeAll(async () => {
  started = await startSandbox();
});
beforeEach(() => started.control('POST', 'reset'));
afterAll(() => started.close());

const VERIFIER = 'a'.repeat(43);
const REDIRECT = 'http://localhost:3000/back';
const asked = {
  client_id: CLIENT_ID,
  response_type: 'code',
  scope: 'openid email',
  redirect_uri: REDIRECT,
  state: 'the state',
  nonce: 'the nonce',
  code_challenge: createHash('sha256').update(VERIFIER).digest('base64url'),
  code_challenge_method: 'S256',
};

const authorize = (change: Record<string, string> = {}) =>
  fetch(`${started.url}/oidc/authorize?${new URLSearchParams({ ...asked, ...change }).toString()}`, {
    redirect: 'manual',
  });

async function getCode(): Promise<string> {
  await started.control('POST', 'openid/behaviour', { person: 'ada' });
  const answer = await authorize();
  return new URL(answer.headers.get('location') ?? '').searchParams.get('code') ?? '';
}

const exchange = (code: string, change: Record<string, string> = {}, secret = CLIENT_SECRET) =>
  fetch(`${started.url}/oidc/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${Buffer.from(`${CLIENT_ID}:${secret}`).toString('base64')}` },
    body: new URLSearchParams({
      ...{
        grant_type: 'authorization_code',
        code,
        redirect_uri: REDIRECT,
        code_verifier: VERIFIER,
        ...change,
      },
    }),
  });

test('describes itself, and its key proves what it signs', async () => {
  const described = await (await fetch(`${started.url}/oidc/.well-known/openid-configuration`)).json();
  expect(described).toMatchObject({
    issuer: `${started.url}/oidc`,
    code_challenge_methods_supported: ['S256'],
  });
  const answer = await exchange(await getCode());
  const { id_token: token, access_token: access } = (await answer.json()) as Record<string, string>;
  const [header = '', content = '', signature = ''] = (token ?? '').split('.');
  const { keys } = (await (await fetch(`${started.url}/oidc/jwks`)).json()) as { keys: { kty: string }[] };
  const [key] = keys;
  expect(key).not.toHaveProperty('d');
  const isRight = verify(
    'RSA-SHA256',
    Buffer.from(`${header}.${content}`),
    createPublicKey({ key: key!, format: 'jwk' }),
    Buffer.from(signature, 'base64url'),
  );
  expect(isRight).toBe(true);
  expect(JSON.parse(Buffer.from(content, 'base64url').toString())).toMatchObject({
    ...{ iss: `${started.url}/oidc`, aud: CLIENT_ID, sub: 'ada', nonce: 'the nonce' },
    ...{ email: 'ada@company.test', email_verified: true, groups: ['it', 'staff'] },
  });
  const info = await fetch(`${started.url}/oidc/userinfo`, {
    headers: { authorization: `Bearer ${access}` },
  });
  expect(await info.json()).toMatchObject({ sub: 'ada', email: 'ada@company.test' });
  expect((await fetch(`${started.url}/oidc/userinfo`)).status).toBe(401);
});

test('a code counts once, for its verifier, its address and its client', async () => {
  const code = await getCode();
  expect((await exchange(code)).status).toBe(200);
  expect((await exchange(code)).status).toBe(400);
  expect((await exchange(await getCode(), { code_verifier: 'b'.repeat(43) })).status).toBe(400);
  expect((await exchange(await getCode(), { redirect_uri: 'http://localhost:3000/else' })).status).toBe(400);
  expect((await exchange(await getCode(), {}, 'another secret')).status).toBe(401);
});

test.each([
  [{ client_id: 'another' }, 'unauthorized_client'],
  [{ redirect_uri: 'https://evil.example/back' }, 'redirect_uri_unknown'],
  [{ redirect_uri: 'no address' }, 'redirect_uri_unknown'],
  [{ response_type: 'token' }, 'unsupported_response_type'],
  [{ scope: 'email' }, 'invalid_scope'],
  [{ code_challenge_method: 'plain' }, 'invalid_request'],
])('refuses %j', async (change, error) => {
  const answer = await authorize(change as Record<string, string>);
  expect([answer.status, await answer.json()]).toEqual([400, { error }]);
});

test('lets people choose who they are, or give up', async () => {
  await started.control('POST', 'openid/people', {
    sub: 'new',
    email: 'new@company.test',
    givenName: '<b>New</b>',
  });
  const page = await (await authorize()).text();
  expect(page).toContain('&lt;b&gt;New&lt;/b&gt;');
  expect((await fetch(`${started.url}/oidc/page.css`)).status).toBe(200);
  const links = [...page.matchAll(/href="(\/oidc\/choose\?[^"]+)"/g)].map(([, link = '']) =>
    link.replaceAll('&amp;', '&'),
  );
  expect(links).toHaveLength(6);
  const follow = async (link: string) =>
    new URL(
      (await fetch(started.url + link, { redirect: 'manual' })).headers.get('location') ?? 'http://none',
    ).searchParams;
  expect(Object.fromEntries(await follow(links.at(-1)!))).toMatchObject({
    error: 'access_denied',
    state: 'the state',
  });
  // A request is answered once.
  expect((await fetch(started.url + links[0]!, { redirect: 'manual' })).status).toBe(404);
});

test('its controls say what they take', async () => {
  const wrong = await started.control('POST', 'openid/behaviour', { lie: 'a small one' });
  expect([wrong.status, wrong.at('error')]).toEqual([400, 'There is no such lie']);
  expect((await started.control('POST', 'openid/behaviour', { isAway: 'yes' })).status).toBe(400);
  expect((await started.control('POST', 'openid/people', {})).status).toBe(400);
  expect((await started.control('GET', 'openid/people')).at('people.0.sub')).toBe('ada');
  expect((await started.control('GET', 'openid/behaviour')).at('lie')).toBeNull();
  await authorize();
  expect((await started.control('GET', 'openid/calls')).at('calls.0.call')).toBe('authorize');
});
