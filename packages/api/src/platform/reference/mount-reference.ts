import type { Hono } from 'hono';
import type { FileRoute } from '../http-edge/file-routes.ts';
import { describeApi, type ApiDescription } from './describe-api.ts';
import { renderReference, STYLE_PATH } from './reference-page.ts';
import { referenceStyle } from './reference-style.ts';

/** Stricter than that of the app: the page has a style and nothing else. */
const POLICY =
  "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
const AN_HOUR = 'public, max-age=3600';

/** The description of the API, and the page that is drawn from it: for everybody, and made when it is first asked for. */
export function mountReference(app: Hono, publicUrl: string, files: readonly FileRoute[]): void {
  let description: Promise<ApiDescription> | undefined;
  let page: Promise<string> | undefined;
  const describe = () => (description ??= describeApi(publicUrl, files));
  app.get('/api/openapi.json', async (c) => c.json(await describe()));
  app.get('/api/docs', async (c) => {
    c.header('content-security-policy', POLICY);
    return c.html(await (page ??= describe().then(renderReference)));
  });
  app.get(STYLE_PATH, (c) =>
    c.body(referenceStyle, 200, { 'content-type': 'text/css; charset=utf-8', 'cache-control': AN_HOUR }),
  );
}
