import { randomUUID } from 'node:crypto';
import { openDatabase } from '@app/database/database';
import { createDeliveryEngine } from '@app/delivery/engine/engine';
import type { MessageChannel } from '@app/domain/messaging/channel-port';
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
const client = createWhatsAppCloudClient({
  baseUrl: `${SANDBOX_URL}/graph/v26.0`,
  accessToken: 'sandbox-access-token',
  phoneNumberId: '200000000000001',
  businessAccountId: '100000000000001',
  appId: '300000000000001',
  timeouts: { headersMs: 1_000, bodyMs: 1_000, totalMs: 2_500 },
});

const channel: MessageChannel = {
  async send(message, signal) {
    reach('send:before');
    const answer = client.send(message, signal);
    if (crashStep === 'send:during') setTimeout(() => reach('send:during'), 1);
    const result = await answer;
    reach('send:after');
    return result;
  },
};

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

const engine = createDeliveryEngine({
  systemPool: pool,
  channelFor: () => Promise.resolve({ channel, messagesPerSecond: Number(RATE) || null }),
  publish: () => undefined,
  tell: async () => undefined,
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
