import { Hono } from 'hono';
import { isObject, objectOf, objectsOf, parseJson, textOf, type JsonObject } from '../../core/json.ts';
import { verifyCallback } from '../../core/webhook-sender.ts';
import { changeBehaviour, longestLatency } from '../behaviour.ts';
import { errorTitle, knownErrorCodes } from '../errors.ts';
import { receiveInbound } from '../inbound.ts';
import { listMagicNumbers } from '../magic-numbers.ts';
import { messageStates } from '../messages/message-ledger.ts';
import type { Platform, QueuedError } from '../platform.ts';
import { sampleIds } from '../seed.ts';
import { permissions } from '../store.ts';

/** `/_sandbox/whatsapp/…`: what tests and the page do to the pretended platform. */
export function controlRoutes(platform: Platform): Hono {
  const app = new Hono();

  app.post('/inbound', async (c) => {
    const body = parseJson(await c.req.text());
    const inputs = Array.isArray(body) ? objectsOf(body) : [objectOf(body)];
    const results = inputs.map((input) => receiveInbound(platform, input));
    const problem = results.find((result) => 'problem' in result);
    if (problem) return c.json({ error: problem }, 400);
    const ids = results.map((result) => ('messageId' in result ? result.messageId : ''));
    return c.json({ success: true, messageId: ids[0], ...(Array.isArray(body) ? { messageIds: ids } : {}) });
  });

  app.get('/behaviour', (c) => c.json(platform.behaviour));
  app.post('/behaviour', async (c) => {
    const next = changeBehaviour(platform.behaviour, parseJson(await c.req.text()));
    if ('wrong' in next)
      return c.json({ error: { message: `Not understood: ${next.wrong.join(', ')}` } }, 400);
    platform.behaviour = next;
    platform.answers.shorten(longestLatency(next));
    platform.changed();
    return c.json(next);
  });

  app.get('/messages', (c) => {
    if (!platform.behaviour.record) return c.json({ messages: [], next: null });
    const limit = Math.min(Number(c.req.query('limit') ?? 10_000) || 10_000, 100_000);
    const after = c.req.query('after');
    const recipient = c.req.query('recipient');
    const tag = c.req.query('tag');
    const entries = platform.ledger.list(after === undefined ? 0 : Number(after) + 1, limit, {
      ...(recipient === undefined ? {} : { recipient: recipient.replace(/^\+/, '') }),
      ...(tag === undefined ? {} : { tag }),
    });
    // The latest are known by their words as well.
    const bodies = new Map(
      [...platform.conversations.entries.newestFirst()].map(({ index, message }) => [index, message]),
    );
    const messages = entries.map((entry) => {
      const [type, category, , template] = entry.kind.split('|');
      return {
        id: platform.messageIds.idOf(entry.index, entry.recipient),
        index: entry.index,
        recipient: entry.recipient,
        to: /^\d+$/.test(entry.recipient) ? `+${entry.recipient}` : entry.recipient,
        biz_opaque_callback_data: entry.tag === '' ? null : entry.tag,
        phoneNumberId: entry.numberId,
        type,
        category,
        template: template === '' ? null : template,
        status: entry.state,
        failCode: entry.failCode === 0 ? null : entry.failCode,
        acceptedAt: new Date(entry.acceptedAt).toISOString(),
        body: bodies.get(entry.index) ?? null,
      };
    });
    const last = entries.at(-1);
    return c.json({ messages, next: messages.length === limit && last ? String(last.index) : null });
  });

  app.get('/stats', (c) => c.json(statsOf(platform)));
  app.get('/magic-numbers', (c) => c.json({ numbers: listMagicNumbers() }));
  app.get('/error-codes', (c) =>
    c.json({ codes: knownErrorCodes.map((code) => ({ code, title: errorTitle(code) })) }),
  );

  app.get('/webhook', (c) => c.json({ apps: [...platform.store.apps.values()].map(showApp) }));
  app.post('/webhook', async (c) => {
    const body = objectOf(parseJson(await c.req.text()));
    const target = platform.store.apps.get(textOf(body['appId']) ?? sampleIds.app);
    if (!target) return c.json({ error: { message: 'There is no such app' } }, 404);
    const callbackUrl = textOf(body['callbackUrl']);
    if (callbackUrl !== undefined && !URL.canParse(callbackUrl)) {
      return c.json({ error: { message: 'callbackUrl is not an address' } }, 400);
    }
    if (callbackUrl !== undefined) target.callbackUrl = callbackUrl;
    target.verifyToken = textOf(body['verifyToken']) ?? target.verifyToken;
    target.secret = textOf(body['appSecret']) ?? target.secret;
    const fields: unknown = body['fields'];
    if (Array.isArray(fields)) target.fields = fields.map(String);
    platform.changed();
    const handshake =
      target.callbackUrl && body['handshake'] !== false
        ? await verifyCallback(target.callbackUrl, target.verifyToken, String(Date.now()))
        : null;
    return c.json({ success: true, app: showApp(target), handshake });
  });

  app.get('/webhooks', (c) => {
    const limit = Number(c.req.query('limit') ?? 100) || 100;
    const records = [...platform.sender.log.newestFirst()].slice(0, limit);
    return c.json({
      webhooks: records.map(({ body, ...record }) => ({ ...record, bytes: body?.length ?? null })),
    });
  });
  app.get('/webhooks/:id', (c) => {
    const record = platform.sender.log.find((item) => item.id === Number(c.req.param('id')));
    if (!record) return c.json({ error: { message: 'Not in the log' } }, 404);
    return c.json({
      ...record,
      body: record.body ? (parseJson(record.body.toString('latin1')) ?? null) : null,
    });
  });
  app.post('/webhooks/:id/replay', (c) => {
    const record = platform.sender.log.find((item) => item.id === Number(c.req.param('id')));
    const owner = [...platform.store.apps.values()].find((item) => item.callbackUrl === record?.url);
    const secret = owner?.secret ?? platform.store.apps.get(sampleIds.app)?.secret ?? '';
    const times = Math.min(Number(c.req.query('times') ?? 1) || 1, 100_000);
    let isSent = false;
    for (let i = 0; i < times; i++) isSent = platform.sender.replay(Number(c.req.param('id')), secret);
    return isSent ? c.json({ success: true }) : c.json({ error: { message: 'Not in the log' } }, 404);
  });

  app.get('/calls', (c) =>
    c.json({ calls: [...platform.calls.newestFirst()].slice(0, Number(c.req.query('limit') ?? 100)) }),
  );

  app.get('/errors', (c) => c.json({ errors: platform.queuedErrors }));
  app.delete('/errors', (c) => {
    platform.queuedErrors = [];
    platform.changed();
    return c.json({ success: true });
  });
  app.post('/errors', async (c) => {
    const body = objectOf(parseJson(await c.req.text()));
    const queued = readQueuedError(body);
    if (!queued)
      return c.json(
        { error: { message: 'Give code (a number), or kind cut, hang, garbage, accept-then-cut' } },
        400,
      );
    platform.queuedErrors.push(queued);
    platform.changed();
    return c.json({ success: true, queued });
  });

  app.post('/account/event', async (c) => {
    const body = objectOf(parseJson(await c.req.text()));
    const account = platform.store.accounts.get(textOf(body['accountId']) ?? sampleIds.account);
    const field = textOf(body['field']) ?? 'account_update';
    if (!account || !isObject(body['value']))
      return c.json({ error: { message: 'value must be an object' } }, 400);
    const numberId = textOf(body['phoneNumberId']);
    const number = numberId === undefined ? undefined : platform.store.numbers.get(numberId);
    if (numberId !== undefined && !number)
      return c.json({ error: { message: 'There is no such phone number id' } }, 400);
    if (number) platform.sendNumberWebhook(number, field, body['value'], field);
    else platform.sendAccountWebhook(account, field, body['value'], field);
    return c.json({ success: true });
  });

  app.post('/tokens', async (c) => {
    const body = objectOf(parseJson(await c.req.text()));
    const token = textOf(body['token']);
    const appId = textOf(body['appId']) ?? sampleIds.app;
    const problems = ['expired', 'revoked', 'no-permission'] as const;
    const problem = problems.find((item) => item === body['problem']) ?? null;
    if (!token || !platform.store.apps.has(appId))
      return c.json({ error: { message: 'token and appId are needed' } }, 400);
    const expiresAt = body['expiresAt'];
    const given = body['permissions'];
    platform.store.tokens.set(token, {
      ...{ appId, problem },
      ...(typeof expiresAt === 'number' && { expiresAt }),
      ...(Array.isArray(given) && { permissions: permissions.filter((one) => given.includes(one)) }),
    });
    platform.changed();
    return c.json({ success: true });
  });

  return app;
}

