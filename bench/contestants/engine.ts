import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { openDatabase } from '@app/database/database';
import { createDeliveryEngine } from '@app/delivery/engine/engine';
import { rcsKind } from '@app/providers/rcs/rcs-kind';
import { createWhatsAppCloudClient } from '@app/providers/whatsapp-cloud/whatsapp-cloud-client';
import { connections, report, untilStarted } from './measure.ts';

// The product's engine with its real client, on a run that is frozen already; done when every outcome is stored.

const [url = '', databaseUrl = '', count = '0', rate = '0', signal = '', token = 'bench-token'] =
  process.argv.slice(2);
/** In millionths; only where the workspace has a budget for the month. */
const price = Number(process.env['PRICE'] ?? 0);
const messages = Number(count);
const database = await openDatabase({ url: databaseUrl, poolSize: 6 });
const isRcs = process.env['KIND'] === 'rcs';
const channel = isRcs ? openAgent() : openNumber();
/** As the product counts it for agents: a rule for one country, of whose people nobody is in the run. */
const promotionCap = isRcs ? { kind: 'rcs', prefix: '+91', days: 28, most: 4 } : null;
await untilStarted();
const startedAt = performance.now();
const cpu = process.cpuUsage();
const engine = createDeliveryEngine({
  systemPool: database.systemPool,
  channelFor: () =>
    Promise.resolve({
      ...{ channel, messagesPerSecond: Number(rate) || null, maxInFlight: connections },
      limits: { priceOf: price > 0 ? () => price : null, promotionCap },
    }),
  publish: ({ kind, state, counters }) => {
    if (signal === 'memory')
      process.send?.({ progress: { accepted: counters.accepted, rssKb: process.memoryUsage().rss / 1024 } });
    if (kind !== 'run_state' || state !== 'completed') return;
    // A message that the client refuses by itself costs next to nothing; a figure with such messages would be false.
    if (counters.accepted !== messages)
      throw new Error(`Only ${counters.accepted} of ${messages} messages were accepted.`);
    report(messages, startedAt, cpu);
  },
  emit: async () => undefined,
  logger: { info() {}, warn: console.error, error: console.error },
  ownerId: randomUUID(),
});
await engine.start();
process.on('SIGTERM', () => void engine.stop().then(() => process.exit(0)));

function openNumber() {
  return createWhatsAppCloudClient({
    baseUrl: `${url}/v26.0`,
    accessToken: token,
    phoneNumberId: '200000000000001',
    businessAccountId: '100000000000001',
    appId: '300000000000001',
    connections,
  });
}

function openAgent() {
  const { privateKey } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
  const serviceAccount = JSON.stringify({
    ...{
      client_email: 'bench@example.iam.gserviceaccount.com',
      private_key_id: 'key',
      private_key: privateKey,
    },
    token_uri: `${url}/rcs/token`,
  });
  const credentials = { serviceAccount, agentId: 'agent', useCase: 'multi_use', baseUrl: `${url}/rcs` };
  return rcsKind.open(credentials, { connections });
}
