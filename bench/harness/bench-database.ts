import { randomUUID } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type Database, migrateDatabase, openDatabase } from '@app/database/database';
import { findPostmaster } from '@app/database/embedded/postmaster-file';
import { findEmbeddedBinaries } from '@app/database/embedded/postgres-binaries';
import { startCluster } from '@app/database/embedded/postgres-cluster';
import { chooseServerAccount } from '@app/database/embedded/server-account';
import { startTestCluster } from '@app/database/testing/test-cluster';
import { createTestDatabase } from '@app/database/testing/test-database';
import type { MessageContent } from '@app/domain/messaging/message-content';
import { startRun } from '@app/delivery/start-run';
import { inTransaction } from '@app/delivery/transaction';
import { isSmall } from '../../tools/small-run.ts';

const offer: MessageContent = {
  type: 'template',
  name: 'offer',
  language: 'en',
  body: { format: 'named', values: { name: '{{name}}' } },
};

export type BenchDatabase = {
  url: string;
  /** Not one that an earlier benchmark has kept. */
  isNew: boolean;
  database: Database;
  /** Process id of the server, to count its CPU. */
  serverPid: number;
  workspaceId: string;
  channelId: string;
  addContacts(count: number): Promise<void>;
  removeContacts(): Promise<void>;
  startRun(content?: MessageContent): Promise<number>;
  close(): Promise<void>;
};

/**
 * The embedded PostgreSQL with its durable settings as the product runs it, empty but for one workspace and channel. With a `home` it stays there
 * when it is closed, and is found as it was left.
 */
export async function openBenchDatabase(keep: { home?: string } = {}): Promise<BenchDatabase> {
  const { url, isNew, serverPid, stop } = isSmall ? await copyDatabase() : await startServer(keep);
  const database = await openDatabase({ url, poolSize: 10 });
  const pool = database.systemPool;
  const bench = { workspaceId: randomUUID(), channelId: randomUUID() };
  let contacts = 0;
  if (isNew) {
    await pool.query(`INSERT INTO workspaces (id, slug, name) VALUES ($1, 'bench', 'Bench')`, [
      bench.workspaceId,
    ]);
    await pool.query(
      `INSERT INTO channels (id, workspace_id, kind, address, credentials, is_connected, messages_per_second)
       VALUES ($1, $2, 'whatsapp', '200000000000001', '{"version": 1, "values": {}, "secrets": {}}', true, 80)`,
      [bench.channelId, bench.workspaceId],
    );
  }
  const self: BenchDatabase = {
    ...bench,
    url,
    isNew,
    database,
    serverPid,
    async addContacts(count) {
      const first = contacts + 1;
      contacts += count;
      await pool.query(
        `INSERT INTO contacts (id, workspace_id, name, phone)
         SELECT uuidv7(), $1, 'Person ' || n, '+49157' || (10000000 + n) FROM generate_series($2::integer, $3::integer) n`,
        [self.workspaceId, first, contacts],
      );
      await pool.query('ANALYZE contacts');
    },
    async removeContacts() {
      await pool.query('TRUNCATE contacts CASCADE');
      contacts = 0;
    },
    async startRun(content = offer) {
      const started = await inTransaction(pool, (client) =>
        startRun(client, {
          workspaceId: self.workspaceId,
          channelId: self.channelId,
          campaignId: randomUUID(),
          audience: { filter: {} },
          category: 'marketing',
          message: {
            content,
            variables: {},
            businessName: 'Bench',
          },
        }),
      );
      if (started.outcome !== 'started') throw new Error(`The run did not start: ${started.outcome}`);
      return started.runNo;
    },
    async close() {
      await database.close();
      await stop();
    },
  };
  return self;
}

type BenchServer = Pick<BenchDatabase, 'url' | 'isNew' | 'serverPid'> & { stop(): Promise<void> };

async function startServer(keep: { home?: string }): Promise<BenchServer> {
  const account = chooseServerAccount();
  const home = keep.home ?? mkdtempSync('/tmp/messaging-bench-pg-');
  const isNew = !existsSync(join(home, 'cluster'));
  mkdirSync(home, { recursive: true });
  chmodSync(home, 0o755);
  const cluster = await startCluster({
    binaries: findEmbeddedBinaries(account),
    home: join(home, 'cluster'),
    account,
    logger: { info() {}, warn() {}, error: console.error },
    settings: { max_connections: '200' },
  });
  const serverPid = findPostmaster(join(home, 'cluster', 'data'))?.pid ?? 0;
  // An aborted benchmark must not leave a server behind.
  const endServer = (): void => void (serverPid > 0 && process.kill(serverPid, 'SIGINT'));
  process.once('exit', endServer);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
  const url = cluster.url('postgres');
  await migrateDatabase(url);
  return {
    ...{ url, isNew, serverPid },
    async stop() {
      process.off('exit', endServer);
      await cluster.stop();
      if (keep.home === undefined) rmSync(home, { recursive: true, force: true });
    },
  };
}

/** A small run measures nothing: its databases are copies on a server of tests, which ends with the run. */
async function copyDatabase(): Promise<BenchServer> {
  if (!process.env['TEST_DATABASE_URL']) {
    const cluster = await startTestCluster('embedded');
    process.once('exit', () => void cluster.stop());
    process.env['TEST_DATABASE_URL'] = cluster.url;
  }
  const { url, drop } = await createTestDatabase();
  return { url, isNew: true, serverPid: 0, stop: drop };
}
