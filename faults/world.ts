import { randomBytes, randomUUID } from 'node:crypto';
import { type Database, openDatabase } from '@app/database/database';
import { createTestDatabase, type TestDatabase } from '@app/database/testing/test-database';
import { readRunProgress, type RunProgress } from '@app/delivery/run-progress';
import { startRun } from '@app/delivery/start-run';
import { inTransaction } from '@app/delivery/transaction';
import type { MessageContent } from '@app/domain/messaging/message-content';
import { type Child, findFreePort, startChild } from './child-process.ts';

/** The sandbox and the product's web process (for the webhooks) as processes of their own, on a database of their own. */
export type World = {
  database: Database;
  testDatabase: TestDatabase;
  workspaceId: string;
  channelId: string;
  sandboxUrl: string;
  /** Starts a process that sends; `crashAt` makes it kill itself at a named step. */
  startSender(options?: { crashAt?: string; leaseMs?: number }): Child;
  setBehaviour(behaviour: Record<string, unknown>): Promise<void>;
  control(method: string, path: string, body?: unknown): Promise<unknown>;
  /** Their numbers begin with `prefix`, eight digits follow. */
  addContacts(count: number, prefix?: string): Promise<string[]>;
  /** One more number of the workspace, at the platform and in the product; answers with its channel. */
  addNumber(): Promise<string>;
  startRun(contactIds: string[], of?: { channelId?: string; content?: MessageContent }): Promise<number>;
  progress(runNos: number[]): Promise<RunProgress[]>;
  /** Resolves when these runs are completed; throws after `forMs`. */
  finish(runNos: number[], forMs?: number): Promise<void>;
  /** Resolves when the platform has told the product everything. */
  quiet(forMs?: number): Promise<void>;
  close(): Promise<void>;
};

export type SandboxStats = {
  accepted: number;
  byRecipientMax: number;
  distinctRecipients: number;
  statusesPending: number;
  maxInAnySecond: number;
  rejected: number;
  webhooks: { pending: number; failed: number; duplicates: number; dropped: number };
};

