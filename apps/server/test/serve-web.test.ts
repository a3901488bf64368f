import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Hono } from 'hono';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { serveWeb } from '../src/serve-web.ts';

let folder: string;
const app = new Hono();
/** The same with pages that were drawn while building. */
const prerenderedApp = new Hono();
const prerenderedPages = {
  'pages/en/login.html': 'Sign in',
  'pages/de/login.html': 'Anmelden',
  'pages/fr/login.html': 'Connexion',
  'pages/de/dashboard.html': 'Übersicht',
  'app/de.html': 'Die App',
};
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'web-'));
  await mkdir(join(folder, 'assets'));
  await writeFile(join(folder, 'index.html'), '<title>The app</title>');
  for (const name of ['icon.svg', 'assets/main-1a2b.js', 'assets/main-1a2b.js.map', 'main.js.map'])
    await writeFile(join(folder, name), 'content');
  serveWeb(app, folder);
  for (const name of ['pages/en', 'pages/de', 'pages/fr', 'app'])
    await mkdir(join(folder, name), { recursive: true });
  for (const [name, title] of Object.entries(prerenderedPages))
    await writeFile(join(folder, name), `<title>${title}</title>`);
  serveWeb(prerenderedApp, folder);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

test.each(['/', '/login', '/dashboard/contacts', '/dashboard/campaigns/1'])('%s is a page', async (path) => {
  const response = await app.request(path);
  expect([response.status, await response.text()]).toEqual([200, '<title>The app</title>']);
  const policy = response.headers.get('content-security-policy') ?? '';
  expect(policy).toContain("style-src 'self';");
  expect(policy).not.toContain('unsafe');
  expect(response.headers.get('cross-origin-opener-policy')).toBe('same-origin');
  expect(response.headers.get('permissions-policy')).toContain('camera=()');
});

test.each(['/icon.svg', '/assets/main-1a2b.js'])('%s is a file', async (path) => {
  expect((await app.request(path)).status).toBe(200);
});

test.each([
  ...['/api', '/api/nothing', '/webhooks', '/webhooks/rcs/acme', '/metrics', '/metrics/'],
  ...['/assets/gone.js', '/assets/nothing', '/favicon.ico', '/.env', '/.git/config.txt', '/wp-login.php'],
  ...['/assets/main-1a2b.js.map', '/main.js.map'],
])('%s is nothing, and no page pretends otherwise', async (path) => {
  const response = await app.request(path);
  expect([response.status, await response.json()]).toMatchObject([
    404,
    { error: { code: 'address_unknown' } },
  ]);
});

test.each([
  ['/login', {}, 'Sign in', 'en'],
  ['/login', { 'accept-language': 'de-CH,de;q=0.9,en;q=0.8' }, 'Anmelden', 'de'],
  ['/login', { 'accept-language': 'de', cookie: 'a=1; language=fr' }, 'Connexion', 'fr'],
  ['/login', { cookie: 'language=../../secret' }, 'Sign in', 'en'],
  ['/dashboard', { 'accept-language': 'de' }, 'Die App', 'de'],
  ['/dashboard', { 'accept-language': 'de', cookie: 'messaging.session_token=x' }, 'Übersicht', 'de'],
  ['/dashboard/campaigns/1', { 'accept-language': 'de' }, 'Die App', 'de'],
  ['/dashboard/campaigns/1', { 'accept-language': 'es' }, 'The app', 'es'],
])('%s with %o is “%s”', async (path, headers, title, language) => {
  const response = await prerenderedApp.request(path, { headers });
  expect(await response.text()).toBe(`<title>${title}</title>`);
  expect(response.headers.get('content-language')).toBe(language);
  expect(response.headers.get('vary')).toContain('Cookie, Accept-Language');
  expect(response.headers.get('cache-control')).toBe('no-cache');
});
