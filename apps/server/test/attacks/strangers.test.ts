import { contract } from '@app/contracts/contract';
import { part } from '@app/database/testing/thorough';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { longDescribe, longTest } from '@app/database/testing/long-test';
import { codeOf, openProduct, PASSWORD, type Answer, type Person, type Product } from './open-product.ts';

let product: Product;
let admin: Person;
beforeAll(async () => {
  product = await openProduct();
  admin = await product.addPerson('admin');
});
afterAll(() => product.close());

const newcomer = (more: object) => ({
  ...{
    firstName: 'Mallory',
    lastName: 'Moss',
    email: `${crypto.randomUUID()}@example.com`,
    password: PASSWORD,
  },
  ...more,
});

describe('whoever chooses their own role', () => {
  const claims = [
    { role: 'admin' },
    { role: 'manager' },
    { role: 'agent', requestedRole: 'admin', isActive: true, isAdmin: true, permissions: ['users:manage'] },
    { role: 'viewer', workspaceId: 'x', membership: { role: 'admin' }, emailVerified: true },
  ];

  test.each(claims)('at the sign-up as %j gets nothing without an admin', async (claim) => {
    const form = newcomer(claim);
    const browser = product.openBrowser();
    expect((await browser.send('POST', '/api/auth/sign-up/email', form)).status).toBe(200);
    const { rows } = await product.database.query(
      'SELECT m.role, m.is_active FROM users u JOIN memberships m ON m.user_id = u.id WHERE u.email = $1',
      [form.email],
    );
    // The sample lets agents and viewers try it; whoever asks for more waits.
    const isOpenToTry = ['agent', 'viewer'].includes(claim.role);
    expect(rows).toEqual([{ role: isOpenToTry ? claim.role : 'viewer', is_active: isOpenToTry }]);
    expect((await browser.send('GET', '/api/users')).status).toBe(isOpenToTry ? 403 : 401);
    if (!isOpenToTry)
      expect(codeOf(await product.openBrowser().signIn(form.email))).toMatch(
        /^(email_unverified|account_inactive)$/,
      );
  });

  test('of none that there is is refused', async () => {
    for (const role of ['owner', 'root', 'ADMIN', '', null, ['admin'], { role: 'admin' }, 1]) {
      const refused = await product.openBrowser().send('POST', '/api/auth/sign-up/email', newcomer({ role }));
      // Nothing at all means the smallest that signs up.
      expect([role, refused.status]).toEqual([role, role === null ? 200 : 422]);
    }
  });

  test('with an invitation gets the role of the invitation', async () => {
    const email = `${crypto.randomUUID()}@example.com`;
    await admin.browser.send('POST', '/api/invitations', { email, role: 'viewer' });
    const token = await product.readMailedToken(email);
    const browser = product.openBrowser();
    const form = { ...newcomer({ role: 'admin', email: 'other@example.com' }), token };
    const accepted = await browser.send('POST', '/api/auth/accept-invitation', form);
    expect(JSON.parse(accepted.text)).toMatchObject({ session: { role: 'viewer', user: { email } } });
    expect((await browser.send('GET', '/api/users')).status).toBe(403);
  });

  test('in their own profile is refused', async () => {
    const { browser } = await product.addPerson('viewer');
    for (const [method, path, body] of [
      ['PATCH', '/api/profile', { role: 'admin' }],
      ['PATCH', '/api/profile', { permissions: ['users:manage'] }],
      ['PUT', '/api/profile/preferences', { role: 'admin' }],
      [
        'PUT',
        '/api/role-permissions',
        { version: 1, changes: [{ role: 'viewer', permissions: ['users:manage'] }] },
      ],
    ] as const)
      expect([403, 422]).toContain((await browser.send(method, path, body)).status);
    expect(JSON.parse((await browser.send('GET', '/api/session')).text)).toMatchObject({ role: 'viewer' });
  });
});

