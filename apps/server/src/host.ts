import { existsSync } from 'node:fs';
import type { IncomingMessage, Server } from 'node:http';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { getRequestListener } from '@hono/node-server';
import { createAuthentication } from '@app/api/auth/create-authentication';
import { scryptHasher } from '@app/api/auth/passwords/password-hasher';
import { createApi } from '@app/api/create-api';
import { joinContacts } from '@app/api/contact-merges/join-contacts';
import { applyAccountVerdict } from '@app/api/channels/apply-account-verdict';
import { enqueueAgentCheck } from '@app/api/channels/check-agent';
import { applyTemplateEvent } from '@app/api/templates/apply-template-event';
import { replayDeadLetters } from '@app/api/webhooks/replay-dead-letters';
import type { StoreDependencies } from '@app/api/webhooks/store-events';
import { consumers, jobKinds, people, workers } from '@app/api/features';
import { retryDeadLetters } from '@app/api/platform/facts/dead-letter-facts';
import type { FactLogParts } from '@app/api/platform/facts/fact-consumer';
import { keepFactDays } from '@app/api/platform/facts/fact-days';
import { createAiModels } from '@app/providers/ai-models/ai-models';
import { readText } from '@app/providers/knowledge-files/read-file';
import { createOutgoingCalls } from '@app/providers/calls/outgoing-calls';
import { createPushGate } from '@app/providers/web-push/push-gate';
import { openFactLog } from '@app/api/platform/facts/fact-log';
import { openJobs } from '@app/api/platform/jobs/open-jobs';
import { openLiveEvents } from '@app/api/platform/live-events';
import { openViewers } from '@app/api/platform/live/viewers';
import { bringArrived } from '@app/api/conversations/messages/bring-arrived';
import type { Logger } from '@app/api/platform/logger';
import { createStorageWatch } from '@app/api/platform/storage/storage-watch';
import type { ApiDependencies, SecretBox } from '@app/api/platform/request-context';
import { openPlaces } from './open-places.ts';
import type { CompanyProvider } from '@app/domain/company-sign-in/company-provider';
import { indexChannelKinds, type ChannelKind } from '@app/domain/channels/channel-kind';
import { takeArchive } from '@app/database/backup/take-archive';
import { migrateDatabase, openDatabase, type Database } from '@app/database/database';
import { workspaces } from '@app/database/workspaces/workspaces-tables';
import { startEmbeddedPostgres } from '@app/database/embedded/embedded-postgres';
import { indexConnectorKinds } from '@app/domain/integrations/connector-kind';
import { createConnectorKinds } from './connector-kinds.ts';
import { channelKinds as ourKinds } from './channel-kinds.ts';
import { createOpenIdProvider } from '@app/providers/openid-connect/openid-provider';
import { publicMediaLink } from '@app/api/media/public-media';
import { createChannelRegistry } from './channel-registry.ts';
import { startFlowWorker } from './flow-worker.ts';
import { startDeliveryWorker } from './delivery-worker.ts';
import { greet } from './greeting.ts';
import { seedSample } from './sample/seed-sample.ts';
import { syncSandboxTemplates } from './sample/sync-sandbox-templates.ts';
import type { Config } from './config.ts';
import { createHttpServer } from './http-server.ts';
import { createMailer } from './mailer.ts';
import { createMetrics } from './metrics.ts';
import { createOperatorAccess } from './operator-access.ts';
import { mountFailedWork } from './failed-work.ts';
import { readCallerAddress } from './read-caller.ts';
import { openInstallationBackups } from './backup/scheduled-backups.ts';
import { openMediaStore } from './media/open-media-store.ts';
import { checkRoom, isDiskFull } from './media/disk-room.ts';
import { createSecretBox } from './secret-box.ts';
import { serveWeb } from './serve-web.ts';
import { createTemplatePlatform } from './template-platform.ts';

export type Host = {
  /** What `npm start` prints for people: the address and, while it exists, the sample sign-in. */
  greeting: string;
  /** The port it listens on; null for a worker. */
  port: number | null;
  /** Answers what was begun, settles what is in flight, and closes everything. */
  stop(): Promise<void>;
};

/** What the listener hands on beside each request. */
type Connection = { incoming: IncomingMessage };

export class PortTaken extends Error {
  override name = 'PortTaken';
}

const WEB_FOLDER = fileURLToPath(new URL('../../web/dist', import.meta.url));
const DATABASE_NAME = 'messaging';
/** For interactive work, and as many of system scope, which sign-in, the engine, the listeners and the webhooks share. */
const POOL_SIZE = 16;
const A_YEAR_OF_HTTPS = 'max-age=31536000';

