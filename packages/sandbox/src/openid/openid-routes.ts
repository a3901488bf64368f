import { setTimeout as sleep } from 'node:timers/promises';
import { Hono, type Context } from 'hono';
import { objectOf, parseJson } from '../core/json.ts';
import { describePerson, describeSignIn } from './id-token.ts';
import { changeBehaviour } from './lies.ts';
import { CLIENT_ID, CLIENT_SECRET, type AuthorizationRequest, type OpenIdState } from './openid-provider.ts';
import { readPerson } from './people.ts';
import { renderPersonPage, pageHeaders, pageStyle } from './person-page.ts';

const issuerOf = (c: Context) => `${new URL(c.req.url).origin}/oidc`;
const refuse = (c: Context, error: string, status: 400 | 401 | 404 = 400) => c.json({ error }, status);

/** A pretended company provider (OpenID Connect): authorization code with PKCE for one client, below `/oidc`. */
export function openIdRoutes(state: OpenIdState): Hono {
  const app = new Hono();
  app.use('*', async (c, next) => {
    if (state.behaviour.latencyMs > 0) await sleep(state.behaviour.latencyMs);
    return state.behaviour.isAway ? c.json({ error: 'temporarily_unavailable' }, 503) : next();
  });
  app.get('/.well-known/openid-configuration', (c) => c.json(describeProvider(issuerOf(c))));
  app.get('/jwks', (c) => c.json(state.signer.publicKeys()));
  app.get('/page.css', (c) => c.body(pageStyle, 200, { 'content-type': 'text/css; charset=utf-8' }));

  app.get('/authorize', (c) => {
    const request = readRequest(c);
    const { prompt, max_age: maxAge } = c.req.query();
    const seen = {
      at: Date.now(),
      call: 'authorize',
      prompt: prompt ?? null,
      maxAge: maxAge ?? null,
    } as const;
    state.note({ ...seen, outcome: typeof request === 'string' ? request : 'asked' });
    if (typeof request === 'string') return refuse(c, request);
    const { person } = state.behaviour;
    if (person !== null) return sendBack(c, state, request, person);
    const page = renderPersonPage(state.keepRequest(request), [...state.people.values()]);
    return c.html(page, 200, pageHeaders);
  });

  app.get('/choose', (c) => {
    const id = c.req.query('request') ?? '';
    const request = state.findRequest(id);
    if (!request) return refuse(c, 'request_unknown', 404);
    state.deleteRequest(id);
    return sendBack(c, state, request, c.req.query('person') ?? null);
  });

  app.post('/token', async (c) => {
    const form = new URLSearchParams(await c.req.text());
    const note = (outcome: string) => state.note({ at: Date.now(), call: 'token', outcome });
    if (!isOurClient(c.req.header('authorization'), form)) {
      note('invalid_client');
      return refuse(c, 'invalid_client', 401);
    }
    const grant = state.takeCode(form.get('code') ?? '', {
      redirectUri: form.get('redirect_uri') ?? '',
      verifier: form.get('code_verifier') ?? '',
    });
    const person = grant && state.people.get(grant.sub);
    note(person ? 'granted' : 'invalid_grant');
    if (!person) return refuse(c, 'invalid_grant');
    const { lie, isTerse, saysNoVerified } = state.behaviour;
    const request = {
      ...{ issuer: issuerOf(c), clientId: CLIENT_ID, clientSecret: CLIENT_SECRET },
      ...{ nonce: grant.nonce, authTime: grant.authTime },
    };
    const claims = {
      ...describeSignIn(request, person.sub, lie),
      ...(!isTerse && describePerson(person, saysNoVerified)),
    };
    return c.json(
      {
        ...{ access_token: state.openToken(person.sub), token_type: 'Bearer', expires_in: 300 },
        ...(lie !== 'no-id-token' && { id_token: state.signer.sign(claims, lie, CLIENT_SECRET) }),
      },
      200,
      { 'cache-control': 'no-store' },
    );
  });

  app.get('/userinfo', (c) => {
    const person = state.personOf(/^Bearer (.+)$/i.exec(c.req.header('authorization') ?? '')?.[1] ?? '');
    state.note({ at: Date.now(), call: 'userinfo', outcome: person ? 'told' : 'invalid_token' });
    if (!person) return refuse(c, 'invalid_token', 401);
    const { lie, saysNoVerified } = state.behaviour;
    const sub = lie === 'userinfo-subject' ? 'somebody-else' : person.sub;
    return c.json({ sub, ...describePerson(person, saysNoVerified) });
  });
  return app;
}

