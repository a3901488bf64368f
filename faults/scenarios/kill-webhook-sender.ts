import { randomBytes, randomUUID } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createTestDatabase } from '@app/database/testing/test-database';
import { type Child, findFreePort, startChild } from '../child-process.ts';
import type { FaultOptions, FaultReport } from '../fault-report.ts';
import { signInAsAdmin } from '../two-hosts.ts';
import { pause } from '../world.ts';

/** Nothing arrives for so long: from the last sign of life until an endpoint is another process's, and a little more. */
const LONGEST_SILENCE_MS = 60_000;

/**
 * `kill -9` of the product while it sends outgoing webhooks to a receiver that loses answers: every event that was accepted is delivered, and one that
 * arrives twice has the same id and the same body.
 */
export async function killWebhookSender({
  kills = 5,
  messages = 300,
  random,
}: FaultOptions): Promise<FaultReport> {
  const testDatabase = await createTestDatabase();
  const receiver = await openReceiver(random);
  const port = await findFreePort();
  const url = `http://127.0.0.1:${port}`;
  const settings = {
    DATABASE_URL: testDatabase.url,
    SECRET_KEY: randomBytes(32).toString('hex'),
    // Nobody listens there: this is about webhooks alone.
    SANDBOX_URL: 'http://127.0.0.1:9',
    PRIVATE_HOSTS: `127.0.0.1:${receiver.port}`,
    PORT: String(port),
    LOG_LEVEL: 'silent',
  };
  const accepted = new Set<string>();
  let server: Child | undefined;
  try {
    const begin = async () => {
      server = startChild('apps/server/src/main.ts', settings, /Ready at/);
      await server.ready;
      return openCaller(url, await signInAsAdmin(url));
    };
    let post = await begin();
    const endpoint = { url: receiver.url, eventTypes: ['contact.created'], perSecond: 100 };
    await post('/api/webhook-endpoints', endpoint);
    const afterEach = Math.ceil(messages / (kills + 1));
    for (let n = 0; accepted.size < messages; n += 1) {
      const made = await post('/api/contacts', {
        name: `Person ${n}`,
        phone: `+1415${String(3_000_000 + n)}`,
        tags: [],
      });
      if (made?.id) accepted.add(made.id);
      if (accepted.size % afterEach === 0 && accepted.size < messages) {
        await pause(random() * 400);
        await server?.stop('SIGKILL');
        post = await begin();
      }
    }
    const missing = () => [...accepted].filter((id) => !receiver.idsOf.has(id)).length;
    let [heard, heardAt] = [receiver.requests, Date.now()];
    while (missing() > 0 && Date.now() - heardAt < LONGEST_SILENCE_MS) {
      await pause(250);
      if (receiver.requests !== heard) [heard, heardAt] = [receiver.requests, Date.now()];
    }
    const twoIds = [...receiver.idsOf.values()].filter((ids) => ids.size > 1).length;
    return {
      isPassed: missing() === 0 && twoIds === 0 && receiver.changedBodies === 0,
      figures: {
        ...{ kills, accepted: accepted.size, missing: missing(), requests: receiver.requests },
        ...{ twoIds, changedBodies: receiver.changedBodies },
      },
    };
  } finally {
    await server?.stop('SIGKILL');
    await receiver.close();
    await testDatabase.drop();
  }
}

function openCaller(url: string, cookie: string) {
  return async (path: string, body: object): Promise<{ id?: string } | undefined> => {
    const response = await fetch(`${url}${path}`, {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { cookie, 'content-type': 'application/json', 'idempotency-key': randomUUID() },
    });
    const answer = (await response.json()) as { id?: string };
    return response.ok ? answer : undefined;
  };
}

/** One in twenty answers is lost, so that the sender does not know whether the delivery arrived. */
async function openReceiver(random: () => number) {
  const idsOf = new Map<string, Set<string>>();
  const bodies = new Map<string, string>();
  const seen = { requests: 0, changedBodies: 0 };
  const server: Server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString();
      const id = String(request.headers['webhook-id']);
      const { data } = JSON.parse(body) as { data: { contactId: string } };
      seen.requests += 1;
      if ((bodies.get(id) ?? body) !== body) seen.changedBodies += 1;
      bodies.set(id, body);
      idsOf.set(data.contactId, (idsOf.get(data.contactId) ?? new Set()).add(id));
      if (random() < 0.05) request.socket.destroy();
      else response.end('ok');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    ...{ port, url: `http://127.0.0.1:${port}/hook`, idsOf },
    get requests() {
      return seen.requests;
    },
    get changedBodies() {
      return seen.changedBodies;
    },
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
