import { Hono, type Context } from 'hono';
import { textOf, type JsonObject } from '../../core/json.ts';
import { authenticate } from '../access.ts';
import { checkEdge } from '../edges.ts';
import { GraphError, newTraceId } from '../errors.ts';
import { graphHeaders, usageHeader } from '../graph-headers.ts';
import { defaultVersion, refuseVersion, versionIn } from '../graph-paths.ts';
import type { Platform } from '../platform.ts';
import { latencyOf } from '../messages/send-endpoint.ts';
import { sendMessage } from '../messages/send-message.ts';
import type { Account, App } from '../store.ts';
import { accountEdgeRoutes } from './account-edges.ts';
import { businessProfileRoutes } from './business-profile.ts';
import { recordCall } from './call-record.ts';
import type { GraphEnv } from './graph-env.ts';
import { mediaRoutes } from './media.ts';
import { messageTemplateRoutes } from './message-templates.ts';
import { nodeRoutes } from './nodes.ts';
import { numberEdgeRoutes } from './number-edges.ts';
import { readParameters } from './parameters.ts';
import { phoneNumberRoutes } from './phone-numbers.ts';
import { qrCodeRoutes } from './qr-codes.ts';
import { subscriptionRoutes } from './subscriptions.ts';
import { templateLibraryRoutes } from './template-library.ts';
import { exchangeToken, describeToken } from './tokens.ts';
import { uploadRoutes } from './uploads.ts';

/** Everything under `/graph/`, with a version in front or without. */
export function graphRoutes(platform: Platform): Hono<GraphEnv> {
  const app = new Hono<GraphEnv>();
  app.use('*', async (c, next) => {
    const startedAt = performance.now();
    await new Promise<void>((resolve) => platform.answers.hold(latencyOf(platform), resolve));
    await next();
    const traceId = c.res.headers.get('x-fb-trace-id') ?? newTraceId();
    const version = versionIn(new URL(c.req.url).pathname) ?? defaultVersion(platform.behaviour);
    const account = accountBehind(platform, c);
    const headers = { ...graphHeaders(version, traceId), ...usageHeader(account, platform.behaviour) };
    for (const [name, value] of Object.entries(headers)) {
      if (name !== 'content-type') c.res.headers.set(name, value);
    }
    await recordCall(platform, c, performance.now() - startedAt);
  });
  app.use('*', async (c, next) => {
    const { pathname } = new URL(c.req.url);
    const version = versionIn(pathname);
    if (version !== undefined) refuseVersion(version, platform.behaviour, pathname);
    await next();
  });

  app.get('/oauth/access_token', async (c) => c.json(exchangeToken(platform, await readParameters(c))));
  app.post('/oauth/access_token', async (c) => c.json(exchangeToken(platform, await readParameters(c))));
  for (const endpoint of ['messages', 'marketing_messages'] as const) {
    app.post(`/:id/${endpoint}`, async (c) => {
      // A body that cannot be read is refused after the token.
      const parameters = await readParameters(c).catch(() => undefined);
      const reply = sendMessage(platform, {
        numberId: c.req.param('id'),
        authorization: c.req.header('authorization'),
        queryToken: c.req.query('access_token') ?? textOf(parameters?.['access_token']),
        body: parameters ?? '',
        forcedError: forcedError(c),
        endpoint,
      });
      if (reply.fault) c.env.incoming?.socket.destroy();
      const headers = graphHeaders('', reply.traceId);
      return new Response(reply.body, { status: reply.status || 200, headers });
    });
  }
  app.use('*', async (c, next) => {
    const path = c.req.path.split('/').slice(2).map(decodeURIComponent);
    const endpoint = path.at(-1) ?? '';
    const queued = platform.takeQueuedError(/^\d+$|^upload:/.test(endpoint) ? 'node' : endpoint);
    const forced = forcedError(c);
    if (queued?.kind === 'error') throw new GraphError(queued.code);
    if (forced !== undefined) throw new GraphError(Number(forced) || 0);
    if (queued?.kind === 'garbage') return c.html('<html><h1>Bad Gateway</h1>', 502);
    if (queued?.kind === 'cut') c.env.incoming?.socket.destroy();
    if (queued?.kind === 'hang') return new Promise<Response>(() => {});
    const graphApp = await appBehind(platform, c);
    c.set('graphApp', graphApp);
    checkEdge(platform, graphApp, c.req.method, path);
    countManagementCall(platform, c);
    await next();
    if (queued?.kind === 'accept-then-cut') c.env.incoming?.socket.destroy();
    return undefined;
  });
  app.get('/debug_token', (c) => c.json({ data: describeToken(platform, c.req.query('input_token') ?? '') }));
  for (const routes of [
    mediaRoutes(platform),
    uploadRoutes(platform),
    messageTemplateRoutes(platform),
    templateLibraryRoutes(platform),
    phoneNumberRoutes(platform),
    numberEdgeRoutes(platform),
    qrCodeRoutes(platform),
    accountEdgeRoutes(platform),
    businessProfileRoutes(platform),
    subscriptionRoutes(platform),
    nodeRoutes(platform),
  ]) {
    app.route('/', routes);
  }
  app.all('*', (c) => {
    throw new GraphError(2500, { message: `Unknown path components: ${c.req.path.replace(/^\/graph/, '')}` });
  });

  app.onError((error) => answerError(platform, error));
  return app;
}

