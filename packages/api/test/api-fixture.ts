import { createHmac, randomBytes, scryptSync } from 'node:crypto';
import type { Hono } from 'hono';
import { indexChannelKinds } from '@app/domain/channels/channel-kind';
import { indexConnectorKinds } from '@app/domain/integrations/connector-kind';
import { createAiModels } from '@app/providers/ai-models/ai-models';
import { readText } from '@app/providers/knowledge-files/read-file';
import { createOutgoingCalls } from '@app/providers/calls/outgoing-calls';
import { whatsAppKind } from '@app/providers/whatsapp-cloud/whatsapp-kind';
import { addAccount } from '../src/auth/seed-accounts.ts';
import type { PasswordHasher } from '../src/auth/passwords/password-hasher.ts';
import { createAuthentication } from '../src/auth/create-authentication.ts';
import { createApi } from '../src/create-api.ts';
import { openLiveEvents, type LiveEvents } from '../src/platform/live-events.ts';
import { openViewers } from '../src/platform/live/viewers.ts';
import { bringArrived } from '../src/conversations/messages/bring-arrived.ts';
import { openFactLog, type FactLog } from '../src/platform/facts/fact-log.ts';
import { openJobs, type JobQueue, type Working } from '../src/platform/jobs/open-jobs.ts';
import { consumers, enqueuedJobs, people, workers } from '../src/features.ts';
import type { Logger } from '../src/platform/logger.ts';
import type { Mail } from '../src/platform/jobs/mailer.ts';
import type { ApiDependencies, SecretBox } from '../src/platform/request-context.ts';
import { sealCredentials } from '../src/platform/stored-credentials.ts';
import { channels } from '@app/database/channels/channels-tables';
import { workspaces } from '@app/database/workspaces/workspaces-tables';
import { openDatabase, type Database } from '@app/database/database';
import { takeArchive } from '@app/database/backup/take-archive';
import { newId } from '@app/database/new-id';
import { quietConnector } from './integrations/quiet-connector.ts';
import { createMemoryMediaStore } from './memory-media-store.ts';
import { createMemoryTemplatePlatform } from './memory-template-platform.ts';
import { createTestDatabase } from '@app/database/testing/test-database';
import { roles, type Role } from '@app/domain/auth/permissions';

export const PUBLIC_URL = 'http://localhost:3000';
/** None that everybody knows. */
export const PASSWORD = 'Of-tests-123';
/** As that of the product, but quick: to hash is half of what the tests would take. A test that promises something of the real one asks for it. */
export const quickHasher: PasswordHasher = {
  async hash(password) {
    const salt = randomBytes(16).toString('hex');
    return `${salt}:${hashQuickly(password, salt)}`;
  },
  async verify(password, hash) {
    const [salt = '', key] = hash.split(':');
    return hashQuickly(password, salt) === key;
  },
};
const hashQuickly = (password: string, salt: string) =>
  scryptSync(password.normalize('NFKC'), salt, 64, { N: 2 }).toString('hex');
export const passwordHash = quickHasher.hash(PASSWORD);

/**
 * Four connections for many callers at once: on a machine that is busy with other tests their turn may take a while, and is no reason
 * to answer that the server is busy. A test of just that asks for the times of production.
 */
const PATIENT = { waitMs: 60_000, statementMs: 60_000 };

/** An answer whose body the test knows: `await answer.json<{ items: Contact[] }>()`. */
export type ApiResponse = Omit<Response, 'json'> & { json<Body = unknown>(): Promise<Body> };

/** Somebody who calls the API: with the cookies of a real sign-in, or without any. */
export type ApiCaller = {
  request(path: string, init?: RequestInit): Promise<ApiResponse>;
  get(path: string): Promise<ApiResponse>;
  post(path: string, body?: unknown, idempotencyKey?: string): Promise<ApiResponse>;
  put(path: string, body?: unknown): Promise<ApiResponse>;
  patch(path: string, body?: unknown): Promise<ApiResponse>;
  delete(path: string, body?: unknown): Promise<ApiResponse>;
};

export type SentMail = Mail;

export type ApiFixture = {
  app: Hono;
  /** Address of a superuser. */
  databaseUrl: string;
  db: Database;
  liveEvents: LiveEvents;
  facts: FactLog;
  /** The workspace of the four roles: `admin@acme.test`, `manager@acme.test` … with `PASSWORD`. */
  workspaceId: string;
  /** A workspace that the four must never see into. */
  otherWorkspaceId: string;
  as(role: Role): Promise<ApiCaller>;
  /** The admin of the other workspace, `admin@other.test`. */
  asOther(): Promise<ApiCaller>;
  stranger: ApiCaller;
  /** What the API is made of. */
  parts: ApiDependencies;
  /** What the API gave to its mail server. */
  mails: readonly SentMail[];
  userId(email: string): Promise<string>;
  /** A connected WhatsApp number; nothing answers at its address. Gives its id. */
  addChannel(): Promise<string>;
  /** Moves the clock of the API forward. */
  advance(milliseconds: number): void;
  close(): Promise<void>;
};

