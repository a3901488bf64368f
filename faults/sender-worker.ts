import { randomUUID } from 'node:crypto';
import type { PoolClient } from 'pg';
import { openDatabase } from '@app/database/database';
import type { DeliveryChannel, FileUploads } from '@app/delivery/delivery-host';
import { createDeliveryEngine } from '@app/delivery/engine/engine';
import type { MessageChannel } from '@app/domain/messaging/channel-port';
import { type Budget, pricesOfBudget, type Pricing } from '@app/domain/settings/budget';
import { askPlatform } from '@app/providers/whatsapp-cloud/ask-platform';
import { createWhatsAppCloudClient } from '@app/providers/whatsapp-cloud/whatsapp-cloud-client';

// One process that sends, as the product wires it; it kills itself at the step named in CRASH_AT (`step` or `step:n`).

const { DATABASE_URL = '', SANDBOX_URL = '', CRASH_AT = '', LEASE_MS = '5000', RATE = '500' } = process.env;
const [crashStep, crashTurn = '1'] = CRASH_AT.split('@');
let turn = 0;

function reach(step: string): void {
  if (step !== crashStep) return;
  turn += 1;
  if (turn === Number(crashTurn)) process.kill(process.pid, 'SIGKILL');
}

const database = await openDatabase({ url: DATABASE_URL, poolSize: 10, onError: () => undefined });
function openClient(phoneNumberId: string) {
  return createWhatsAppCloudClient({
    baseUrl: `${SANDBOX_URL}/graph/v26.0`,
    accessToken: 'sandbox-access-token',
    ...{ phoneNumberId, businessAccountId: '100000000000001', appId: '300000000000001' },
    timeouts: { headersMs: 1_000, bodyMs: 1_000, totalMs: 2_500 },
  });
}
type Client = ReturnType<typeof openClient>;

function channelOf(client: Client): MessageChannel {
  return {
    async send(message, signal) {
      reach('send:before');
      const answer = client.send(message, signal);
      if (crashStep === 'send:during') setTimeout(() => reach('send:during'), 1);
      const result = await answer;
      reach('send:after');
      return result;
    },
  };
}

const pool = database.systemPool;
const query = pool.query.bind(pool) as (...values: unknown[]) => Promise<unknown>;
const stepOf = {
  delivery_claim_slice_marketing: 'claim',
  delivery_settle: 'settle',
  delivery_fold: 'fold',
} as const;
Object.assign(pool, {
  async query(...values: unknown[]) {
    const name = (values[0] as { name?: keyof typeof stepOf }).name;
    const step = name && stepOf[name];
    if (!step) return query(...values);
    reach(`${step}:before`);
    const answer = query(...values);
    if (crashStep === `${step}:during`) setTimeout(() => reach(`${step}:during`), Math.random() * 3);
    const result = await answer;
    reach(`${step}:after`);
    return result;
  },
});

/** Steps of a single message, which are statements of transactions, by their words. */
const messageSteps: readonly [RegExp, string][] = [
  [/^UPDATE messages SET owner = \$2/, 'claim'],
  [/^UPDATE messages SET state = 'sending'/, 'begin'],
  [/^UPDATE messages m SET state = 'accepted'/, 'settle'],
];
const connect = pool.connect.bind(pool) as (heard?: unknown) => Promise<PoolClient>;
const wrapped = new WeakSet<PoolClient>();
Object.assign(pool, {
  async connect(heard?: unknown) {
    // The pool asks itself so for single queries.
    if (heard !== undefined) return connect(heard);
    const connection = await connect();
    if (wrapped.has(connection)) return connection;
    wrapped.add(connection);
    const ask = connection.query.bind(connection) as (...values: unknown[]) => Promise<unknown>;
    return Object.assign(connection, {
      async query(...values: unknown[]) {
        const text = typeof values[0] === 'string' ? values[0].trim() : '';
        const step = messageSteps.find(([words]) => words.test(text))?.[1];
        if (!step) return ask(...values);
        reach(`${step}:before`);
        const answer = ask(...values);
        if (crashStep === `${step}:during`) setTimeout(() => reach(`${step}:during`), Math.random() * 3);
        const result = await answer;
        reach(`${step}:after`);
        return result;
      },
    });
  },
});

const picture = Uint8Array.from(
  { length: 2_048 },
  (_, at) => [0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10][at] ?? 1,
);
function uploadsTo(client: Client): FileUploads {
  return {
    async upload({ name, mimeType }) {
      reach('upload:before');
      const size = picture.length;
      const open = async function* (fromByte: number) {
        yield picture.subarray(fromByte);
      };
      const answer = askPlatform(() => client.uploadMedia({ name, mimeType, size, open }));
      if (crashStep === 'upload:during') setTimeout(() => reach('upload:during'), 1);
      const result = await answer;
      reach('upload:after');
      return result;
    },
  };
}

const clients = new Map<string, Client>();

/** Any number of the workspace, with its budget, as the product opens it. */
async function findChannel(channelId: string): Promise<DeliveryChannel> {
  const { rows } = await pool.query<{ address: string; settings: Pricing & { budget?: Budget } }>(
    'SELECT c.address, w.settings FROM channels c JOIN workspaces w ON w.id = c.workspace_id WHERE c.id = $1',
    [channelId],
  );
  const { address = '', settings = {} } = rows[0] ?? {};
  const client = clients.get(address) ?? openClient(address);
  clients.set(address, client);
  return {
    ...{ channel: channelOf(client), uploads: uploadsTo(client) },
    messagesPerSecond: Number(RATE) || null,
    limits: { priceOf: pricesOfBudget(settings) },
  };
}

const engine = createDeliveryEngine({
  systemPool: pool,
  channelFor: findChannel,
  publish: () => undefined,
  emit: async () => undefined,
  logger: { info() {}, warn: (message, details) => console.error(message, details), error: console.error },
  ownerId: randomUUID(),
  leaseMs: Number(LEASE_MS),
});
await engine.start();
process.send?.('ready');
process.on('SIGTERM', () => {
  void engine
    .stop()
    .then(() => database.close())
    .then(() => process.exit(0));
});
process.on('disconnect', () => process.exit(1));
