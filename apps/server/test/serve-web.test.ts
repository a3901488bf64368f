import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Hono } from 'hono';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { serveWeb } from '../src/serve-web.ts';

let folder: string;
const app = new Hono();
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'web-'));
  await mkdir(join(folder, 'assets'));
  await writeFile(join(folder, 'index.html'), '<title>The app</title>');
  for (const name of ['icon.svg', 'assets/main-1a2b.js', 'assets/main-1a2b.js.map', 'main.js.map'])
    await writeFile(join(folder, name), 'content');
  serveWeb(app, folder);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

test.each(['/', '/login', '/dashboard/contacts', '/dashboard/campaigns/1'])('%s is a page', async (path) => {
  const response = await app.request(path);
  expect([response.status, await response.text()]).toEqual([200, '<title>The app</title>']);
  const policy = response.headers.get('content-security-policy') ?? '';
  expect(policy).toContain("style-src 'self';");
  expect(policy).not.toContain('unsafe');
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
