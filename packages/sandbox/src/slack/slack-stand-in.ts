import type { Context } from 'hono';
import { objectOf, parseJson, textOf, type JsonObject } from '../core/json.ts';
import type { StandIn } from '../core/stand-in.ts';
import { vendorControls, vendorRoutes } from '../core/vendor-routes.ts';
import { SlackAccount, type SlackPost } from './slack-account.ts';
import { mountConsent } from './slack-consent.ts';

const LONGEST_TEXT = 40_000;

/** The Web API of Slack at `/slack/api`. Errors are 200 with `ok: false`. */
export function slackStandIn(): StandIn<SlackAccount> {
  const account = new SlackAccount();
  const routes = vendorRoutes(account, {
    limit: (c, seconds) =>
      c.json({ ok: false, error: 'ratelimited' }, 429, {
        ...(seconds !== null && { 'retry-after': String(seconds) }),
      }),
    unavailable: (c) => c.json({ ok: false, error: 'service_unavailable' }, 503),
  });
  const fail = (c: Context, error: string) => c.json({ ok: false, error });
  /** The body, where the token is right; else the error. Methods that write take JSON and forms, the others read nothing of JSON. */
  const open = async (c: Context): Promise<JsonObject | string> => {
    const token = c.req.header('authorization');
    if (token === undefined) return 'not_authed';
    if (account.behaviour.isRevoked) return 'token_revoked';
    if (!account.tokens.has(token.replace(/^Bearer /, ''))) return 'invalid_auth';
    if (!(c.req.header('content-type') ?? '').includes('json')) return objectOf(await c.req.parseBody());
    return c.req.path.endsWith('/chat.postMessage')
      ? objectOf(await c.req.json().catch(() => undefined))
      : {};
  };
  const show = ({ ts, thread, text, user, metadata }: SlackPost, isAll: boolean) => ({
    ...{ type: 'message', ts, text, user, ...(thread && { thread_ts: thread }) },
    ...(isAll && metadata !== null && { metadata }),
  });

  routes.post('/api/auth.test', async (c) => {
    const body = await open(c);
    if (typeof body === 'string') return fail(c, body);
    return c.json({
      ...{ ok: true, url: 'https://barro-y-sal.slack.com/', team: 'Barro & Sal', user: 'messaging' },
      ...{ team_id: 'T0SANDBOX', user_id: 'U0BOT', bot_id: 'B0BOT' },
    });
  });
  routes.post('/api/auth.revoke', async (c) => {
    const body = await open(c);
    if (typeof body === 'string') return fail(c, body);
    account.tokens.delete((c.req.header('authorization') ?? '').replace(/^Bearer /, ''));
    return c.json({ ok: true, revoked: true });
  });
  mountConsent(routes, account);
  routes.post('/api/conversations.list', async (c) => {
    const body = await open(c);
    if (typeof body === 'string') return fail(c, body);
    const types = (textOf(body['types']) ?? 'public_channel').split(',');
    const channels = account.channels.filter(({ is_private: isPrivate }) =>
      types.includes(isPrivate ? 'private_channel' : 'public_channel'),
    );
    const from = Number(textOf(body['cursor']) ?? 0);
    const until = from + Number(body['limit'] ?? 100);
    const next = until < channels.length ? String(until) : '';
    const shown = channels.slice(from, until);
    return c.json({ ok: true, channels: shown, response_metadata: { next_cursor: next } });
  });
  routes.post('/api/chat.postMessage', async (c) => {
    const body = await open(c);
    if (typeof body === 'string') return fail(c, body);
    const [channel, text, thread] = ['channel', 'text', 'thread_ts'].map((name) => textOf(body[name]));
    if (!account.channels.some(({ id }) => id === channel)) return fail(c, 'channel_not_found');
    if (account.behaviour.isRemoved) return fail(c, 'not_in_channel');
    if (!text) return fail(c, 'no_text');
    if (text.length > LONGEST_TEXT) return fail(c, 'msg_too_long');
    const post = account.add({
      ...{ channel: channel ?? '', thread: thread ?? null, text, user: 'U0BOT' },
      ...{ metadata: valueOf(body['metadata']), blocks: valueOf(body['blocks']) },
    });
    if (account.behaviour.loseNextAnswers > 0) {
      account.behaviour.loseNextAnswers -= 1;
      return c.json({ ok: false, error: 'internal_error' }, 500);
    }
    return c.json({ ok: true, channel, ts: post.ts, message: show(post, false) });
  });
  routes.post('/api/users.info', async (c) => {
    const body = await open(c);
    if (typeof body === 'string') return fail(c, body);
    const user = account.people.find(({ id }) => id === body['user']);
    return user ? c.json({ ok: true, user }) : fail(c, 'user_not_found');
  });
  const list = async (c: Context, isWanted: (post: SlackPost, body: JsonObject) => boolean) => {
    const body = await open(c);
    if (typeof body === 'string') return fail(c, body);
    if (textOf(body['channel']) === undefined) return fail(c, 'invalid_arguments');
    const found = account.posts.filter(
      (post) => post.channel === body['channel'] && Number(post.ts) >= Number(body['oldest'] ?? 0),
    );
    return c.json({
      ok: true,
      messages: found
        .filter((post) => isWanted(post, body))
        .map((post) => show(post, body['include_all_metadata'] === 'true')),
    });
  };
  routes.post('/api/conversations.history', (c) => list(c, ({ thread }) => thread === null));
  routes.post('/api/conversations.replies', (c) =>
    list(c, ({ ts, thread }, body) => ts === body['ts'] || thread === body['ts']),
  );
  const events = [{ name: 'url_verification', text: 'Slack checks the address for replies' }];
  return { account, events, routes, controls: vendorControls(account) };
}

/** A form carries lists and objects as JSON. */
function valueOf(value: unknown): unknown {
  return typeof value === 'string' ? (parseJson(value) ?? null) : (value ?? null);
}
