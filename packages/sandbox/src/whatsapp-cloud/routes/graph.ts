import { Hono, type Context } from 'hono';
import { textOf } from '../../core/json.ts';
import { authenticate } from '../access.ts';
import { GraphError, newTraceId } from '../errors.ts';
import { graphHeaders } from '../graph-headers.ts';
import type { Platform } from '../platform.ts';
import { latencyOf } from '../send-endpoint.ts';
import { sendMessage } from '../send-message.ts';
import { businessProfileRoutes } from './business-profile.ts';
import { readParameters, type GraphEnv } from './graph-env.ts';
import { mediaRoutes } from './media.ts';
import { messageTemplateRoutes } from './message-templates.ts';
import { nodeRoutes } from './nodes.ts';
import { phoneNumberRoutes } from './phone-numbers.ts';
import { subscriptionRoutes } from './subscriptions.ts';
import { uploadRoutes } from './uploads.ts';

/** Everything under `/graph/v{n}.0/`. */
export function graphRoutes(platform: Platform): Hono<GraphEnv> {
  const app = new Hono<GraphEnv>();
  app.use('/:version/*', async (c, next) => {
    const startedAt = performance.now();
    const delay = latencyOf(platform);
    if (delay > 0) await new Promise((resolve) => setTimeout(resolve, delay));
    await next();
    const traceId = c.res.headers.get('x-fb-trace-id') ?? newTraceId();
    for (const [name, value] of Object.entries(graphHeaders(c.req.param('version') ?? '', traceId))) {
      if (name !== 'content-type') c.res.headers.set(name, value);
    }
    await recordCall(platform, c, performance.now() - startedAt);
  });

  const versioned = new Hono<GraphEnv>();
  versioned.get('/oauth/access_token', async (c) => c.json(exchangeToken(platform, await readParameters(c))));
  versioned.post('/oauth/access_token', async (c) =>
    c.json(exchangeToken(platform, await readParameters(c))),
  );
  versioned.post('/:id{\\d+}/:edge{messages|marketing_messages}', async (c) => {
    const reply = sendMessage(platform, {
      numberId: c.req.param('id'),
      authorization: c.req.header('authorization'),
      queryToken: c.req.query('access_token'),
      body: await c.req.text(),
      forcedError: c.req.header('x-sandbox-force-error') ?? c.req.header('x-emulator-force-error'),
      endpoint: c.req.param('edge') === 'messages' ? 'messages' : 'marketing_messages',
    });
    if (reply.fault) throw new Error(`The connection would be ${reply.fault} here`);
    return new Response(reply.body, { status: reply.status, headers: graphHeaders('', reply.traceId) });
  });
  versioned.use('*', async (c, next) => {
    const endpoint = c.req.path.split('/').at(-1) ?? '';
    const queued = platform.takeQueuedError(/^\d+$|^upload:/.test(endpoint) ? 'node' : endpoint);
    const forced = c.req.header('x-sandbox-force-error') ?? c.req.header('x-emulator-force-error');
    if (queued?.kind === 'error') throw new GraphError(queued.code);
    if (forced !== undefined) throw new GraphError(Number(forced) || 0);
    if (queued?.kind === 'garbage') return c.html('<html><h1>Bad Gateway</h1>', 502);
    if (queued?.kind === 'cut') c.env.incoming?.socket.destroy();
    if (queued?.kind === 'hang') return new Promise<Response>(() => {});
    c.set('graphApp', authenticate(platform, c.req.header('authorization'), c.req.query('access_token')));
    countManagementCall(platform, c);
    await next();
    if (queued?.kind === 'accept-then-cut') c.env.incoming?.socket.destroy();
    return undefined;
  });
  versioned.get('/debug_token', (c) =>
    c.json({ data: describeToken(platform, c.req.query('input_token') ?? '') }),
  );
  for (const routes of [
    mediaRoutes(platform),
    uploadRoutes(platform),
    messageTemplateRoutes(platform),
    phoneNumberRoutes(platform),
    businessProfileRoutes(platform),
    subscriptionRoutes(platform),
    nodeRoutes(platform),
  ]) {
    versioned.route('/', routes);
  }
  const refuseUnknownPath = (c: Context) => {
    throw new GraphError(2500, { message: `Unknown path components: ${c.req.path.replace(/^\/graph/, '')}` });
  };
  versioned.all('*', refuseUnknownPath);
  app.route('/:version{v\\d+\\.\\d+}', versioned);
  app.all('*', refuseUnknownPath);

  app.onError((error) => answerError(platform, error));
  return app;
}

function answerError(platform: Platform, error: Error): Response {
  if (!(error instanceof GraphError)) throw error;
  platform.countRejected(error.code);
  const traceId = newTraceId();
  const status = error.status(platform.behaviour.throttleStatus);
  return new Response(JSON.stringify(error.toBody(traceId)), { status, headers: graphHeaders('', traceId) });
}

async function recordCall(platform: Platform, c: Context<GraphEnv>, milliseconds: number): Promise<void> {
  const type = c.res.headers.get('content-type') ?? '';
  const response = type.includes('json') ? (await c.res.clone().text()).slice(0, 4000) : `(${type})`;
  const isText = (c.req.header('content-type') ?? '').includes('json');
  const request = isText && c.req.method !== 'GET' ? (await c.req.text().catch(() => '')).slice(0, 4000) : '';
  const { pathname, searchParams } = new URL(c.req.url);
  searchParams.delete('access_token');
  const query = searchParams.size > 0 ? `?${searchParams.toString()}` : '';
  platform.calls.add({
    at: Date.now(),
    method: c.req.method,
    path: pathname + query,
    status: c.res.status,
    milliseconds,
    request,
    response,
  });
  platform.changed();
}

/** Calls of one hour per business account, for the endpoints that share the management budget. */
function countManagementCall(platform: Platform, c: Context<GraphEnv>): void {
  const limit = platform.behaviour.managementCallsPerHour;
  if (limit === 0) return;
  const account = platform.store.accounts.get(c.req.path.split('/')[3] ?? '');
  if (!account) return;
  const now = Date.now();
  account.managementCalls = account.managementCalls.filter((at) => now - at < 3_600_000);
  if (account.managementCalls.length >= limit) throw new GraphError(80007, { subcode: 2446079 });
  account.managementCalls.push(now);
}

function exchangeToken(platform: Platform, query: Record<string, unknown>): Record<string, unknown> {
  const app = platform.store.apps.get(textOf(query['client_id']) ?? '');
  if (!app || app.secret !== query['client_secret'])
    throw new GraphError(1, { message: 'Error validating client secret.' });
  const isAppToken = query['grant_type'] === 'client_credentials';
  if (!isAppToken && !textOf(query['code']))
    throw new GraphError(100, { message: 'Missing authorization code' });
  const token = isAppToken ? `${app.id}|sandbox-app-token` : `sandbox-user-token-${app.id}`;
  platform.store.tokens.set(token, { appId: app.id, problem: null });
  return { access_token: token, token_type: 'bearer' };
}

function describeToken(platform: Platform, value: string): Record<string, unknown> {
  const token = platform.store.tokens.get(value);
  if (!token) return { is_valid: false, error: { code: 190, message: 'Invalid OAuth access token.' } };
  return {
    app_id: token.appId,
    type: 'SYSTEM_USER',
    is_valid: token.problem === null,
    expires_at: 0,
    scopes:
      token.problem === 'no-permission'
        ? []
        : ['whatsapp_business_messaging', 'whatsapp_business_management'],
  };
}
