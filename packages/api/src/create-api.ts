import { createStorageWatch } from './platform/storage/storage-watch.ts';
import { OpenAPIHandler } from '@orpc/openapi/fetch';
import { implement, ORPCError } from '@orpc/server';
import { RPCHandler } from '@orpc/server/fetch';
import { contract } from '@app/contracts/contract';
import { errorTable } from '@app/contracts/errors';
import { Hono, type Context } from 'hono';
import { endMailedViews } from './analytics/mails/report-mail.ts';
import { mountReportLinks } from './analytics/links/mount-report-links.ts';
import { mountForms } from './automation/forms/mount-forms.ts';
import { mountHooks } from './automation/hooks/mount-hooks.ts';
import { mountPublicMedia } from './media/public-media.ts';
import { createKeyDoor, readWhoCalls } from './api-keys/guard-keys.ts';
import { createKeyReader } from './api-keys/read-key.ts';
import { readNamedWorkspace } from './auth/sessions/named-workspace.ts';
import type { Authentication } from './auth/authentication.ts';
import { listFiles, router } from './features.ts';
import { joinContacts } from './contact-merges/join-contacts.ts';
import { mountConnectorWebhooks } from './integrations/connector-webhooks.ts';
import { mountLinks } from './links/mount-links.ts';
import { ENQUIRIES } from './landing/landing-api.ts';
import { createAttemptLimit } from './platform/http-edge/attempt-limit.ts';
import { describeOrigin } from './platform/origin.ts';
import { isCrossSite } from './platform/http-edge/cross-site.ts';
import { createBodyRules } from './platform/http-edge/body-rules.ts';
import { mountFiles } from './platform/http-edge/file-routes.ts';
import { isForAnyWorkspace } from './platform/http-edge/endpoint-routes.ts';
import { refuseKeys, reportBugs, refuseThrown } from './platform/http-edge/refuse-thrown.ts';
import { classifyError } from './platform/http-edge/classify-error.ts';
import { guardAddress } from './platform/http-edge/guard-address.ts';
import { createHostCheck } from './platform/http-edge/known-hosts.ts';
import { limitBodies, refuseBody } from './platform/http-edge/limit-bodies.ts';
import { refuse } from './platform/http-edge/refuse.ts';
import { callerOf } from './platform/guard-access.ts';
import { mountReference } from './platform/reference/mount-reference.ts';
import { mountUnsubscribe } from './profile/mount-unsubscribe.ts';
import type { ApiDependencies, RequestContext, Session } from './platform/request-context.ts';
import { applyAccountVerdict } from './channels/apply-account-verdict.ts';
import { enqueueAgentCheck } from './channels/check-agent.ts';
import { applyTemplateEvent } from './templates/apply-template-event.ts';
import { mountWebhooks } from './webhooks/webhooks-api.ts';

/** Reads the caller's network address from the host's own connection, or from proxies that the operator trusts. */
export type ReadIpAddress = (request: Request, environment: unknown) => string | null;

export type ApiOptions = ApiDependencies & {
  authentication: Authentication;
  readIpAddress: ReadIpAddress;
  /** Called for each event of a webhook that the database refused. */
  countDeadLetters?: () => void;
  /** Host names under which requests are answered, beside that of `publicUrl` and of loopback. */
  allowedHosts: readonly string[];
};

declare module 'hono' {
  interface ContextVariableMap {
    /** Whose key the request brought; the door found it. */
    keySession: Session | undefined;
  }
}

// A part of the contract that no feature implements does not compile.
const endpoints = implement(contract).$context<RequestContext>().router(router);

/** That somebody looks or types is worth no refusal. */
function isWordOfViewers({ req }: Context): boolean {
  return req.method === 'POST' && /\/viewers\/?$|\/tellViewing\/?$/.test(req.path);
}

const notReady = {
  away: 'database_away',
  full: 'database_full',
  read_only: 'database_read_only',
} as const;

