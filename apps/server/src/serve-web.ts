import { existsSync, readdirSync } from 'node:fs';
import { join, sep } from 'node:path';
import { serveStatic } from '@hono/node-server/serve-static';
import { bringsSession } from '@app/api/auth/cookie-names';
import { languageOf } from '@app/api/platform/words/language-of';
import { refuse } from '@app/api/platform/http-edge/refuse';
import type { InterfaceLanguage } from '@app/domain/text/interface-language';
import type { Context, Hono } from 'hono';

const A_YEAR = 'public, max-age=31536000, immutable';

/** What a page may load and run: our own files only, no inline script and no inline style. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'self'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "media-src 'self' blob:",
  "font-src 'self'",
  "connect-src 'self'",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ');

/** Of what a browser can do, a page needs the microphone alone, for voice messages. */
const PERMISSIONS_POLICY = [
  'camera=()',
  'display-capture=()',
  'geolocation=()',
  'microphone=(self)',
  'payment=()',
  'usb=()',
].join(', ');

/**
 * Serves the built web app: files with a hash in their name for a year, every other address as the app itself.
 * Compressed copies made by the build (`.br`, `.gz`) are sent where the browser takes them.
 */
export function serveWeb(app: Hono, distFolder: string): void {
  const drawn = readPrerenderedPages(distFolder);
  app.use('*', async (c, next) => {
    await next();
    c.header('content-security-policy', CONTENT_SECURITY_POLICY);
    c.header('referrer-policy', 'strict-origin-when-cross-origin');
    c.header('x-frame-options', 'DENY');
    c.header('cross-origin-opener-policy', 'same-origin');
    c.header('permissions-policy', PERMISSIONS_POLICY);
  });
  const assets = serveStatic({
    root: distFolder,
    precompressed: true,
    onFound: (_, c) => c.header('cache-control', A_YEAR),
  });
  app.use('/assets/*', async (c, next) => (isMap(c.req.path) ? next() : assets(c, next)));
  const files = serveStatic({
    root: distFolder,
    precompressed: true,
    onFound: (_, c) => c.header('cache-control', 'no-cache'),
  });
  app.use('*', async (c, next) => (isOfPage(c.req.path) || isMap(c.req.path) ? next() : files(c, next)));
  app.get('*', async (c, next) => {
    if (!isOfPage(c.req.path)) return next();
    const language = languageOf(c.req.raw);
    const page = serveStatic({ root: distFolder, path: pageFile(drawn, language, c), precompressed: true });
    c.header('content-language', language);
    c.header('cache-control', 'no-cache');
    c.header('vary', 'Cookie, Accept-Language', { append: true });
    return page(c, next);
  });
  // What is neither a page nor a file has no address: a page in its place would look like an answer to a program.
  app.notFound(() => refuse('address_unknown'));
}

/** Addresses of programs and of files are never answered with a page. */
function isOfPage(path: string): boolean {
  return (
    !/^\/(api|webhooks|hooks|forms|reports|assets|metrics)(\/|$)/.test(path) &&
    !path.slice(path.lastIndexOf('/')).includes('.')
  );
}

/** A build of somebody's own may have left them; they are the source of the web app, with its comments. */
function isMap(path: string): boolean {
  return path.endsWith('.map');
}

/** What the build has drawn: `/login` in German is `pages/de/login.html`, and any other address `app/de.html`. */
function readPrerenderedPages(distFolder: string): ReadonlySet<string> {
  const read = (folder: string) =>
    existsSync(join(distFolder, folder))
      ? readdirSync(join(distFolder, folder), { recursive: true, encoding: 'utf8' })
          .map((name) => `${folder}/${name.replaceAll(sep, '/')}`)
          .filter((name) => name.endsWith('.html'))
      : [];
  return new Set([...read('pages'), ...read('app')]);
}

/** The frame of the dashboard is for whoever seems to be signed in; the app sends everybody else to the sign-in page. */
function pageFile(drawn: ReadonlySet<string>, language: InterfaceLanguage, c: Context): string {
  const path = c.req.path.replace(/(.)\/+$/, '$1');
  const isOfDashboard = path.startsWith('/dashboard');
  const isStranger = isOfDashboard && !bringsSession(c.req.header('cookie'));
  const page = `pages/${language}${path === '/' ? '/index' : path}.html`;
  const wanted = [...(isStranger ? [] : [page]), `app/${language}.html`];
  return wanted.find((file) => drawn.has(file)) ?? 'index.html';
}