longDescribe('forty sign-ins at once', () => {
  test('hold up no other page, and are answered alike for known and unknown addresses', async () => {
    let answered = 0;
    const burst = Array.from({ length: 40 }, async (_, index) => {
      const email = index % 2 === 0 ? admin.email : `nobody-${index}@example.com`;
      const answer = await product.openBrowser().signIn(email, 'Wrong1234');
      answered += 1;
      return { isKnown: index % 2 === 0, answer };
    });
    const pages = await Promise.all(
      ['/api/contacts', '/api/dashboard', '/healthz', '/api/sign-in-hints'].map((path) =>
        admin.browser.send('GET', path),
      ),
    );
    expect(pages.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(answered).toBeLessThan(40);
    const seen = { known: new Set<string>(), unknown: new Set<string>() };
    for (const { isKnown, answer } of await Promise.all(burst)) {
      expect([401, 429]).toContain(answer.status);
      if (answer.status === 401) seen[isKnown ? 'known' : 'unknown'].add(`${answer.text} ${namesOf(answer)}`);
    }
    expect(seen.known.size).toBe(1);
    expect(seen.known).toEqual(seen.unknown);
  });
});

const namesOf = ({ headers }: Answer) => [...headers.keys()].toSorted().join(' ');

/** Every address that changes something, with the cookie of an admin and an input that reaches it. */
const changing = [
  ...Object.entries(contract).flatMap(([feature, endpoints]) =>
    Object.entries(endpoints).flatMap(([name, { '~orpc': promise }]) => {
      const { method = 'GET', path = '' } = promise.route as { method?: string; path?: string }; // set by endpoint()
      if (method === 'GET') return [];
      const filled = path.replaceAll(/\{\w+\}/g, crypto.randomUUID());
      return [[method, `/api${filled}`] as const, ['POST', `/api/rpc/${feature}/${name}`] as const];
    }),
  ),
  ...[
    'sign-in/email',
    'two-factor',
    'sign-up/email',
    'sign-out',
    'request-password-reset',
    'reset-password',
  ].map((name) => ['POST', `/api/auth/${name}`] as const),
  ...['confirm-address', 'accept-invitation', 'refresh-session', 'passkey/begin', 'passkey/finish'].map(
    (name) => ['POST', `/api/auth/${name}`] as const,
  ),
  ...([
    ['POST', '/api/contacts/imports'],
    ['POST', '/api/contacts/export'],
    ['PATCH', `/api/uploads/${crypto.randomUUID()}`],
    ['POST', '/api/profile/avatar'],
    ['POST', '/api/settings/logo'],
    ['POST', '/metrics/jobs'],
    ['POST', '/metrics/facts'],
    ['POST', '/api/anything'],
  ] as const),
];

describe('a page of another site, with the cookie of an admin', () => {
  const asOthers: Record<string, Record<string, string>> = {
    'its own origin': { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' },
    'a form without script': {
      ...{ origin: 'https://evil.example', 'content-type': 'application/x-www-form-urlencoded' },
    },
    'a form of plain text, without an origin': {
      'sec-fetch-site': 'cross-site',
      'content-type': 'text/plain',
    },
    'a frame that hides its origin': { origin: 'null', 'content-type': 'multipart/form-data; boundary=x' },
    'a name that begins like ours': { origin: 'http://127.0.0.1.evil.example:3000' },
    'another port of this machine': { origin: 'http://127.0.0.1:1' },
    'a neighbour under the same domain': { 'sec-fetch-site': 'same-site', 'content-type': 'text/plain' },
  };

  longTest.each(Object.keys(asOthers))(
    'is refused at every address that changes something: %s',
    async (how) => {
      const before = await readCounts();
      const answers: Record<string, string> = {};
      // Told by the HTTP edge before any of them; the ways together try each of them at least once.
      const waiting = [...part(changing, 6, Object.keys(asOthers).indexOf(how))];
      const work = async () => {
        for (let next = waiting.shift(); next; next = waiting.shift()) {
          const [method, path] = next;
          const answer = await admin.browser.send(method, path, '{}', asOthers[how]);
          answers[`${method} ${path}`] = `${answer.status} ${codeOf(answer)}`;
        }
      };
      await Promise.all(Array.from({ length: 10 }, work));
      const others = Object.entries(answers).filter(
        ([name, answer]) =>
          answer !== '403 cross_site_request' &&
          !(name.startsWith('POST /metrics/') && answer.startsWith('403')),
      );
      expect(others).toEqual([]);
      expect(await readCounts()).toEqual(before);
      expect((await admin.browser.send('GET', '/api/contacts')).status).toBe(200);
    },
  );

  test('cannot read an answer either, and no address that reads gives leave to', async () => {
    for (const path of [
      '/api/contacts',
      '/api/session',
      '/api/contacts/export?format=csv',
      '/api/openapi.json',
    ]) {
      const { headers } = await admin.browser.send('GET', path, undefined, {
        origin: 'https://evil.example',
      });
      expect([path, headers.get('access-control-allow-origin')]).toEqual([path, null]);
    }
    const asked = await admin.browser.send('OPTIONS', '/api/contacts', undefined, {
      ...{ origin: 'https://evil.example', 'access-control-request-method': 'POST' },
    });
    expect(asked.headers.get('access-control-allow-origin')).toBeNull();
  });

  async function readCounts(): Promise<unknown> {
    const { rows } = await product.database.query(
      `SELECT (SELECT count(*) FROM contacts) AS contacts, (SELECT count(*) FROM users) AS users,
              (SELECT count(*) FROM events WHERE actor::text LIKE $1) AS facts, (SELECT count(*) FROM idempotency_keys) AS keys`,
      [`%${admin.id}%`], // what the product does by itself goes on
    );
    return rows;
  }
});
