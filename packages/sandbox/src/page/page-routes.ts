import { readdirSync, readFileSync } from 'node:fs';
import { Hono } from 'hono';
import type { MailBox } from '../core/mail-box.ts';
import type { StandInEvent } from '../core/stand-in.ts';
import { defaultBehaviour } from '../whatsapp-cloud/behaviour.ts';
import { textOf } from '../core/json.ts';
import { listMagicNumbers } from '../whatsapp-cloud/magic-numbers.ts';
import type { Platform } from '../whatsapp-cloud/platform.ts';
import { describeConsole } from './console-view.ts';
import { writePage } from './parts.ts';
import { describeChats, describeOwner, describePhone } from './phone-view.ts';

const securityHeaders = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: https: http:; media-src 'self' https: http:; connect-src 'self'; frame-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
};

type ShownService = { name: string; title: string; events: readonly StandInEvent[]; hasPeople: boolean };

/** The page for people: phones, mail, calls, webhooks and switches. */
export function pageRoutes(platform: Platform, mailBox: MailBox, services: readonly ShownService[]): Hono {
  const app = new Hono();
  const answer = (path: string, text: string, type: string) =>
    app.get(path, (c) => c.body(text, 200, { ...securityHeaders, 'content-type': `${type}; charset=utf-8` }));
  const serve = (path: string, file: string, type: string) =>
    answer(path, readFileSync(new URL(file, import.meta.url), 'utf8'), type);
  answer('/', writePage(), 'text/html');
  for (const file of readdirSync(new URL('scripts', import.meta.url)))
    serve(`/page/${file}`, `scripts/${file}`, 'text/javascript');
  for (const file of readdirSync(new URL('styles', import.meta.url)))
    serve(`/page/${file}`, `styles/${file}`, 'text/css');

  app.get('/_sandbox/page/state', (c) => {
    const version = platform.version;
    if (c.req.query('since') === String(version)) return c.body(null, 204);
    return c.json({
      version,
      numbers: [...platform.store.numbers.values()].map(
        ({ id, displayPhoneNumber, verifiedName, profile }) => ({
          ...{ id, displayPhoneNumber, verifiedName },
          // By whatever name the page was opened.
          picture: URL.parse(textOf(profile['profile_picture_url']) ?? '')?.pathname ?? null,
        }),
      ),
      console: describeConsole(platform),
      chats: describeChats(platform),
      mails: [...mailBox.mails.newestFirst()].slice(0, 50),
      calls: [...platform.calls.newestFirst()].slice(0, 100),
      webhooks: [...platform.sender.log.newestFirst()].slice(0, 100).map(({ body, ...record }) => ({
        ...record,
        bytes: body?.length ?? null,
      })),
      behaviour: platform.behaviour,
      usual: defaultBehaviour,
      queuedErrors: platform.queuedErrors,
      templates: [...platform.store.templates.values()].map(({ id, name, language, status, category }) => ({
        ...{ id, name, language, status, category },
      })),
    });
  });

  app.get('/_sandbox/page/phone', (c) => {
    const { number = '', user: dialled = '' } = c.req.query();
    const user = platform.people.waIdOf(dialled);
    return c.json({
      owner: describeOwner(platform, number, user),
      messages: describePhone(platform, number, user),
    });
  });

  // Those whose records can be changed by hand.
  app.get('/_sandbox/page/services', (c) => c.json({ services }));

  app.get('/_sandbox/page/magic-numbers', (c) => c.json({ numbers: listMagicNumbers() }));

  // Files of customers and of the product: shown as pictures only, never run as a page.
  app.get('/_sandbox/whatsapp/media/:id', (c) => {
    const media = platform.store.media.get(c.req.param('id'));
    if (!media) return c.text('Not found', 404);
    return c.body(new Uint8Array(media.bytes), 200, fileHeaders(media.mimeType));
  });
  app.get('/_sandbox/whatsapp/samples/:handle', (c) => {
    const code = /^qr-([A-Z2-7]{14})\.(?:png|svg)$/.exec(c.req.param('handle'))?.[1];
    if (code) return c.body(drawCode(code), 200, fileHeaders('image/svg+xml'));
    const sample = platform.store.handles.get(c.req.param('handle'));
    if (!sample) return c.text('Not found', 404);
    return c.body(new Uint8Array(sample.bytes), 200, fileHeaders(sample.mimeType));
  });

  return app;
}

/** A picture in the place of a QR code: it names the code but cannot be scanned. */
function drawCode(code: string): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" width="200" height="200"><rect width="200" height="200" fill="#fff"/><text x="100" y="104" text-anchor="middle" font-family="monospace" font-size="15">${code}</text></svg>`;
}

function fileHeaders(mimeType: string): Record<string, string> {
  const isShown = /^(image\/(png|jpeg|webp|gif)|video\/|audio\/)/.test(mimeType);
  return {
    'content-type': isShown ? mimeType : 'application/octet-stream',
    'content-disposition': isShown ? 'inline' : 'attachment',
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none'; sandbox",
  };
}
