import { errorTable } from '@app/contracts/errors';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  openApiFixture,
  PASSWORD,
  readErrorBody,
  type ApiFixture,
  type ApiResponse,
} from '../api-fixture.ts';

let api: ApiFixture;
beforeAll(async () => {
  api = await openApiFixture();
});
afterAll(() => api.close());

const forms: Record<string, Record<string, unknown>> = {
  'sign-in/email': { email: 'agent@acme.test', password: PASSWORD, rememberMe: false },
  'sign-up/email': {
    firstName: 'New',
    lastName: 'Person',
    email: 'new@acme.test',
    phoneNumber: '+14155552671',
    role: 'agent',
    password: PASSWORD,
    confirmPassword: PASSWORD,
  },
  'request-password-reset': { email: 'agent@acme.test' },
  'reset-password': { token: 'x'.repeat(32), password: PASSWORD },
  'sign-out': {},
  'refresh-session': {},
};

let callers = 0;
/** Each request from a network of its own, so that no limit is met. */
const post = (route: string, body: string) =>
  api.stranger.request(`/api/auth/${route}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-test-address': `192.0.${(callers += 1)}.1` },
    body,
  });

/** What is wrong with a refusal: nothing when its status is a refusal's, and code and sentence those of the table. */
async function findFault(answer: ApiResponse): Promise<string | null> {
  if (answer.status < 400 || answer.status >= 500) return `status ${answer.status}`;
  const { code, message } = await readErrorBody(answer);
  const known: Record<string, { status: number; message: string }> = errorTable;
  return known[code]?.message === message && known[code].status === answer.status ? null : code;
}

const everyField = Object.entries(forms).flatMap(([route, form]) =>
  Object.keys(form).map((field) => [route, field] as const),
);

describe('text that no row can hold', () => {
  test.each(everyField)('%s says that %s is wrong', async (route, field) => {
    for (const text of ['\0', 'agent@acme.test\0', 'a\0b@acme.test', '\ud800', 'Welcome123\udc00']) {
      const answer = await post(route, JSON.stringify({ ...forms[route], [field]: text }));
      expect([text, answer.status]).toEqual([text, 422]);
      const { code, fields } = await readErrorBody(answer);
      expect(code).toBe('invalid_input');
      expect(fields).toEqual({ [field]: 'This text holds a character that cannot be stored' });
    }
  });
});

describe('values that are no text', () => {
  test.each(everyField)('%s refuses them as %s', async (route, field) => {
    for (const value of [['a'], [[]], { a: 1 }, 1e308, -1, true, null, '', 'x'.repeat(10_000)]) {
      if (field === 'rememberMe' && value === true) continue;
      if (field === 'phoneNumber' && typeof value !== 'object' && typeof value !== 'number') continue;
      const answer = await post(route, JSON.stringify({ ...forms[route], [field]: value }));
      const shown = `${field}: ${JSON.stringify(value).slice(0, 40)} → ${answer.status}`;
      expect(answer.status === 200 ? null : await findFault(answer), shown).toBeNull();
    }
  });
});

test.each(Object.keys(forms))(
  '%s refuses a body that is no JSON object, and one that is too large',
  async (route) => {
    const deep = `{"email":${'['.repeat(7900)}1${']'.repeat(7900)}}`;
    for (const body of [
      '',
      '\0',
      '[]',
      'null',
      '"text"',
      '{"email":',
      '['.repeat(16_000),
      deep,
      '['.repeat(200_000),
    ]) {
      const answer = await post(route, body);
      // Two of them take no form at all.
      expect(
        answer.status === 200 ? null : await findFault(answer),
        `${route} with ${body.slice(0, 10)}`,
      ).toBeNull();
    }
  },
);

test('what is no route is refused in the same form', async () => {
  for (const path of ['/api/auth/', '/api/auth/ok', '/api/auth/%00', '/api/auth/sign-in/email/x'])
    expect([path, await findFault(await api.stranger.post(path, {}))]).toEqual([path, null]);
});

test('an address that may sign up can sign in', async () => {
  const emails = [
    "o'neil+tag@acme.test",
    'a!#$%&*/=?^_`{|}~b@acme.test',
    'ren\u00e9@acme.test',
    'x@m\u00fcller.test',
  ];
  for (const email of emails) {
    const answer = await post('sign-up/email', JSON.stringify({ ...forms['sign-up/email'], email }));
    expect([email, answer.status]).toEqual([email, 200]);
  }
  await api.db.systemPool.query('UPDATE memberships SET is_active = true');
  for (const email of [...emails, 'RENE\u0301@acme.test']) {
    const answer = await post('sign-in/email', JSON.stringify({ email, password: PASSWORD }));
    expect([email, answer.status]).toEqual([email, 200]);
  }
});

test('ten sign-ups of one address at the same moment make one account', async () => {
  const answers = await Promise.all(
    Array.from({ length: 10 }, () =>
      post('sign-up/email', JSON.stringify({ ...forms['sign-up/email'], email: 'race@acme.test' })),
    ),
  );
  for (const answer of answers)
    expect(await answer.json()).toEqual({ session: null, isPending: true, mustConfirmAddress: false });
  const { rows } = await api.db.systemPool.query(
    `SELECT count(*)::int AS accounts FROM users u JOIN accounts a ON a.user_id = u.id
       JOIN memberships m ON m.user_id = u.id WHERE email = 'race@acme.test'`,
  );
  expect(rows).toEqual([{ accounts: 1 }]);
});
