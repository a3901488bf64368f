import { contract } from '@app/contracts/contract';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { inboundText } from '../host-fixture.ts';
import {
  MAIL_PASSWORD,
  oneTimeCode,
  openProduct,
  SECRET_KEY,
  type Person,
  type Product,
} from './open-product.ts';

const METRICS_TOKEN = 'canary-token-of-the-figures';
const CHOSEN_PASSWORD = 'CanaryPassword1';
const TYPED_PASSWORD = 'CanaryTyped1';

let product: Product;
let admin: Person;
/** What nobody may read anywhere, by its name. */
const secrets: Record<string, string> = {};
/** Everything that was answered, by its address. */
const answers: [string, string][] = [];

beforeAll(async () => {
  product = await openProduct((database) => ({ METRICS_TOKEN, DATABASE_URL: withPassword(database) }));
  admin = await product.addPerson('admin');
});
afterAll(() => product.close());

/** A server that asks for no password takes any. */
function withPassword(address: string): string {
  const url = new URL(address);
  url.password ||= 'canary-of-the-database';
  secrets['the password of the database'] = decodeURIComponent(url.password);
  return url.href;
}

async function ask(method: string, path: string, body?: unknown, headers?: Record<string, string>) {
  const answer = await admin.browser.send(method, path, body, headers);
  answers.push([`${method} ${path} → ${answer.status}`, answer.text]);
  return answer;
}

/** The names of the secrets that stand in a text; never the text itself. */
const findIn = (text: string) => Object.keys(secrets).filter((name) => text.includes(secrets[name]!));

async function useEverySecret(): Promise<void> {
  const { browser, email } = admin;
  Object.assign(secrets, {
    'the access token of a channel': 'sandbox-access-token',
    'the app secret of a channel': 'sandbox-app-secret',
    'the verify token of a channel': 'sandbox-verify-token',
    'the key of the server': SECRET_KEY,
    'the password of the mail server': MAIL_PASSWORD,
    'the token of the figures': METRICS_TOKEN,
    'a chosen password': CHOSEN_PASSWORD,
    'a password that was typed and is wrong': TYPED_PASSWORD,
  });
  // What shows a secret once, to its owner, is no answer of this search.
  const { secret } = JSON.parse((await browser.send('POST', '/api/two-factor/begin', {})).text);
  secrets['the secret of a second factor'] = secret;
  const code = oneTimeCode(secret);
  const { recoveryCodes } = JSON.parse((await browser.send('POST', '/api/two-factor/enable', { code })).text);
  for (const [place, recovery] of (recoveryCodes as string[]).entries()) {
    secrets[`recovery code ${place}`] = recovery;
    secrets[`recovery code ${place}, as it is kept`] = recovery.replace('-', '');
  }

  const invited = `${crypto.randomUUID()}@example.com`;
  await ask('POST', '/api/invitations', { email: invited, role: 'viewer' });
  secrets['the link of an invitation'] = await product.readMailedToken(invited);
  await ask('POST', '/api/auth/read-invitation', { token: secrets['the link of an invitation'] });

  await ask('POST', '/api/auth/request-password-reset', { email });
  secrets['the link of a reset'] = await product.readMailedToken(email);
  await ask('POST', '/api/auth/reset-password', {
    token: secrets['the link of a reset'],
    password: CHOSEN_PASSWORD,
  });
  await ask('POST', '/api/auth/sign-in/email', { email, password: CHOSEN_PASSWORD });
  await ask('POST', '/api/auth/two-factor', { code: oneTimeCode(secret, 1) });
  const [, cookie = ''] = [...browser.cookies].find(([name]) => name.endsWith('session_token')) ?? [];
  secrets['the token of a session'] = decodeURIComponent(cookie).split('.')[0]!;
  secrets['the signature of a session'] = decodeURIComponent(cookie).split('.').slice(1).join('.');
  expect((await ask('GET', '/api/session')).text).toContain(email);
}

/** Right, wrong and broken requests that carry secrets. */
async function mistypeThem(): Promise<void> {
  const { email } = admin;
  for (const form of [
    { email, password: TYPED_PASSWORD },
    { email: [email], password: TYPED_PASSWORD },
    { email, password: { typed: TYPED_PASSWORD } },
  ]) {
    const stranger = await product.openBrowser().send('POST', '/api/auth/sign-in/email', form);
    answers.push(['sign-in', stranger.text]);
    const signUp = { ...form, firstName: TYPED_PASSWORD.slice(0, 6), lastName: 'x', role: 'boss' };
    answers.push([
      'sign-up',
      (await product.openBrowser().send('POST', '/api/auth/sign-up/email', signUp)).text,
    ]);
  }
  await ask('POST', '/api/profile/confirm-password', { password: TYPED_PASSWORD });
  await ask('POST', '/api/profile/password', {
    currentPassword: TYPED_PASSWORD,
    newPassword: CHOSEN_PASSWORD,
  });
  await ask('POST', '/api/profile/password', { currentPassword: [TYPED_PASSWORD], newPassword: 7 });
  await ask('POST', '/api/rpc/profile/changePassword', `{"json":{"currentPassword":"${TYPED_PASSWORD}`);
  await ask('GET', '/webhooks/whatsapp/sample?hub.mode=subscribe&hub.verify_token=wrong&hub.challenge=1');
  await ask('POST', '/webhooks/whatsapp/sample', inboundText('447700900321', 'wamid.canary', 'Hello'), {
    'x-hub-signature-256': 'sha256=00',
  });
  for (const headers of [{}, { authorization: 'Bearer wrong' }, { authorization: `Bearer ${METRICS_TOKEN}` }])
    for (const path of ['/metrics', '/metrics/jobs', '/metrics/facts'])
      await ask('GET', path, undefined, headers);
}