function statsOf(platform: Platform): JsonObject {
  const { ledger, statuses, sender } = platform;
  const { acknowledged, discarded, ...byState } = statuses.counts;
  return {
    accepted: ledger.accepted,
    distinctRecipients: ledger.distinctRecipients,
    byRecipientMax: ledger.byRecipientMax,
    distinctTags: ledger.distinctTags,
    byTagMax: ledger.byTagMax,
    statusesSent: acknowledged,
    statusesPending: statuses.pending,
    statusesDiscarded: discarded,
    statuses: Object.fromEntries(
      messageStates.slice(1).map((state) => [state, byState[state as keyof typeof byState]]),
    ),
    maxInAnySecond: platform.maxInAnySecond,
    rejected: Object.values(platform.rejectedByCode).reduce((sum, count) => sum + count, 0),
    rejectedByCode: platform.rejectedByCode,
    webhooks: {
      delivered: sender.counts.delivered,
      failed: sender.counts.failedAttempts,
      pending: sender.pending,
      dropped: sender.counts.dropped,
      duplicates: sender.counts.duplicates,
    },
    memoryBytes: process.memoryUsage.rss(),
  };
}

function readQueuedError(body: JsonObject): QueuedError | undefined {
  const kinds = ['cut', 'hang', 'garbage', 'accept-then-cut'] as const;
  const kind = kinds.find((item) => item === body['kind']) ?? 'error';
  const code = Number(body['code'] ?? 0);
  if (kind === 'error' && (body['code'] === undefined || !Number.isInteger(code))) return undefined;
  const remaining = Math.max(1, Math.floor(Number(body['count'] ?? 1)) || 1);
  return { code, remaining, endpoint: textOf(body['endpoint']) ?? 'messages', kind };
}

function showApp(app: {
  id: string;
  callbackUrl: string | null;
  verifyToken: string;
  fields: string[] | null;
}): JsonObject {
  return { id: app.id, callbackUrl: app.callbackUrl, verifyToken: app.verifyToken, fields: app.fields };
}
