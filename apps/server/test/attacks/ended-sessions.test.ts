import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { longTest } from '@app/database/testing/long-test';
import {
  oneTimeCode,
  openProduct,
  PASSWORD,
  type Browser,
  type Person,
  type Product,
} from './open-product.ts';

let product: Product;
let admin: Person;
beforeAll(async () => {
  product = await openProduct();
  admin = await product.addPerson('admin');
});
afterAll(() => product.close());

const NEW_PASSWORD = 'Another1234';

/** Every kind of door that a cookie opens. */
const doors: [method: string, path: string, body?: object][] = [
  ['GET', '/api/contacts'],
  ['GET', '/api/profile'],
  ['POST', '/api/rpc/contacts/list', { json: {}, meta: [] }],
  ['POST', '/api/contacts', { name: 'Ann', phone: '+14155552671' }],
  ['GET', '/api/contacts/export?format=csv'],
  ['POST', '/api/contacts/imports', []],
  ['GET', `/api/avatars/${crypto.randomUUID()}`],
  ['GET', '/api/events'],
  ['POST', '/api/auth/refresh-session', {}],
];

/** A tab that listens; `ended` resolves when the server cuts its stream. */
async function openTab({ cookies }: Browser): Promise<{ ended: Promise<void> }> {
  const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  const response = await fetch(`${product.url}/api/events`, { headers: { cookie } });
  expect(response.status).toBe(200);
  const reader = response.body!.getReader(); // a 200 of this route always has a body
  await reader.read();
  const ended = (async () => {
    while (!(await reader.read()).done);
  })();
  // Whoever waits for it hears of a broken one.
  ended.catch(() => undefined);
  return { ended };
}

async function expectClosed(cookies: ReadonlyMap<string, string>): Promise<void> {
  for (const [method, path, body] of doors) {
    // As the thief has it, whatever the browser was told to forget since.
    const browser = product.openBrowser();
    for (const [name, value] of cookies) browser.cookies.set(name, value);
    expect([method, path, (await browser.send(method, path, body)).status]).toEqual([method, path, 401]);
  }
  const session = product.openBrowser();
  for (const [name, value] of cookies) session.cookies.set(name, value);
  expect((await session.send('GET', '/api/session')).text).toBe('null');
}

async function resetByMail(email: string): Promise<void> {
  const anywhere = product.openBrowser();
  await anywhere.send('POST', '/api/auth/request-password-reset', { email });
  const token = await product.readMailedToken(email);
  const reset = await anywhere.send('POST', '/api/auth/reset-password', { token, password: NEW_PASSWORD });
  expect(reset.status).toBe(200);
}

const ends: Record<string, (person: Person) => Promise<unknown>> = {
  'a change of the password on another device': async ({ email }) => {
    const elsewhere = product.openBrowser();
    await elsewhere.signIn(email);
    const form = { currentPassword: PASSWORD, newPassword: NEW_PASSWORD };
    expect((await elsewhere.send('POST', '/api/profile/password', form)).status).toBe(200);
    // Whoever changed it stays.
    expect((await elsewhere.send('GET', '/api/contacts')).status).toBe(200);
  },
  'a reset of the password by mail': ({ email }) => resetByMail(email),
  'a deactivation': ({ id }) => admin.browser.send('POST', `/api/users/${id}/deactivate`, {}),
  'a deletion': ({ id }) => admin.browser.send('DELETE', `/api/users/${id}`, {}),
  'an admin who ends all sessions': ({ id }) =>
    admin.browser.send('POST', `/api/users/${id}/end-sessions`, {}),
  'a sign-out in one of its tabs': ({ browser }) => browser.send('POST', '/api/auth/sign-out'),
  'another sign-in in the same browser': async ({ browser }) =>
    expect((await browser.signIn('viewer@example.com')).status).toBe(200),
};