/** Wires every part: this is the only place that knows which implementation is real. */
export async function startHost(
  config: Config,
  logger: Logger,
  kinds: readonly ChannelKind[] = ourKinds,
): Promise<Host> {
  const channelKinds = indexChannelKinds(kinds);
  const closers: (() => Promise<void>)[] = [];
  const stopping = new AbortController();
  const stop = async () => {
    stopping.abort();
    for (const close of closers.splice(0).reverse()) await close();
  };
  try {
    const url = await openStorage(config, logger, closers);
    await migrateDatabase(url);
    const db = await openDatabase({
      url,
      poolSize: POOL_SIZE,
      onError: (err) => logger.warn({ err }, 'a database connection was lost'),
    });
    closers.push(() => db.close());

    const liveEvents = await openLiveEvents(db, (err) =>
      logger.warn({ err }, 'live events could not be told or heard'),
    );
    closers.push(() => liveEvents.close());
    const clock = () => new Date();
    const viewers = openViewers({ liveEvents, clock });
    closers.push(async () => viewers.close());
    const stopBringing = bringArrived({ db, clock, logger, liveEvents, viewers });
    closers.push(async () => stopBringing());
    const jobs = openJobs({ db, logger, kinds: jobKinds, isWorking: config.roles.worker });
    closers.push(() => jobs.close());
    await keepFactDays(db).catch((error) =>
      logger.warn({ err: error }, 'the days of the facts stay as they are'),
    );
    const connectorKinds = indexConnectorKinds(createConnectorKinds(config));
    const factParts = { db, clock, logger, viewers, jobs, channelKinds, connectorKinds };
    const facts = await openFactLog(factParts, consumers);
    closers.push(() => facts.close());
    const secrets = createSecretBox(config.secretKey);
    const calls = createOutgoingCalls({
      namedHosts: config.privateHosts,
      log: (line) => logger.info(line, 'a service was called'),
    });
    closers.push(() => calls.close());
    const push = createPushGate({
      calls,
      seed: secrets.fingerprint('web push'),
      contact: config.publicUrl.startsWith('https:')
        ? config.publicUrl
        : `mailto:${config.mailFrom.replace(/^.*<(.*)>.*$/, '$1')}`,
    });
    const channels = createChannelRegistry(db, secrets, channelKinds, (file) =>
      publicMediaLink({ secrets, publicUrl: config.publicUrl }, file),
    );
    closers.push(() => channels.close());
    const companyProvider = config.companySignIn ? createOpenIdProvider(config.companySignIn) : null;
    if (companyProvider) closers.push(() => companyProvider.close());
    const mediaStore = openMediaStore(config);
    const dependencies: ApiDependencies = {
      stopping: stopping.signal,
      db,
      storage: createStorageWatch({ db, clock, isFull: () => isDiskFull(config.dataDir) }),
      clock,
      liveEvents,
      viewers,
      facts,
      jobs,
      logger,
      publicUrl: config.publicUrl,
      isLocalOnly: config.isLocalOnly,
      secrets,
      mailer: createMailer(config),
      push,
      calls,
      aiModels: createAiModels({ calls }),
      readText,
      connectorKinds,
      sandboxUrl: config.sandboxUrl,
      channelKinds,
      templatePlatform: createTemplatePlatform(channels),
      messageSender: { open: (channelId) => channels.open(channelId) },
      mediaStore,
      people,
      findPlace: openPlaces(config.geoipFile),
      confirmsAddresses: config.hasOwnMailServer,
      sendsMail: config.smtpUrl !== undefined,
      companyProvider,
      backups: openInstallationBackups({ config, url, files: mediaStore, secrets, clock }),
      takeArchive: (wanted) => takeArchive({ ...wanted, url, files: mediaStore, secrets }),
    };
    const hasSample = await openSample(db, config, secrets);
    const sandboxTemplates = config.sandboxUrl ? watchSandbox(dependencies, config.sandboxUrl) : null;
    if (sandboxTemplates) closers.push(() => sandboxTemplates.stop());
    if (config.roles.worker) {
      const worker = await startDeliveryWorker(
        dependencies,
        channels,
        sandboxTemplates?.done ?? Promise.resolve(),
      );
      closers.push(() => worker.stop());
      const flows = await startFlowWorker(dependencies);
      closers.push(() => flows.stop());
      const working = jobs.work(dependencies);
      closers.push(() => working.stop());
      for (const start of workers) {
        const worker = start(dependencies);
        closers.push(() => worker.stop());
      }
    }

    if (!config.roles.web) return { greeting: greet(config, hasSample), port: null, stop };
    const authentication = createAuthentication({
      ...dependencies,
      secret: config.secretKey,
      passwords: scryptHasher,
    });
    const isOperator = createOperatorAccess(config);
    const metrics = createMetrics({ db, isOperator });
    const app = createApi({
      ...dependencies,
      authentication,
      readIpAddress: (_, environment) =>
        readCallerAddress((environment as Connection).incoming, config.trustedProxies),
      countDeadLetters: metrics.countDeadLetters,
      allowedHosts: config.allowedHosts,
    });
    metrics.mount(app);
    mountFailedWork(app, {
      ...{ db, publicUrl: config.publicUrl, isOperator },
      retryFacts: () => retryDeadLetters(factParts, consumers),
    });
    const replay = tryEventsAgain({
      ...dependencies,
      onTemplateEvent: applyTemplateEvent,
      onAccountVerdict: applyAccountVerdict,
      onAgentState: enqueueAgentCheck,
      joinContacts: (scope, pair) => joinContacts(scope, people, pair),
    });
    closers.push(() => replay.stop());
    const retries = tryFactsAgain(factParts);
    closers.push(() => retries.stop());
    if (companyProvider) void sayWhetherAway(companyProvider, logger);
    if (existsSync(join(WEB_FOLDER, 'index.html'))) serveWeb(app, WEB_FOLDER);
    const answer = metrics.watch((request, connection) => app.fetch(request, connection));
    const server = createHttpServer(
      getRequestListener((request, environment) => answer(request, environment as Connection)),
      { headers: headersOfAll(config) },
    );
    await listen(server, config);
    closers.push(() => closeServer(server));
    const address = server.address();
    const port = typeof address === 'object' && address ? address.port : config.port;
    return { greeting: greet(config, hasSample), port, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** An answer is what it says it is, and browsers that came by https stay there. */
function headersOfAll({ publicUrl }: Config): Record<string, string> {
  return {
    'x-content-type-options': 'nosniff',
    ...(publicUrl.startsWith('https:') && { 'strict-transport-security': A_YEAR_OF_HTTPS }),
  };
}

/** The sample workspace exists only where nobody but this machine can reach it, and only on the sandbox. */
async function openSample(db: Database, config: Config, secrets: SecretBox): Promise<boolean> {
  const { sampleWorkspace, isLocalOnly, sandboxUrl } = config;
  if (!sampleWorkspace || !isLocalOnly || sandboxUrl === undefined) return false;
  const known = await db.inSystem((tx) => tx.select({ isSample: workspaces.isSample }).from(workspaces));
  // Only an empty installation gets one: whoever has a workspace of their own removed the sample, or never wanted it.
  if (known.length > 0 && !known.some(({ isSample }) => isSample)) return false;
  await seedSample(db, { secrets, sandboxUrl, now: new Date() });
  return true;
}

type Background = { done: Promise<void>; stop(): Promise<void> };

/** Goes on while the product is ready already; asked to stop, it ends early. A failure is told in these words and stops nothing. */
function inBackground(
  logger: Logger,
  failure: string,
  work: (isStopped: () => boolean) => Promise<unknown>,
): Background {
  let isStopped = false;
  const done = work(() => isStopped).then(
    () => undefined,
    (error: unknown) => logger.warn({ err: error }, failure),
  );
  return {
    done,
    stop: async () => {
      isStopped = true;
      await done;
    },
  };
}

/** The product is ready before the sandbox is. */
function watchSandbox(dependencies: ApiDependencies, sandboxUrl: string): Background {
  return inBackground(dependencies.logger, 'the templates could not be handed to the sandbox', (isStopped) =>
    syncSandboxTemplates(dependencies, sandboxUrl, isStopped),
  );
}

/** The operator hears at the start what people would meet later. */
async function sayWhetherAway(provider: CompanyProvider, logger: Logger): Promise<void> {
  const refusal = await provider.look();
  const { issuer } = provider;
  if (refusal)
    logger.warn(
      { issuer, why: refusal.why },
      'the company sign-in cannot be reached: people sign in otherwise meanwhile, and it is asked again when somebody needs it',
    );
  else logger.info({ issuer }, 'the company sign-in is ready');
}

/** What an earlier version set aside of webhooks may be stored by this one. */
function tryEventsAgain(dependencies: StoreDependencies): Background {
  return inBackground(
    dependencies.logger,
    'what was set aside of webhooks stays there for now',
    (isStopped) => replayDeadLetters(dependencies, isStopped),
  );
}

/** A fact that an earlier version could not handle holds up all later ones of its subject, where they are handled in order. */
function tryFactsAgain(parts: FactLogParts): Background {
  const ordered = consumers.filter(({ order }) => order === 'subject');
  return inBackground(parts.logger, 'facts that were set aside stay there for now', (isStopped) =>
    retryDeadLetters(parts, ordered, isStopped),
  );
}

/** The operator's PostgreSQL, or the embedded one, which then belongs to this process. */
async function openStorage(
  config: Config,
  logger: Logger,
  closers: (() => Promise<void>)[],
): Promise<string> {
  if (config.databaseUrl) return config.databaseUrl;
  await checkRoom(config.dataDir);
  const log = (level: 'info' | 'warn' | 'error') => (message: string) => logger[level]({}, message);
  const cluster = await startEmbeddedPostgres({
    dataDir: config.dataDir,
    logger: { info: log('info'), warn: log('warn'), error: log('error') },
  });
  closers.push(() => cluster.stop());
  return cluster.url(DATABASE_NAME);
}

function listen(server: Server, { host, port }: Config): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      reject(
        error.code === 'EADDRINUSE'
          ? new PortTaken(`Port ${port} is taken by another program: stop it, or set PORT to another one.`)
          : error,
      ),
    );
    server.listen(port, host, resolve);
  });
}

/** Event streams never end by themselves, so open connections are cut after those that are idle. */
function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeIdleConnections();
    setTimeout(() => server.closeAllConnections(), 500).unref();
  });
}