/** Every address that reads, with the ids of what the lists show. */
async function readEverything(): Promise<void> {
  const known = new Map<string, string>();
  const reading = Object.values(contract).flatMap((endpoints) =>
    Object.values(endpoints).flatMap(({ '~orpc': { route } }) => {
      const { method, path = '' } = route as { method?: string; path?: string }; // set by endpoint()
      return method === 'GET' ? [`/api${path}`] : [];
    }),
  );
  const withIds = (path: string) => (path.includes('{') ? 1 : 0);
  for (const path of reading.toSorted((a, b) => withIds(a) - withIds(b))) {
    const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => known.get(name) ?? crypto.randomUUID());
    const { text, status } = await ask('GET', filled);
    const list = status === 200 ? JSON.parse(text) : null;
    const id = list?.items?.[0]?.id;
    const [, resource = ''] = /\/(\w+?)s?$/.exec(path) ?? [];
    if (typeof id === 'string') known.set(`${resource}Id`, id);
  }
  expect(known.size).toBeGreaterThan(4);
  for (const path of [
    '/',
    '/login',
    '/dashboard',
    '/forgot-password',
    '/api/openapi.json',
    '/healthz',
    '/readyz',
  ])
    await ask('GET', path);
  for (const format of ['csv', 'json']) await ask('GET', `/api/contacts/export?format=${format}`);
  const contact = known.get('contactId');
  if (contact) await ask('GET', `/api/contacts/${contact}/data`);
}

/** The same while the database refuses what is asked of it. */
async function readFailures(): Promise<void> {
  const owner = new pg.Client({ connectionString: product.databaseUrl });
  await owner.connect();
  for (const [change, back] of [
    [
      'ALTER TABLE sessions RENAME COLUMN expires_at TO gone',
      'ALTER TABLE sessions RENAME COLUMN gone TO expires_at',
    ],
    [
      'ALTER TABLE accounts RENAME COLUMN password TO gone',
      'ALTER TABLE accounts RENAME COLUMN gone TO password',
    ],
    ['ALTER TABLE two_factor RENAME TO gone', 'ALTER TABLE gone RENAME TO two_factor'],
    [
      'ALTER TABLE channels RENAME COLUMN credentials TO gone',
      'ALTER TABLE channels RENAME COLUMN gone TO credentials',
    ],
    ['ALTER TABLE verifications RENAME TO gone', 'ALTER TABLE gone RENAME TO verifications'],
  ] as const) {
    await owner.query(change);
    await ask('GET', '/api/contacts');
    await ask('POST', '/api/auth/sign-in/email', { email: admin.email, password: CHOSEN_PASSWORD });
    await ask('POST', '/api/profile/confirm-password', { password: CHOSEN_PASSWORD });
    await ask('POST', '/api/auth/reset-password', {
      ...{ token: secrets['the link of a reset'], password: CHOSEN_PASSWORD },
    });
    await ask('POST', '/api/campaigns/test-message', {
      message: { customMessage: 'Hi' },
      phone: '+447700900001',
    });
    await owner.query(back);
  }
  await owner.end();
  expect(answers.filter(([name]) => name.endsWith('→ 500')).length).toBeGreaterThan(3);
}

describe('secrets', () => {
  beforeAll(async () => {
    await useEverySecret();
    await mistypeThem();
    await readEverything();
    await readFailures();
  });

  test('stand in no answer of any address, whether right, refused or failed', () => {
    expect(answers.length).toBeGreaterThan(100);
    // Who may read settings copies the word of the webhook from there into the vendor's form.
    const shown: Record<string, string[]> = {
      'GET /api/channels/connections → 200': ['the verify token of a channel'],
    };
    for (const [name, text] of answers) expect([name, findIn(text)]).toEqual([name, shown[name] ?? []]);
  });

  test('stand in no line of the log, at its most talkative', () => {
    expect(product.lines.length).toBeGreaterThan(5);
    for (const line of product.lines) expect(findIn(line).map((name) => [name, line])).toEqual([]);
  });

  test('stand in no table, but for what the cookie of a session is looked up by', async () => {
    const { rows: tables } = await product.database.query<{ name: string }>(
      `SELECT c.oid::regclass::text AS name FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
        WHERE c.relkind IN ('r', 'p') AND NOT c.relispartition AND n.nspname IN ('public', 'jobs')`,
    );
    const found: [string, string][] = [];
    for (const { name } of tables) {
      const { rows } = await product.database.query(`SELECT to_jsonb(t)::text AS row FROM ${name} t`);
      for (const secret of new Set(rows.flatMap(({ row }) => findIn(row)))) found.push([name, secret]);
    }
    expect(found).toEqual([['sessions', 'the token of a session']]);
  });

  test('are found by this search where they do stand', () => {
    expect(findIn(`…${MAIL_PASSWORD}…`)).toEqual(['the password of the mail server']);
    expect(Object.values(secrets).every((secret) => secret.length >= 10)).toBe(true);
    expect(Object.keys(secrets).length).toBeGreaterThan(30);
  });
});