describe('a session ends everywhere at once', () => {
  test.each(Object.keys(ends))('with %s', async (how) => {
    const person = await product.addPerson();
    const kept = new Map(person.browser.cookies);
    const tabs = [await openTab(person.browser), await openTab(person.browser)];
    expect((await person.browser.send('GET', '/api/contacts')).status).toBe(200);
    await ends[how]!(person); // one of its keys
    await expectClosed(kept);
    // No heartbeat is waited for: the streams are cut by what happened.
    await Promise.all(tabs.map(({ ended }) => ended));
  });
});

test('with a smaller role the open stream ends, and the next request may no more than that', async () => {
  const person = await product.addPerson('manager');
  const tabs = [await openTab(person.browser), await openTab(person.browser)];
  const { version } = JSON.parse((await admin.browser.send('GET', `/api/users/${person.id}`)).text);
  const changed = await admin.browser.send('PATCH', `/api/users/${person.id}`, { version, role: 'viewer' });
  expect(changed.status).toBe(200);
  expect((await person.browser.send('GET', '/api/users')).status).toBe(403);
  expect((await person.browser.send('GET', '/api/contacts')).status).toBe(200);
  await Promise.all(tabs.map(({ ended }) => ended));
});

describe('a second factor', () => {
  async function withSecondFactor(): Promise<Person & { secret: string; recoveryCodes: string[] }> {
    const person = await product.addPerson();
    const { secret } = JSON.parse((await person.browser.send('POST', '/api/two-factor/begin', {})).text);
    const code = oneTimeCode(secret);
    const enabled = await person.browser.send('POST', '/api/two-factor/enable', { code });
    expect(enabled.status, enabled.text).toBe(200);
    return { ...person, secret, ...JSON.parse(enabled.text) };
  }

  longTest(
    'is not guessed with 200 codes over 5 sign-ins: the account takes none any more, the right one included',
    async () => {
      const { email, secret, recoveryCodes } = await withSecondFactor();
      const browsers = Array.from({ length: 5 }, () => product.openBrowser());
      for (const browser of browsers) {
        expect(JSON.parse((await browser.signIn(email)).text)).toEqual({ session: null, isSecondStep: true });
      }
      const real = new Set([-2, -1, 0, 1, 2].map((steps) => oneTimeCode(secret, steps)));
      const wrong = Array.from({ length: 210 }, (_, guess) => String(100_000 + guess)).filter(
        (code) => !real.has(code),
      );
      const answers = await Promise.all(
        browsers.flatMap((browser, one) =>
          wrong
            .slice(one * 40, one * 40 + 40)
            .map((code) => browser.send('POST', '/api/auth/two-factor', { code })),
        ),
      );
      const counts = Object.groupBy(answers, ({ status }) => String(status));
      expect([counts['422']?.length, counts['429']?.length]).toEqual([5, 195]);
      const send = (code: string) => browsers[0]!.send('POST', '/api/auth/two-factor', { code });
      expect((await send(oneTimeCode(secret, 1))).status).toBe(429);
      expect((await browsers[0]!.send('GET', '/api/contacts')).status).toBe(401);
      // Nobody guesses a recovery code: it is the way in of the owner meanwhile.
      expect((await send(recoveryCodes[0]!)).status).toBe(200);
      expect((await browsers[0]!.send('GET', '/api/contacts')).status).toBe(200);
    },
  );

  test('is still asked for after the password was reset by mail, and the reset opens nothing by itself', async () => {
    const { email, secret } = await withSecondFactor();
    await resetByMail(email);
    const browser = product.openBrowser();
    expect((await browser.signIn(email, PASSWORD)).status).toBe(401);
    const step = await browser.signIn(email, NEW_PASSWORD);
    expect(JSON.parse(step.text)).toEqual({ session: null, isSecondStep: true });
    expect((await browser.send('GET', '/api/contacts')).status).toBe(401);
    expect((await browser.send('POST', '/api/auth/two-factor', { code: '000000' })).status).toBe(422);
    expect(
      (await browser.send('POST', '/api/auth/two-factor', { code: oneTimeCode(secret, 1) })).status,
    ).toBe(200);
    expect((await browser.send('GET', '/api/contacts')).status).toBe(200);
  });
});
