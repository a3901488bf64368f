import { OpenAPIGenerator } from '@orpc/openapi';
import { OpenAPIHandler } from '@orpc/openapi/fetch';
import { implement, ORPCError, ValidationError } from '@orpc/server';
import { RPCHandler } from '@orpc/server/fetch';
import { ZodToJsonSchemaConverter } from '@orpc/zod/zod4';
import { contract } from '@app/contracts/contract';
import { errorTable } from '@app/contracts/errors';
import { Hono } from 'hono';
import { activityApi } from './activity/activity-api.ts';
import { trackPresence } from './activity/track-presence.ts';
import { authApi } from './auth/auth-api.ts';
import type { Authentication } from './auth/authentication.ts';
import { bulkMessageApi } from './bulk-message/bulk-message-api.ts';
import { mountCampaignFiles } from './campaigns/campaign-files.ts';
import { campaignsApi } from './campaigns/campaigns-api.ts';
import { channelsApi } from './channels/channels-api.ts';
import { mountContactFiles } from './contacts/contact-files.ts';
import { contactMergesApi } from './contacts/contact-merges-api.ts';
import { contactRemovalsApi } from './contacts/contact-removals-api.ts';
import { contactsApi } from './contacts/contacts-api.ts';
import { customFieldsApi } from './contacts/custom-fields-api.ts';
import { joinContacts } from './contacts/join-contacts.ts';
import { segmentsApi } from './contacts/segments-api.ts';
import { dashboardApi } from './dashboard/dashboard-api.ts';
import { mediaApi } from './media/media-api.ts';
import { mountMedia } from './media/mount-media.ts';
import { ENQUIRIES, landingApi } from './landing/landing-api.ts';
import { templatesApi } from './templates/templates-api.ts';
import { streamLiveEvents } from './platform/stream-live-events.ts';
import { createAttemptLimit } from './platform/attempt-limit.ts';
import { describeCaller } from './platform/caller.ts';
import { isCrossSite } from './platform/cross-site.ts';
import { judgeFailure } from './platform/judge-failure.ts';
import { guardAddress } from './platform/guard-address.ts';
import { createHostCheck } from './platform/known-hosts.ts';
import { limitBodies, refuseBody } from './platform/limit-bodies.ts';
import { refuse } from './platform/refuse.ts';
import type { ApiDependencies, RequestContext } from './platform/request-context.ts';
import { applyTemplateEvent } from './templates/apply-template-event.ts';
import type { WebhookReader } from './webhooks/webhook-reader.ts';
import { mountWebhooks } from './webhooks/webhooks-api.ts';

/** Reads the caller's network address from the host's own connection, or from proxies that the operator trusts. */
export type ReadIpAddress = (request: Request, environment: unknown) => string | null;

export type ApiOptions = ApiDependencies & {
  authentication: Authentication;
  readIpAddress: ReadIpAddress;
  webhookReader: WebhookReader;
  /** Called for each event of a webhook that the database refused. */
  countSetAside?: () => void;
  /** Host names under which requests are answered, beside that of `publicUrl` and of loopback. */
  allowedHosts: readonly string[];
};

const router = implement(contract).$context<RequestContext>().router({
  activity: activityApi,
  auth: authApi,
  bulkMessage: bulkMessageApi,
  campaigns: campaignsApi,
  channels: channelsApi,
  contacts: contactsApi,
  customFields: customFieldsApi,
  contactMerges: contactMergesApi,
  contactRemovals: contactRemovalsApi,
  segments: segmentsApi,
  dashboard: dashboardApi,
  media: mediaApi,
  landing: landingApi,
  templates: templatesApi,
});

const A_YEAR_OF_HTTPS = 'max-age=31536000';

