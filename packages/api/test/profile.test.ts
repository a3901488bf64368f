import { afterAll, beforeAll, expect, test } from 'vitest';
import { openApiFixture, PASSWORD, signIn, type ApiFixture } from './api-fixture.ts';

let api: ApiFixture;
beforeAll(async () => {
  api = await openApiFixture();
});
afterAll(() => api.close());

const readLanguage = async (caller: { get: ApiFixture['stranger']['get'] }) =>
  (await (await caller.get('/api/session')).json<{ user: { language: string | null } }>()).user.language;

test('the chosen language is kept with the account and told once', async () => {
  const agent = await api.as('agent');
  expect(await readLanguage(agent)).toBeNull();
  for (const _ of [1, 2]) {
    const answer = await agent.put('/api/profile/language', { language: 'fr' });
    expect([answer.status, await answer.json()]).toEqual([200, { language: 'fr' }]);
  }
  expect(await readLanguage(await signIn(api.app, 'agent@acme.test'))).toBe('fr');
  const { rows } = await api.db.systemPool.query(
    `SELECT "values", workspace_id FROM activities WHERE fact_type = 'user.language_chosen'`,
  );
  expect(rows).toEqual([{ values: { language: 'fr' }, workspace_id: api.workspaceId }]);
  // Nobody else's changes.
  expect(await readLanguage(await api.as('manager'))).toBeNull();
});

test('the chosen theme is kept with the account, beside its other preferences', async () => {
  const viewer = await api.as('viewer');
  const before = (await (await viewer.get('/api/profile')).json<{ preferences: object }>()).preferences;
  for (const _ of [1, 2])
    expect(await (await viewer.put('/api/profile/theme', { theme: 'dark' })).json()).toEqual({
      theme: 'dark',
    });
  const elsewhere = await signIn(api.app, 'viewer@acme.test');
  const session = await (await elsewhere.get('/api/session')).json<{ user: { theme: string } }>();
  expect(session.user.theme).toBe('dark');
  expect((await (await elsewhere.get('/api/profile')).json<{ preferences: object }>()).preferences).toEqual({
    ...before,
    theme: 'dark',
  });
  expect((await viewer.put('/api/profile/theme', { theme: 'pink' })).status).toBe(422);
});

test.each([{}, { language: 'it' }, { language: 'de', role: 'admin' }, { language: null }])(
  '%o is refused',
  async (body) => {
    expect((await (await api.as('agent')).put('/api/profile/language', body)).status).toBe(422);
  },
);

test('a stranger chooses for nobody', async () => {
  expect((await api.stranger.put('/api/profile/language', { language: 'de' })).status).toBe(401);
});

test.each([
  ['the browser', 'one@acme.test', { 'accept-language': 'pt-BR,en;q=0.5' }, 'pt'],
  ['the choice in the browser', 'two@acme.test', { 'accept-language': 'pt', cookie: 'language=de' }, 'de'],
])('a new account has the language of %s', async (_, email, headers, language) => {
  const form = {
    email,
    firstName: 'Ana',
    lastName: 'Lima',
    phoneNumber: '',
    role: 'agent',
    password: PASSWORD,
  };
  const answer = await api.stranger.request('/api/auth/sign-up/email', {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(form),
  });
  expect(answer.status).toBe(200);
  const { rows } = await api.db.systemPool.query('SELECT language FROM users WHERE email = $1', [email]);
  expect(rows).toEqual([{ language }]);
});
