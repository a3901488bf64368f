import { html } from 'hono/html';
import { randomBytes } from 'node:crypto';
import type { Context, Hono } from 'hono';
import { textOf } from '../core/json.ts';
import { SLACK_APP, type SlackAccount } from './slack-account.ts';

const CODE_MS = 10 * 60_000;
/** Nothing runs on it; every choice is a link. */
const PAGE_HEADERS = {
  'content-security-policy':
    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
};

/** OAuth v2: the page on which a person allows the app, and the exchange of its code. */
export function mountConsent(routes: Hono, account: SlackAccount): void {
  routes.get('/oauth/v2/authorize', (c) => {
    const [client, scope, redirectUrl] = ['client_id', 'scope', 'redirect_uri'].map((name) =>
      c.req.query(name),
    );
    if (client !== SLACK_APP.id) return page(c, 'Invalid client_id parameter', []);
    if (!scope) return page(c, 'Invalid permissions requested', []);
    if (!redirectUrl || !isRedirect(redirectUrl))
      return page(
        c,
        'redirect_uri did not match any configured URIs. Passed URI: ' + (redirectUrl ?? ''),
        [],
      );
    const query = new URL(c.req.url).searchParams;
    // Where the stand-in is mounted.
    const choose = (choice: string) =>
      `choose?${new URLSearchParams([...query, ['choice', choice]]).toString()}`;
    return page(c, 'Messaging is requesting permission to access the Barro & Sal workspace', [
      { text: 'Allow', address: choose('allow') },
      { text: 'Cancel', address: choose('deny') },
    ]);
  });
  routes.get('/oauth/v2/choose', (c) => {
    const redirectUrl = c.req.query('redirect_uri') ?? '';
    if (!isRedirect(redirectUrl)) return page(c, 'redirect_uri did not match any configured URIs.', []);
    const back = new URL(redirectUrl);
    if (c.req.query('choice') === 'allow') {
      const code = randomBytes(16).toString('hex');
      account.codes.set(code, { redirectUrl, expiresAt: Date.now() + CODE_MS });
      back.searchParams.set('code', code);
    } else back.searchParams.set('error', 'access_denied');
    back.searchParams.set('state', c.req.query('state') ?? '');
    return c.redirect(back.toString(), 302);
  });
  routes.post('/api/oauth.v2.access', async (c) => {
    const fail = (error: string) => c.json({ ok: false, error });
    const body: Record<string, unknown> = await c.req.parseBody();
    const basic = Buffer.from(
      (c.req.header('authorization') ?? '').replace(/^Basic /, ''),
      'base64',
    ).toString();
    const [id = '', secret = ''] = basic.includes(':')
      ? basic.split(':')
      : [textOf(body['client_id']), textOf(body['client_secret'])];
    if (id !== SLACK_APP.id) return fail('invalid_client_id');
    if (secret !== SLACK_APP.secret) return fail('bad_client_secret');
    const code = textOf(body['code']) ?? '';
    const found = account.codes.get(code);
    // A code is taken once.
    account.codes.delete(code);
    if (!found || found.expiresAt < Date.now()) return fail('invalid_code');
    if (found.redirectUrl !== textOf(body['redirect_uri'])) return fail('bad_redirect_uri');
    return c.json({
      ...{ ok: true, access_token: account.issueToken(), token_type: 'bot', app_id: 'A0SANDBOX' },
      ...{ scope: 'chat:write,channels:read', bot_user_id: 'U0BOT', authed_user: { id: 'U0ANNA' } },
      ...{ team: { id: 'T0SANDBOX', name: 'Barro & Sal' }, enterprise: null, is_enterprise_install: false },
    });
  });
}

/** As its app has it: the page of integrations of any installation. */
function isRedirect(address: string): boolean {
  return (
    URL.canParse(address) &&
    /^https?:$/.test(new URL(address).protocol) &&
    address.endsWith('/dashboard/integrations')
  );
}

function page(c: Context, title: string, choices: readonly { text: string; address: string }[]) {
  for (const [name, value] of Object.entries(PAGE_HEADERS)) c.header(name, value);
  return c.html(
    html`<!doctype html>
      <html lang="en">
        <head>
          <meta charset="utf-8" />
          <meta name="viewport" content="width=device-width, initial-scale=1" />
          <title>Slack of the sandbox</title>
          <style>
            :root {
              color-scheme: light dark;
              font:
                16px/1.5 system-ui,
                sans-serif;
            }
            main {
              max-width: 26rem;
              margin: 12vh auto;
              padding: 0 1.25rem;
            }
            h1 {
              font-size: 1.3rem;
            }
          </style>
        </head>
        <body>
          <main>
            <h1>${title}</h1>
            ${choices.map(({ text, address }) => html`<p><a href="${address}">${text}</a></p>`)}
          </main>
        </body>
      </html>`,
    choices.length > 0 ? 200 : 400,
  );
}
