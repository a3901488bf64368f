import { Hono } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { limitBodies } from './core/body-limits.ts';
import { refuseOtherSites } from './core/known-callers.ts';
import { MailBox } from './core/mail-box.ts';
import { listen, type ListeningServer } from './core/node-server.ts';
import { openIdControls, openIdRoutes } from './openid/openid-routes.ts';
import { OpenIdState } from './openid/openid-provider.ts';
import { receiverRoutes, ReceiverState } from './receiver/receiver-routes.ts';
import { pageRoutes } from './page/page-routes.ts';
import type { StandIn } from './core/stand-in.ts';
import { createStandIns, type VendorAccounts } from './stand-ins.ts';
import { authenticate } from './whatsapp-cloud/access.ts';
import type { Behaviour } from './whatsapp-cloud/behaviour.ts';
import { GraphError, newTraceId, tooLarge } from './whatsapp-cloud/errors.ts';
import { routedPath } from './whatsapp-cloud/graph-paths.ts';
import { Platform } from './whatsapp-cloud/platform.ts';
import { controlRoutes } from './whatsapp-cloud/routes/controls.ts';
import { graphRoutes } from './whatsapp-cloud/routes/graph.ts';
import { mediaAt } from './whatsapp-cloud/nodes/media-node.ts';
import { customerControlRoutes } from './whatsapp-cloud/routes/customer-controls.ts';
import { nodeControlRoutes } from './whatsapp-cloud/routes/node-controls.ts';
import { rcsControls } from './rcs/rcs-controls.ts';
import { RcsPlatform } from './rcs/rcs-platform.ts';
import { rcsRoutes } from './rcs/rcs-routes.ts';
import { keepState } from './whatsapp-cloud/state-file.ts';
import { handleSend } from './whatsapp-cloud/messages/send-endpoint.ts';

export interface SandboxOptions {
  /** Where WhatsApp webhooks go until a subscription or a control call says otherwise; null: nowhere. */
  whatsappCallbackUrl?: string | null;
  /** Where RCS webhooks go until a control call says otherwise; null: nowhere. */
  rcsCallbackUrl?: string | null;
  behaviour?: Partial<Behaviour>;
  /** A file that keeps numbers and templates over restarts; without it everything is forgotten. */
  stateFile?: string;
}

export interface Sandbox extends VendorAccounts {
  readonly whatsapp: Platform;
  readonly rcs: RcsPlatform;
  /** `METHOD path` of everything it answers, for the coverage matrix. */
  readonly routes: string[];
  fetch(request: Request): Promise<Response>;
  /** `mailPort` 0 takes any free port; without it there is no mail server. */
  start(address: {
    port: number;
    host?: string;
    mailPort?: number;
    /** Names under which it answers besides loopback and `host`, with or without a port. */
    names?: readonly string[];
  }): Promise<ListeningServer & { mailPort: number | null }>;
  close(): Promise<void>;
}

/** A local stand-in for the messaging platforms, in this process or on a port of its own. */
export function createSandbox(options: SandboxOptions = {}): Sandbox {
  const whatsapp = new Platform({
    callbackUrl: options.whatsappCallbackUrl ?? null,
    behaviour: options.behaviour,
  });
  const rcs = new RcsPlatform({ webhookUrl: options.rcsCallbackUrl ?? null });
  const stopKeeping = options.stateFile === undefined ? undefined : keepState(whatsapp, options.stateFile);
  const mailBox = new MailBox(() => whatsapp.changed());
  const openId = new OpenIdState();
  const receivers = new ReceiverState();
  const standIns = createStandIns();
  const accounts = Object.fromEntries(
    Object.entries(standIns).map(([name, { account }]) => [name, account]),
  ) as VendorAccounts; // the same names
  const app = new Hono({ getPath: routedPath });
  app.use('*', refuseOtherSites);
  app.use(
    '*',
    limitBodies((c, bytes) => c.json(tooLarge(bytes).toBody(newTraceId()), 413)),
  );
  const withRecords = Object.entries<StandIn>(standIns).filter(([, { controls }]) =>
    controls.routes.some(({ path }) => path === '/records'),
  );
  const services = withRecords.map(([name, { title, events = [], controls }]) => ({
    ...{ name, title: title ?? name.charAt(0).toUpperCase() + name.slice(1), events },
    hasPeople: controls.routes.some(({ path }) => path === '/people'),
  }));
  app.route('/', pageRoutes(whatsapp, mailBox, services));
  app.route('/_sandbox/whatsapp', controlRoutes(whatsapp));
  app.route('/_sandbox/whatsapp', nodeControlRoutes(whatsapp));
  app.route('/_sandbox/whatsapp', customerControlRoutes(whatsapp));
  app.route('/rcs', rcsRoutes(rcs));
  app.route('/_sandbox/rcs', rcsControls(rcs));
  app.route('/oidc', openIdRoutes(openId));
  app.route('/_sandbox/openid', openIdControls(openId));
  for (const [name, { routes, controls }] of Object.entries(standIns)) {
    app.route(`/${name}`, routes);
    app.route(`/_sandbox/${name}`, controls);
  }
  app.route('/_sandbox/receiver', receiverRoutes(receivers));
  app.get('/_sandbox/mail', (c) => c.json({ mails: [...mailBox.mails.newestFirst()] }));
  app.delete('/_sandbox/mail', (c) => {
    mailBox.mails.clear();
    return c.json({ success: true });
  });
  app.post('/_sandbox/reset', (c) => {
    whatsapp.reset();
    rcs.reset();
    openId.reset();
    receivers.reset();
    for (const { account } of Object.values(standIns)) account.reset();
    mailBox.mails.clear();
    return c.json({ success: true });
  });
  app.get('/_sandbox/health', (c) => c.json({ ok: true }));
  app.get('/lookaside/whatsapp_business/attachments/', (c) => {
    authenticate(whatsapp, c.req.header('authorization'), c.req.query('access_token'));
    const media = mediaAt(c.req.query(), whatsapp.store.media);
    if (!media) return c.text('Not found', 404);
    return c.body(new Uint8Array(media.bytes), 200, { 'content-type': media.mimeType });
  });
  app.route('/graph', graphRoutes(whatsapp));
  app.onError((error, c) => {
    if (error instanceof GraphError)
      return c.json(error.toBody(newTraceId()), error.status(400) as ContentfulStatusCode);
    return c.json({ error: { message: error.message } }, 500);
  });

  let server: ListeningServer | undefined;
  return {
    whatsapp,
    rcs,
    ...accounts,
    routes: [
      ...new Set(
        app.routes.filter(({ method }) => method !== 'ALL').map(({ method, path }) => `${method} ${path}`),
      ),
    ],
    fetch: async (request) => app.fetch(request),
    async start({ port, host = '127.0.0.1', mailPort, names }) {
      server = await listen(
        { handleFast: (request, response) => handleSend(whatsapp, request, response), fetch: app.fetch },
        port,
        host,
        names,
      );
      whatsapp.origin = server.url;
      rcs.origin = server.url;
      return { ...server, mailPort: mailPort === undefined ? null : await mailBox.listen(mailPort, host) };
    },
    async close() {
      stopKeeping?.();
      whatsapp.close();
      rcs.close();
      await Promise.all([server?.close(), mailBox.close()]);
    },
  };
}