function forcedError(c: Context<GraphEnv>): string | undefined {
  return c.req.header('x-sandbox-force-error') ?? c.req.header('x-emulator-force-error');
}

/** What only who looks after an account may ask of it. */
const OF_ACCOUNTS = new Set(['message_templates', 'phone_numbers', 'subscribed_apps']);

/** The token may stand in the header, the query or the body. */
async function appBehind(platform: Platform, c: Context<GraphEnv>): Promise<App> {
  const header = c.req.header('authorization');
  const query = c.req.query('access_token');
  const type = c.req.header('content-type') ?? '';
  const isInBody = header === undefined && query === undefined && /form|json/.test(type);
  const body: JsonObject = isInBody ? await readParameters(c).catch(() => ({})) : {};
  return authenticate(platform, header, query ?? textOf(body['access_token']), {
    asksAboutTokens: c.req.path.endsWith('/debug_token'),
    needs: OF_ACCOUNTS.has(c.req.path.split('/')[3] ?? '') ? 'whatsapp_business_management' : undefined,
  });
}

function answerError(platform: Platform, error: Error): Response {
  const graphError = error instanceof GraphError ? error : brokenRequest(error);
  platform.countRejected(graphError.code);
  const traceId = newTraceId();
  const status = graphError.status(platform.behaviour.throttleStatus);
  return new Response(JSON.stringify(graphError.toBody(traceId)), {
    status,
    headers: graphHeaders('', traceId),
  });
}

/** Escapes and bodies that cannot be read; a fault of our own stays one. */
function brokenRequest(error: Error): GraphError {
  if (error instanceof URIError || error instanceof SyntaxError)
    return new GraphError(100, { message: '(#100) The request cannot be read' });
  throw error;
}

/** The business account that a call is about: its own or that of its number or template. */
function accountBehind(platform: Platform, c: Context<GraphEnv>): Account | undefined {
  const { store } = platform;
  const id = c.req.path.split('/')[2] ?? '';
  return store.accounts.get(store.numbers.get(id)?.accountId ?? store.templates.get(id)?.accountId ?? id);
}

/** Calls of one hour per business account, for the endpoints that share the management budget. */
function countManagementCall(platform: Platform, c: Context<GraphEnv>): void {
  const limit = platform.behaviour.managementCallsPerHour;
  const account = platform.store.accounts.get(c.req.path.split('/')[2] ?? '');
  if (limit === 0 || !account) return;
  const now = Date.now();
  account.managementCalls = account.managementCalls.filter((at) => now - at < 3_600_000);
  if (account.managementCalls.length >= limit) throw new GraphError(80007, { subcode: 2446079 });
  account.managementCalls.push(now);
}