/** The whole HTTP surface as a `fetch` function: no port, no file, no environment. */
export function createApi(options: ApiOptions): Hono {
  const { authentication, readIpAddress, countDeadLetters, allowedHosts, ...given } = options;
  const storage = given.storage ?? createStorageWatch(given);
  const dependencies = { ...given, storage };
  const failures = { clientInterceptors: [reportBugs, refuseKeys], interceptors: [refuseThrown] };
  const rpc = new RPCHandler(endpoints, failures);
  const rest = new OpenAPIHandler(endpoints, failures);
  const app = new Hono();
  const readKey = createKeyReader(dependencies);
  const askAtDoor = createKeyDoor(readKey, dependencies.clock);
  const readWhoCallsNow = readWhoCalls(authentication.readSession, readKey);
  const files = listFiles({ ...dependencies, readSession: readWhoCallsNow });
  const enquiryLimit = createAttemptLimit(ENQUIRIES, dependencies.clock);

  async function readSession(c: Context): Promise<Session | null> {
    const request = c.req.raw;
    const session = c.get('keySession') ?? (await authentication.readSession(request));
    if (session || readNamedWorkspace(request) === null) return session;
    const elsewhere = await authentication.readSessionElsewhere(request);
    // Whoever is signed in and no member there is told that, and not that they are signed out.
    if (elsewhere && !isForAnyWorkspace(request.method, c.req.path))
      throw new ORPCError('workspace_not_found', errorTable.workspace_not_found);
    return elsewhere;
  }

  async function openContext(c: Context): Promise<RequestContext> {
    const request = c.req.raw;
    const session = await readSession(c);
    return {
      ...dependencies,
      requestId: crypto.randomUUID(),
      ...describeOrigin(request, readIpAddress(request, c.env)),
      idempotencyKey: request.headers.get('idempotency-key'),
      session,
      caller: session && callerOf(session),
      enquiryLimit,
      ownPassword: authentication.ownPassword,
    };
  }

  const isForUs = createHostCheck(dependencies.publicUrl, allowedHosts);
  app.use('*', (c, next) => (isForUs(c.req.raw) ? next() : Promise.resolve(refuse('host_unknown'))));
  app.use('*', guardAddress);
  app.use('/api/*', async (c, next) => {
    const atDoor = await askAtDoor(c.req.raw, readIpAddress(c.req.raw, c.env));
    if (atDoor.outcome === 'refused') return atDoor.response;
    // No page of another site makes a browser bring a key.
    if (atDoor.outcome === 'no-key' && isCrossSite(c.req.raw, dependencies.publicUrl))
      return refuse('cross_site_request');
    if (atDoor.outcome === 'known') c.set('keySession', atDoor.session);
    await next();
    c.header('cache-control', c.res.headers.get('cache-control') ?? 'no-store');
    if (atDoor.outcome === 'known') atDoor.headers.forEach((value, name) => c.header(name, value));
    return undefined;
  });
  app.use('/api/*', limitBodies(createBodyRules(files), readSession));
  app.get('/healthz', (c) => c.json({ status: 'ok' }));
  app.get('/readyz', async (c) => {
    const state = await storage.read().catch(() => 'away' as const);
    return state === 'operational' ? c.json({ status: 'ready' }) : refuse(notReady[state]);
  });
  app.all('/api/auth/*', (c) => authentication.handle(c.req.raw, readIpAddress(c.req.raw, c.env)));
  mountReference(app, dependencies.publicUrl, files);
  mountUnsubscribe(app, { ...dependencies, endMailedViews });
  mountFiles(app, files, {
    openContext,
    readCallerNow: (c) => readWhoCallsNow(c.req.raw, readIpAddress(c.req.raw, c.env)),
  });
  app.all('/api/rpc/*', async (c) => {
    const context = await openContext(c);
    const { matched, response } = await rpc.handle(c.req.raw, { prefix: '/api/rpc', context });
    return matched ? response : refuse('address_unknown');
  });
  app.all('/api/*', async (c) => {
    const context = await openContext(c);
    const { matched, response } = await rest.handle(c.req.raw, { prefix: '/api', context });
    return matched ? response : refuse('address_unknown');
  });
  mountPublicMedia(app, dependencies);
  mountHooks(app, dependencies);
  mountForms(app, { ...dependencies, readIpAddress });
  mountLinks(app, dependencies);
  mountReportLinks(app, { ...dependencies, readIpAddress });
  mountConnectorWebhooks(app, dependencies);
  const takeWebhook = mountWebhooks(app, {
    ...{ ...dependencies, readIpAddress, countDeadLetters },
    onTemplateEvent: applyTemplateEvent,
    onAccountVerdict: applyAccountVerdict,
    onAgentState: enqueueAgentCheck,
    joinContacts: (scope, pair) => joinContacts(scope, dependencies.people, pair),
  });
  app.notFound(() => refuse('address_unknown'));
  const answerError = (error: unknown, path: string) => {
    const refusal = refuseBody(error);
    if (refusal) return refusal;
    const code = classifyError(error);
    if (code !== 'workspace_not_found') dependencies.logger.error({ err: error, path }, 'request failed');
    storage.note(error);
    return refuse(code);
  };
  app.onError((error, c) => {
    // Not even who says it could be read: it is dropped, and said again in a moment.
    if (isWordOfViewers(c) && classifyError(error) === 'server_busy') return c.body(null, 204);
    return answerError(error, c.req.path);
  });
  const findRoute = app.fetch;
  app.fetch = (request, environment, context) => {
    const taken = isForUs(request) ? takeWebhook(request, environment) : null;
    return taken
      ? taken.catch((error: unknown) => answerError(error, new URL(request.url).pathname))
      : findRoute(request, environment, context);
  };
  return app;
}