/** A real database with two workspaces, and the whole API above it without a port. What is left for later waits unless it `isWorking`. */
export async function openApiFixture(
  overrides: Partial<ApiDependencies> = {},
  { isWorking = true, passwords = quickHasher, hasTimesOfProduction = false } = {},
): Promise<ApiFixture> {
  const database = await createTestDatabase();
  const db = await openDatabase({
    url: database.url,
    poolSize: 4,
    ...(!hasTimesOfProduction && { times: PATIENT }),
  });
  const liveEvents = await openLiveEvents(db, () => {});
  const [workspaceId, otherWorkspaceId] = await seedWorkspaces(db, await passwords.hash(PASSWORD));
  let offset = 0;
  const clock = () => new Date(Date.now() + offset);
  const viewers = openViewers({ liveEvents, clock });
  const logger: Logger = { info() {}, warn() {}, error: (fields, message) => console.error(message, fields) };
  const stopBringing = bringArrived({ db, clock, logger, liveEvents, viewers });
  const queue = openJobs({ db, logger, kinds: enqueuedJobs, isWorking });
  let working: Working | undefined;
  // Most tests leave no job, and to start the work on jobs costs as much as the rest of the fixture.
  const jobs = callBeforeEnqueuing(queue, () => {
    if (isWorking) working ??= queue.work(dependencies);
  });
  const channelKinds = overrides.channelKinds ?? indexChannelKinds([whatsAppKind]);
  const connectorKinds = overrides.connectorKinds ?? indexConnectorKinds([quietConnector]);
  const facts = await openFactLog(
    { db, clock, logger, viewers, jobs, channelKinds, connectorKinds },
    consumers,
  );
  const mails: SentMail[] = [];
  const calls = createOutgoingCalls({ namedHosts: ['127.0.0.1'] });
  const dependencies: ApiDependencies = {
    db,
    stopping: new AbortController().signal,
    liveEvents,
    viewers,
    facts,
    jobs,
    clock,
    logger,
    publicUrl: PUBLIC_URL,
    isLocalOnly: true,
    secrets: await createTestSecretBox(),
    mailer: { send: async (mail) => void mails.push(mail) },
    sandboxUrl: undefined,
    channelKinds,
    templatePlatform: createMemoryTemplatePlatform(),
    messageSender: {
      open: async () => ({
        send: async () => ({ outcome: 'not_sent', reason: 'connect_refused' }),
        media: {
          upload: async () => ({ outcome: 'unreachable' }),
          download: async () => ({ outcome: 'unreachable' }),
        },
      }),
    },
    mediaStore: createMemoryMediaStore(),
    people,
    findPlace: () => null,
    confirmsAddresses: false,
    sendsMail: true,
    companyProvider: null,
    backups: null,
    takeArchive: (wanted) =>
      takeArchive({
        ...{ ...wanted, url: database.url },
        ...{ files: dependencies.mediaStore, secrets: dependencies.secrets },
      }),
    push: { publicKey: 'a key of the tests', send: async () => 'sent' },
    calls,
    aiModels: createAiModels({ calls }),
    readText,
    connectorKinds,
    ...overrides,
  };
  const running = isWorking ? workers.map((start) => start(dependencies)) : [];
  const authentication = createAuthentication({
    ...dependencies,
    secret: 'a secret of the tests'.repeat(2),
    passwords,
  });
  const app = createApi({
    ...dependencies,
    authentication,
    allowedHosts: [],
    readIpAddress: (request) => request.headers.get('x-test-address') ?? '192.0.2.1',
  });
  const signedIn = new Map<string, Promise<ApiCaller>>();
  const signInOnce = (email: string) => {
    const caller = signedIn.get(email) ?? signIn(app, email);
    signedIn.set(email, caller);
    return caller;
  };
  return {
    app,
    databaseUrl: database.url,
    db,
    liveEvents,
    facts,
    workspaceId,
    otherWorkspaceId,
    as: (role) => signInOnce(`${role}@acme.test`),
    asOther: () => signInOnce('admin@other.test'),
    stranger: createCaller(app, ''),
    parts: dependencies,
    mails,
    async userId(email) {
      const { rows } = await db.systemPool.query('SELECT id FROM users WHERE email = $1', [email]);
      return rows[0].id;
    },
    async addChannel() {
      const id = newId();
      const { kind, ...sealed } = await sealTestChannel(dependencies.secrets, 'http://127.0.0.1:9');
      await db.inSystem((tx) =>
        tx
          .insert(channels)
          .values({ id, workspaceId, kind, ...sealed, isConnected: true, messagesPerSecond: 80 }),
      );
      return id;
    },
    advance(milliseconds) {
      offset += milliseconds;
    },
    async close() {
      await Promise.all(running.map((worker) => worker.stop()));
      await working?.stop();
      await facts.close();
      await jobs.close();
      await calls.close();
      stopBringing();
      viewers.close();
      await liveEvents.close();
      await db.close();
      await database.drop();
    },
  };
}