/** Who there is, what the provider shall do, and what it was asked. */
export function openIdControls(state: OpenIdState): Hono {
  const app = new Hono();
  app.get('/behaviour', (c) => c.json(state.behaviour));
  app.post('/behaviour', async (c) => {
    const changed = changeBehaviour(state.behaviour, objectOf(parseJson(await c.req.text())));
    if (typeof changed === 'string') return c.json({ error: changed }, 400);
    state.behaviour = changed;
    return c.json(changed);
  });
  app.get('/people', (c) => c.json({ people: [...state.people.values()] }));
  app.post('/people', async (c) => {
    const body = objectOf(parseJson(await c.req.text()));
    const person = readPerson(body, state.people.get(String(body['sub'])));
    if (!person) return c.json({ error: 'A person has a sub' }, 400);
    state.people.set(person.sub, person);
    return c.json(person);
  });
  app.get('/calls', (c) => c.json({ calls: state.calls }));
  return app;
}

function describeProvider(issuer: string) {
  return {
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    userinfo_endpoint: `${issuer}/userinfo`,
    jwks_uri: `${issuer}/jwks`,
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['RS256'],
    scopes_supported: ['openid', 'email', 'profile'],
    token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
    code_challenge_methods_supported: ['S256'],
    claims_supported: ['sub', 'email', 'email_verified', 'given_name', 'family_name', 'groups', 'auth_time'],
    authorization_response_iss_parameter_supported: true,
  };
}

function readRequest(c: Context): AuthorizationRequest | string {
  const asked = c.req.query();
  if (asked['client_id'] !== CLIENT_ID) return 'unauthorized_client';
  const redirectUri = asked['redirect_uri'] ?? '';
  // It sends people to this machine alone.
  const back = URL.parse(redirectUri);
  if (!back || !['localhost', '127.0.0.1', '[::1]'].includes(back.hostname)) return 'redirect_uri_unknown';
  if (asked['response_type'] !== 'code') return 'unsupported_response_type';
  if (!(asked['scope'] ?? '').split(' ').includes('openid')) return 'invalid_scope';
  const challenge = asked['code_challenge'];
  if (!challenge || asked['code_challenge_method'] !== 'S256') return 'invalid_request';
  return { redirectUri, challenge, state: asked['state'] ?? null, nonce: asked['nonce'] ?? null };
}

/** With a code for the person, or with a refusal when nobody was chosen. */
function sendBack(
  c: Context,
  state: OpenIdState,
  request: AuthorizationRequest,
  sub: string | null,
): Response {
  const known = sub !== null && state.people.has(sub);
  const address = new URL(request.redirectUri);
  const issuer = state.behaviour.lie === 'answer-issuer' ? 'https://evil.example' : issuerOf(c);
  const answer = {
    ...(known ? { code: state.grant(request, sub) } : { error: 'access_denied' }),
    ...(request.state !== null && { state: request.state }),
    iss: issuer,
  };
  for (const [name, value] of Object.entries(answer)) address.searchParams.set(name, value);
  return c.redirect(address.href, 302);
}

function isOurClient(authorization: string | undefined, form: URLSearchParams): boolean {
  const basic = /^Basic (.+)$/i.exec(authorization ?? '')?.[1];
  const [id, secret] = basic
    ? Buffer.from(basic, 'base64').toString('utf8').split(':').map(decodeURIComponent)
    : [form.get('client_id'), form.get('client_secret')];
  return id === CLIENT_ID && secret === CLIENT_SECRET;
}