/** The whole HTTP surface as a `fetch` function: no port, no file, no environment. */
export function createApi(options: ApiOptions): Hono {
  const { authentication, readIpAddress, webhookReader, countSetAside, allowedHosts, ...dependencies } =
    options;
  const rpc = new RPCHandler(router, { clientInterceptors: [reportBugs] });
  const rest = new OpenAPIHandler(router, { clientInterceptors: [reportBugs] });
  const app = new Hono();
  const watchPresence = trackPresence(dependencies);
  const enquiryLimit = createAttemptLimit(ENQUIRIES, dependencies.clock);
  let description: Promise<unknown> | undefined;

  async function openContext(request: Request, environment: unknown): Promise<RequestContext> {
    return {
      ...dependencies,
      requestId: crypto.randomUUID(),
      ...describeCaller(request, readIpAddress(request, environment)),
      idempotencyKey: request.headers.get('idempotency-key'),
      session: await authentication.readSession(request),
      enquiryLimit,
    };
  }

  const isForUs = createHostCheck(dependencies.publicUrl, allowedHosts);
  const isHttps = dependencies.publicUrl.startsWith('https:');
  app.use('*', async (c, next) => {
    await next();
    c.res.headers.set('x-content-type-options', 'nosniff');
    if (isHttps) c.res.headers.set('strict-transport-security', A_YEAR_OF_HTTPS);
  });
  app.use('*', (c, next) => (isForUs(c.req.raw) ? next() : Promise.resolve(refuse('host_unknown'))));
  app.use('*', guardAddress);
  app.use('/api/*', async (c, next) => {
    if (isCrossSite(c.req.raw, dependencies.publicUrl)) return refuse('cross_site_request');
    await next();
    c.header('cache-control', c.res.headers.get('cache-control') ?? 'no-store');
    return undefined;
  });
  app.use('/api/*', limitBodies(authentication.readSession));
  app.get('/healthz', (c) => c.json({ status: 'ok' }));
  app.get('/readyz', async (c) => {
    try {
      await dependencies.db.systemPool.query('SELECT 1');
      return c.json({ status: 'ready' });
    } catch {
      return c.json({ status: 'database unavailable' }, 503);
    }
  });
  app.all('/api/auth/*', (c) => authentication.handle(c.req.raw, readIpAddress(c.req.raw, c.env)));
  app.get('/api/events', async (c) => {
    const session = await authentication.readSession(c.req.raw);
    if (!session) return refuse('signed_out');
    const isStillSignedIn = async () => (await authentication.readSession(c.req.raw))?.id === session.id;
    return streamLiveEvents(c.req.raw, session, {
      ...dependencies,
      isStillSignedIn,
      watcher: watchPresence(session),
    });
  });
  app.get('/api/openapi.json', async (c) =>
    c.json(await (description ??= describeApi(dependencies.publicUrl))),
  );
  mountContactFiles(app, openContext);
  mountCampaignFiles(app, openContext);
  mountMedia(app, { ...dependencies, readSession: authentication.readSession, readIpAddress });
  app.all('/api/rpc/*', async (c) => {
    const context = await openContext(c.req.raw, c.env);
    const { matched, response } = await rpc.handle(c.req.raw, { prefix: '/api/rpc', context });
    return matched ? response : refuse('address_unknown');
  });
  app.all('/api/*', async (c) => {
    const context = await openContext(c.req.raw, c.env);
    const { matched, response } = await rest.handle(c.req.raw, { prefix: '/api', context });
    return matched ? response : refuse('address_unknown');
  });
  mountWebhooks(app, {
    ...{ ...dependencies, webhookReader, readIpAddress, countSetAside },
    ...{ onTemplateEvent: applyTemplateEvent, joinContacts },
  });
  app.notFound(() => refuse('address_unknown'));
  app.onError((error, c) => {
    const refusal = refuseBody(error);
    if (refusal) return refusal;
    dependencies.logger.error({ err: error, path: c.req.path }, 'request failed');
    return refuse(judgeFailure(error));
  });
  return app;
}

/** A thrown error that is no declared refusal is a bug: it is logged with its request id and stays inside. */
async function reportBugs<Result>({
  context,
  next,
}: {
  context: RequestContext;
  next: () => Promise<Result>;
}) {
  try {
    return await next();
  } catch (error) {
    if (error instanceof ORPCError && error.status < 500) throw describeBadInput(error);
    context.logger.error({ err: error, requestId: context.requestId }, 'request failed');
    const code = judgeFailure(error);
    throw new ORPCError(code === 'internal' ? 'INTERNAL_SERVER_ERROR' : code, {
      ...errorTable[code],
      data: { requestId: context.requestId },
    });
  }
}

/** Bad input answers 422 and names each field that is wrong. */
function describeBadInput(error: ORPCError<string, unknown>): ORPCError<string, unknown> {
  if (!(error.cause instanceof ValidationError) || error.code !== 'BAD_REQUEST') return error;
  const issues = error.cause.issues.map((issue) => ({
    field: (issue.path ?? []).map((part) => String(typeof part === 'object' ? part.key : part)).join('.'),
    message: issue.message,
  }));
  return new ORPCError('invalid_input', {
    status: 422,
    message: issues.map(({ field, message }) => (field ? `${field}: ${message}` : message)).join('; '),
    data: { issues },
  });
}

function describeApi(publicUrl: string): Promise<unknown> {
  return new OpenAPIGenerator({ schemaConverters: [new ZodToJsonSchemaConverter()] }).generate(contract, {
    info: { title: 'Messaging dashboard API', version: '1.0.0' },
    servers: [{ url: `${publicUrl}/api` }],
  });
}