export async function openWorld(): Promise<World> {
  const testDatabase = await createTestDatabase();
  const database = await openDatabase({ url: testDatabase.url, poolSize: 5, onError: () => undefined });
  const webPort = await findFreePort();
  const sandbox = startChild('packages/sandbox/src/main.ts', {
    SANDBOX_PORT: '0',
    SANDBOX_WEBHOOK_URL: `http://127.0.0.1:${webPort}/webhooks/whatsapp/sample`,
  });
  const { port } = (await sandbox.ready) as { port: number };
  const sandboxUrl = `http://127.0.0.1:${port}`;
  const web = startChild(
    'apps/server/src/main.ts',
    {
      DATABASE_URL: testDatabase.url,
      SECRET_KEY: randomBytes(32).toString('hex'),
      SANDBOX_URL: sandboxUrl,
      PORT: String(webPort),
      ROLES: 'web',
      LOG_LEVEL: 'error',
    },
    /http/,
  );
  await web.ready;
  const pool = database.systemPool;
  const { rows } = await pool.query<{ id: string; workspace_id: string }>(
    `SELECT c.id, c.workspace_id FROM channels c JOIN workspaces w ON w.id = c.workspace_id WHERE w.slug = 'sample' ORDER BY c.created_at`,
  );
  const channel = rows[0];
  if (!channel) throw new Error('The sample workspace has no channel');
  let contacts = 0;

  const world: World = {
    database,
    testDatabase,
    workspaceId: channel.workspace_id,
    channelId: channel.id,
    sandboxUrl,
    startSender: ({ crashAt, leaseMs } = {}) =>
      startChild('faults/sender-worker.ts', {
        DATABASE_URL: testDatabase.url,
        SANDBOX_URL: sandboxUrl,
        ...(crashAt && { CRASH_AT: crashAt }),
        ...(leaseMs && { LEASE_MS: String(leaseMs) }),
      }),
    setBehaviour: async (behaviour) => {
      await world.control('POST', 'behaviour', behaviour);
    },
    async control(method, path, body) {
      const response = await fetch(`${sandboxUrl}/_sandbox/whatsapp/${path}`, {
        method,
        ...(body !== undefined && {
          body: JSON.stringify(body),
          headers: { 'content-type': 'application/json' },
        }),
      });
      if (!response.ok) throw new Error(`The sandbox refused ${path}: ${await response.text()}`);
      return response.json();
    },
    async addContacts(count, prefix = '+49157') {
      const first = contacts + 1;
      contacts += count;
      const added = await pool.query<{ id: string }>(
        `INSERT INTO contacts (id, workspace_id, name, phone)
         SELECT gen_random_uuid(), $1, 'Person ' || n, $4 || (10000000 + n) FROM generate_series($2::integer, $3::integer) n RETURNING id`,
        [world.workspaceId, first, contacts, prefix],
      );
      return added.rows.map(({ id }) => id);
    },
    async addNumber() {
      const { phoneNumberId } = (await world.control('POST', 'numbers', {
        businessAccountId: '100000000000001',
        displayPhoneNumber: '+44 7700 900101',
      })) as { phoneNumberId: string };
      const added = await pool.query<{ id: string }>(
        `INSERT INTO channels (id, workspace_id, kind, address, display_name, credentials, messages_per_second, is_connected)
         SELECT gen_random_uuid(), workspace_id, kind, $2, $2, credentials, messages_per_second, true FROM channels WHERE id = $1 RETURNING id`,
        [world.channelId, phoneNumberId],
      );
      return added.rows[0]?.id ?? '';
    },
    async startRun(contactIds, { channelId = world.channelId, content } = {}) {
      const started = await inTransaction(pool, (client) =>
        startRun(client, {
          workspaceId: world.workspaceId,
          channelId,
          campaignId: randomUUID(),
          audience: { contactIds },
          category: 'marketing',
          message: {
            content: content ?? { type: 'text', body: 'Hello {{name}}' },
            variables: {},
            businessName: 'Sample',
          },
        }),
      );
      if (started.outcome !== 'started') throw new Error(`The run did not start: ${started.outcome}`);
      return started.runNo;
    },
    progress: (runNos) => readRunProgress(pool, runNos),
    async finish(runNos, forMs = 60_000) {
      try {
        await waitUntil('the runs are completed', forMs, async () =>
          (await world.progress(runNos)).every(({ completedAt }) => completedAt !== null),
        );
      } catch (error) {
        throw new Error(`${String(error)}\n${await describeRuns(world, runNos)}`, { cause: error });
      }
    },
    async quiet(forMs = 90_000) {
      try {
        await waitUntil('all webhooks are delivered', forMs, async () => {
          const { statusesPending, webhooks } = (await world.control('GET', 'stats')) as SandboxStats;
          return statusesPending === 0 && webhooks.pending === 0;
        });
      } catch (error) {
        const stats = JSON.stringify(await world.control('GET', 'stats'));
        throw new Error(`${String(error)}\n${stats}\n${web.errors()}`, { cause: error });
      }
    },
    async close() {
      await Promise.all([web.stop(), sandbox.stop()]);
      await database.close();
      await testDatabase.drop();
    },
  };
  await world.setBehaviour({
    windowError: 'off',
    pairLimit: false,
    throughputMps: 0,
    latencyMs: [0, 10],
    statusDelayMs: 50,
    webhookRetryBaseMs: 200,
    webhookRetryCapMs: 2_000,
  });
  return world;
}

async function describeRuns(world: World, runNos: number[]): Promise<string> {
  const { rows } = await world.database.systemPool.query(
    `SELECT run_no, state, pause_reason, pause_detail, cursor, low_water, total, r.owner, r.epoch, d.owner AS holder, d.epoch AS held, d.lease_until, d.hold_until,
       now() AS now, (SELECT json_agg(q) FROM (SELECT seq, not_before, claimed_attempt FROM delivery_retries q WHERE q.run_no = r.run_no LIMIT 5) q) AS retries
     FROM delivery_runs r LEFT JOIN delivery_channels d USING (channel_id)
     WHERE run_no = ANY($1) AND completed_at IS NULL`,
    [runNos],
  );
  return rows.map((row) => JSON.stringify(row)).join('\n');
}

export async function waitUntil(
  what: string,
  forMs: number,
  isTrue: () => boolean | Promise<boolean>,
): Promise<void> {
  const end = performance.now() + forMs;
  while (!(await isTrue())) {
    if (performance.now() > end) throw new Error(`Waited ${forMs} ms in vain until ${what}`);
    await pause(50);
  }
}

export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
