import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { serveStatic } from '@hono/node-server/serve-static';
import type { Hono } from 'hono';

const A_YEAR = 'public, max-age=31536000, immutable';

/** What a page may load and run: our own files only, no inline script. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'self'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "media-src 'self' blob:",
  "font-src 'self'",
  "connect-src 'self'",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ');

/**
 * Serves the built web app: files with a hash in their name for a year, every other address as the app itself.
 * Compressed copies made by the build (`.br`, `.gz`) are sent where the browser takes them.
 */
export function serveWeb(app: Hono, distFolder: string): void {
  app.use('*', async (c, next) => {
    await next();
    c.header('content-security-policy', CONTENT_SECURITY_POLICY);
    c.header('x-content-type-options', 'nosniff');
    c.header('referrer-policy', 'strict-origin-when-cross-origin');
    c.header('x-frame-options', 'DENY');
  });
  app.use(
    '/assets/*',
    serveStatic({
      root: distFolder,
      precompressed: true,
      onFound: (_, c) => c.header('cache-control', A_YEAR),
    }),
  );
  app.get('/assets/*', (c) => c.text('There is no such file.', 404));
  const files = serveStatic({
    root: distFolder,
    precompressed: true,
    onFound: (_, c) => c.header('cache-control', 'no-cache'),
  });
  app.use('*', async (c, next) => (isAppAddress(c.req.path) ? next() : files(c, next)));
  app.get('*', async (c, next) => {
    if (c.req.path.startsWith('/api/') || c.req.path.startsWith('/webhooks/')) return next();
    const page = serveStatic({
      root: distFolder,
      path: pageFile(distFolder, c.req.path),
      precompressed: true,
    });
    c.header('cache-control', 'no-cache');
    return page(c, next);
  });
}

function isAppAddress(path: string): boolean {
  return (
    path.startsWith('/api/') ||
    path.startsWith('/webhooks/') ||
    !path.slice(path.lastIndexOf('/')).includes('.')
  );
}

/** The landing page may be pre-rendered as its own file; every other address starts the app. */
function pageFile(distFolder: string, path: string): string {
  return path === '/' && existsSync(join(distFolder, 'landing.html')) ? 'landing.html' : 'index.html';
}