function callBeforeEnqueuing(queue: JobQueue, begin: () => void): JobQueue {
  const before =
    <Arguments extends unknown[], Result>(enqueue: (...given: Arguments) => Result) =>
    (...given: Arguments): Result => {
      begin();
      return enqueue(...given);
    };
  return {
    ...queue,
    enqueue: before(queue.enqueue) as JobQueue['enqueue'], // two forms of one function
    enqueueMany: before(queue.enqueueMany) as JobQueue['enqueueMany'],
  };
}

/** Signs in through the API and keeps the cookies, as a browser would. */
export async function signIn(app: Hono, email: string, password = PASSWORD): Promise<ApiCaller> {
  const response = await createCaller(app, '').post('/api/auth/sign-in/email', { email, password });
  if (!response.ok) throw new Error(`${email} cannot sign in: ${await response.text()}`);
  return createCaller(app, readCookies(response));
}

/** The refusal inside an answer of `/api/auth/*`. */
export async function readErrorBody(
  response: ApiResponse,
): Promise<{ code: string; message: string; fields: Record<string, string>; retryAfterSeconds?: number }> {
  type Details = { issues?: { field: string; message: string }[]; retryAfterSeconds?: number };
  const { error } = await response.json<{ error: { code: string; message: string; details?: Details } }>();
  const { issues = [], retryAfterSeconds } = error.details ?? {};
  return {
    code: error.code,
    message: error.message,
    fields: Object.fromEntries(issues.map(({ field, message }) => [field, message])),
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
  };
}

/** The `cookie` header that a browser would send after this answer. */
export function readCookies(response: ApiResponse): string {
  return response.headers
    .getSetCookie()
    .map((cookie) => cookie.slice(0, cookie.indexOf(';')))
    .join('; ');
}

export function createCaller(app: Hono, cookie: string): ApiCaller {
  const request = async (path: string, init: RequestInit = {}): Promise<ApiResponse> => {
    const headers = new Headers(init.headers);
    if (cookie) headers.set('cookie', cookie);
    // Each request is an act of its own, unless the test says otherwise.
    if (!headers.has('idempotency-key') && (init.method ?? 'GET') !== 'GET')
      headers.set('idempotency-key', crypto.randomUUID());
    return (await app.request(`${PUBLIC_URL}${path}`, { ...init, headers })) as ApiResponse; // types the body only
  };
  return callBy(request);
}

/** The usual ways to ask, by whoever asks. */
export function callBy(request: ApiCaller['request']): ApiCaller {
  const send = (method: string) => (path: string, body?: unknown, idempotencyKey?: string) =>
    request(path, {
      method,
      headers: {
        ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
  return {
    request,
    get: (path) => request(path),
    post: send('POST'),
    put: send('PUT'),
    patch: send('PATCH'),
    delete: send('DELETE'),
  };
}

async function seedWorkspaces(db: Database, hash: string): Promise<[string, string]> {
  const [acme, other] = [newId(), newId()];
  await db.inSystem(async (tx) => {
    await tx.insert(workspaces).values([
      // Whoever comes anew joins the first workspace of an installation.
      { id: acme, slug: 'acme', name: 'Acme', createdAt: new Date(Date.now() - 86_400_000) },
      { id: other, slug: 'other', name: 'Other' },
    ]);
    for (const role of roles)
      await addAccount(
        tx,
        acme,
        { email: `${role}@acme.test`, firstName: role, lastName: 'Acme', role },
        hash,
      );
    await addAccount(
      tx,
      other,
      { email: 'admin@other.test', firstName: 'Admin', lastName: 'Other', role: 'admin' },
      hash,
    );
  });
  return [acme, other];
}

/** What a row of a channel holds of a number of the tests. */
export async function sealTestChannel(secrets: SecretBox, baseUrl: string) {
  const credentials = {
    ...{ phoneNumberId: '1', businessAccountId: '2', appId: '3', baseUrl },
    ...{ accessToken: 'a token', appSecret: 'a secret', verifyToken: 'a word' },
  };
  return {
    kind: whatsAppKind.name,
    ...(await sealCredentials(whatsAppKind.credentials, credentials, secrets)),
  };
}

export async function createTestSecretBox(): Promise<SecretBox> {
  const key = await crypto.subtle.generateKey({ name: 'AES-GCM', length: 256 }, false, [
    'encrypt',
    'decrypt',
  ]);
  return {
    async seal(plain) {
      const iv = crypto.getRandomValues(new Uint8Array(12));
      const sealed = await crypto.subtle.encrypt(
        { name: 'AES-GCM', iv },
        key,
        new TextEncoder().encode(plain),
      );
      return `${Buffer.from(iv).toString('base64')}.${Buffer.from(sealed).toString('base64')}`;
    },
    async open(sealed) {
      const [iv = '', data = ''] = sealed.split('.');
      const bytes = (text: string) => new Uint8Array(Buffer.from(text, 'base64'));
      const plain = await crypto.subtle.decrypt({ name: 'AES-GCM', iv: bytes(iv) }, key, bytes(data));
      return new TextDecoder().decode(plain);
    },
    fingerprint: (text) => createHmac('sha256', 'a key of the tests').update(text).digest('base64url'),
  };
}
