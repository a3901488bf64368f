import { randomBytes, randomUUID } from 'node:crypto';
import type { Hono } from 'hono';
import { objectOf, parseJson, textOf, type JsonObject } from '../core/json.ts';
import {
  mailchimpChanges,
  MailchimpRejection,
  mailchimpSources,
  type MailchimpAccount,
  type MailchimpWebhook,
} from './mailchimp-account.ts';

/** Webhooks of the audience. The secret of a new one is shown once; an address that does not answer a GET is refused. */
export function mountWebhooks(app: Hono, account: MailchimpAccount, path: string): void {
  app.get(path, (c) => {
    const all = [...account.webhooks.values()];
    return c.json({ webhooks: all.map(show), list_id: c.req.param('list'), total_items: all.length });
  });
  app.post(path, async (c) => {
    const body = objectOf(parseJson(await c.req.text()));
    const url = textOf(body['url']) ?? '';
    if ([...account.webhooks.values()].some((one) => one.url === url))
      throw new MailchimpRejection('Sorry, you can’t set up multiple WebHooks for one URL.');
    const answers = await fetch(url).then(
      ({ ok }) => ok,
      () => false,
    );
    if (!answers) throw new MailchimpRejection('We couldn’t verify the URL you entered.');
    const made: MailchimpWebhook = {
      ...{ id: randomUUID().slice(0, 10), url, secret: randomBytes(24).toString('hex') },
      events: flagsOf(mailchimpChanges, body['events']),
      sources: flagsOf(mailchimpSources, body['sources']),
    };
    account.webhooks.set(made.id, made);
    return c.json({ ...show(made), list_id: c.req.param('list'), signing_secret: made.secret });
  });
  app.delete(`${path}/:id`, (c) => {
    const isKnown = account.webhooks.delete(c.req.param('id'));
    return isKnown ? c.body(null, 204) : c.json({ title: 'Resource Not Found', status: 404 }, 404);
  });
}

function flagsOf<Name extends string>(names: readonly Name[], given: unknown): Record<Name, boolean> {
  const flags: JsonObject = objectOf(given);
  return Object.fromEntries(names.map((name) => [name, flags[name] === true])) as Record<Name, boolean>; // each of them
}

const show = ({ secret: _secret, ...shown }: MailchimpWebhook) => shown;
