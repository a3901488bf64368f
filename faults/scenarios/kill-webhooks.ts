import { createHmac, randomBytes } from 'node:crypto';
import { openDatabase } from '@app/database/database';
import { createTestDatabase } from '@app/database/testing/test-database';
import { type Child, findFreePort, startChild } from '../child-process.ts';
import type { FaultOptions, FaultReport } from '../fault-report.ts';
import { pause, waitUntil } from '../world.ts';

/** The sandbox's secret, with which the sample workspace is connected. */
const APP_SECRET = 'sandbox-app-secret';
const CALLERS = 20;

/**
 * `kill -9` of the server while webhooks pour in: every one that was answered 200 is there afterwards, and one that
 * is delivered again, as the platform does, is there once.
 */
export async function killWebhooks({ kills = 20, random }: FaultOptions): Promise<FaultReport> {
  const testDatabase = await createTestDatabase();
  const database = await openDatabase({ url: testDatabase.url, poolSize: 2, onError: () => undefined });
  const port = await findFreePort();
  const settings = {
    DATABASE_URL: testDatabase.url,
    SECRET_KEY: randomBytes(32).toString('hex'),
    // Nobody listens there: this is about what comes in.
    SANDBOX_URL: 'http://127.0.0.1:9',
    PORT: String(port),
    LOG_LEVEL: 'silent',
  };
  const answered = new Set<string>();
  let sent = 0;
  let server: Child | undefined;
  try {
    for (let kill = 0; kill < kills; kill += 1) {
      server = startChild('apps/server/src/main.ts', settings, /Ready at/);
      await server.ready;
      let isPouring = true;
      const callers = Array.from({ length: CALLERS }, async () => {
        while (isPouring) {
          sent += 1;
          const id = `wamid.kill.${sent}`;
          if (await deliver(port, id)) answered.add(id);
        }
      });
      await pause(50 + random() * 400);
      // On a slow machine the first one is answered later, and nothing would be promised.
      if (kill === 0) await waitUntil('a webhook is answered', 60_000, () => answered.size > 0);
      await server.stop('SIGKILL');
      isPouring = false;
      await Promise.all(callers);
    }
    server = startChild('apps/server/src/main.ts', settings, /Ready at/);
    await server.ready;
    for (const id of [...answered].slice(-200)) await deliver(port, id);
    const { rows } = await database.systemPool.query<{ id: string; copies: number }>(
      `SELECT provider_message_id AS id, count(*)::int AS copies FROM messages
        WHERE provider_message_id LIKE 'wamid.kill.%' GROUP BY 1`,
    );
    const kept = new Set(rows.map(({ id }) => id));
    const lost = [...answered].filter((id) => !kept.has(id)).length;
    const doubled = rows.filter(({ copies }) => copies > 1).length;
    return {
      isPassed: answered.size > 0 && lost === 0 && doubled === 0,
      figures: { kills, sent, answered: answered.size, kept: kept.size, lost, doubled },
    };
  } finally {
    await server?.stop('SIGKILL');
    await database.close();
    await testDatabase.drop();
  }
}

/** True when the server answered 200, and so promised to keep it. */
async function deliver(port: number, id: string): Promise<boolean> {
  const person = `4477009${id.length}${String(id.charCodeAt(id.length - 1))}`;
  const body = JSON.stringify({
    object: 'whatsapp_business_account',
    entry: [
      {
        id: '100000000000001',
        changes: [
          {
            field: 'messages',
            value: {
              messaging_product: 'whatsapp',
              metadata: { display_phone_number: '447700900100', phone_number_id: '200000000000001' },
              contacts: [{ profile: { name: 'Person' }, wa_id: person }],
              messages: [{ from: person, id, timestamp: '1790000000', type: 'text', text: { body: id } }],
            },
          },
        ],
      },
    ],
  });
  try {
    const response = await fetch(`http://127.0.0.1:${port}/webhooks/whatsapp/sample`, {
      method: 'POST',
      body,
      headers: {
        'x-hub-signature-256': `sha256=${createHmac('sha256', APP_SECRET).update(body).digest('hex')}`,
      },
    });
    await response.arrayBuffer();
    return response.status === 200;
  } catch {
    // The server died with this one in its hands; the platform would try again.
    return false;
  }
}
