import { randomUUID } from 'node:crypto';
import { openDatabase, type Database } from '@app/database/database';
import { createTestDatabase } from '@app/database/testing/test-database';
import {
  createDeliveryEngine,
  type DeliveryEngine,
  type DeliveryEngineOptions,
} from '../../src/engine/engine.ts';
import type { DeliveryChannel } from '../../src/delivery-host.ts';
import type { DeliveryEvent } from '../../src/delivery-events.ts';
import { readRunProgress, recountRun, type RunProgress } from '../../src/run-progress.ts';
import { startRun, type StartRunInput, type StartRunResult } from '../../src/start-run.ts';
import type { EmitDelivery } from '../../src/emit-runs.ts';
import { inTransaction } from '../../src/transaction.ts';
import { createFakePlatform, type FakePlatform } from './fake-platform.ts';

export type DeliveryScene = {
  database: Database;
  workspaceId: string;
  channelId: string;
  platform: FakePlatform;
  events: DeliveryEvent[];
  messagesPerSecond: number | null;
  limits: NonNullable<DeliveryChannel['limits']>;
  deliveryChannel(): DeliveryChannel;
  addContacts(count: number): Promise<string[]>;
  addChannel(): Promise<string>;
  /** Marketing to everybody, as a campaign of its own. */
  runInput(): StartRunInput;
  start(
    options?: Partial<StartRunInput> & { largeFrom?: number; headSize?: number },
  ): Promise<StartRunResult>;
  startRunOf(options?: Partial<StartRunInput>): Promise<number>;
  engine(options?: Partial<DeliveryEngineOptions>): Promise<DeliveryEngine>;
  progress(runNo: number): Promise<RunProgress>;
  /** Waits until the run is completed (or another state) and compares counters with a recount. */
  finish(runNo: number, state?: RunProgress['state']): Promise<RunProgress>;
  close(): Promise<void>;
};

/** A workspace with a channel and contacts on a database of its own. */
export async function openDeliveryScene(): Promise<DeliveryScene> {
  const testDatabase = await createTestDatabase();
  const database = await openDatabase({ url: testDatabase.url, poolSize: 20 });
  const pool = database.systemPool;
  const workspaceId = randomUUID();
  await pool.query(`INSERT INTO workspaces (id, slug, name) VALUES ($1, 'shop', 'Shop')`, [workspaceId]);
  const engines: DeliveryEngine[] = [];
  let contacts = 0;

  const scene: DeliveryScene = {
    database,
    workspaceId,
    channelId: '',
    platform: createFakePlatform(),
    events: [],
    messagesPerSecond: null,
    limits: {},
    async addContacts(count) {
      const first = contacts + 1;
      contacts += count;
      const { rows } = await pool.query<{ id: string }>(
        `INSERT INTO contacts (id, workspace_id, name, phone)
         SELECT gen_random_uuid(), $1, 'Person ' || n, '+4477' || (10000000 + n) FROM generate_series($2::integer, $3::integer) n RETURNING id`,
        [workspaceId, first, contacts],
      );
      return rows.map(({ id }) => id);
    },
    async addChannel() {
      const id = randomUUID();
      await pool.query(
        `INSERT INTO channels (id, workspace_id, kind, address, credentials, messages_per_second)
         VALUES ($1::uuid, $2, 'fake', $1::uuid::text, '{"version": 1, "values": {}, "secrets": {}}', 80)`,
        [id, workspaceId],
      );
      return id;
    },
    runInput: () => ({
      workspaceId,
      channelId: scene.channelId,
      campaignId: randomUUID(),
      audience: { filter: {} },
      category: 'marketing',
      message: {
        content: { type: 'text', body: 'Hello {{name}}' },
        variables: {},
        businessName: 'Shop',
      },
    }),
    start({ largeFrom, headSize, ...input } = {}) {
      const options = { ...(largeFrom && { largeFrom }), ...(headSize && { headSize }) };
      return inTransaction(pool, (client) => startRun(client, { ...scene.runInput(), ...input }, options));
    },
    async startRunOf(input) {
      const started = await scene.start(input);
      if (started.outcome !== 'started') throw new Error(`The run did not start: ${started.outcome}`);
      return started.runNo;
    },
    deliveryChannel: () => ({
      channel: scene.platform,
      messagesPerSecond: scene.messagesPerSecond,
      limits: scene.limits,
    }),
    async engine(options = {}) {
      const engine = createDeliveryEngine({
        systemPool: pool,
        channelFor: async () => scene.deliveryChannel(),
        publish: (event) => void scene.events.push(event),
        emit: emitPlainly,
        logger: quietLogger,
        ownerId: randomUUID(),
        pollMs: 200,
        ...options,
      });
      engines.push(engine);
      await engine.start();
      return engine;
    },
    async progress(runNo) {
      const [progress] = await readRunProgress(pool, [runNo]);
      if (!progress) throw new Error(`Run ${runNo} does not exist`);
      return progress;
    },
    async finish(runNo, state = 'completed') {
      await waitFor(async () => {
        const progress = await scene.progress(runNo);
        return progress.state === state && (state === 'paused' || progress.completedAt !== null);
      });
      return scene.progress(runNo);
    },
    async close() {
      await Promise.all(engines.map((engine) => engine.stop(500)));
      await database.close();
      await testDatabase.drop();
    },
  };
  scene.channelId = await scene.addChannel();
  return scene;
}

/** The bare row of a fact, in the transaction that is open on `client`. */
export const emitPlainly: EmitDelivery = async (client, workspaceId, { type, subject, values }) => {
  await client.query(
    `INSERT INTO events (workspace_id, type, version, subject_kind, subject_id, actor, "values", occurred_at)
     VALUES ($1, $2, 1, 'campaign', $3, '{}', $4, now())`,
    [workspaceId, type, subject, JSON.stringify(values)],
  );
};

export type EmittedFact = { type: string; values: Record<string, unknown> };

/** What was told of the campaign of a run, in order. */
export async function readEmitted({ database }: DeliveryScene, runNo: number): Promise<EmittedFact[]> {
  const { rows } = await database.systemPool.query<EmittedFact>(
    `SELECT e.type, e."values" FROM events e JOIN delivery_runs r ON r.campaign_id = e.subject_id
      WHERE r.run_no = $1 ORDER BY e.id`,
    [runNo],
  );
  return rows;
}

export const quietLogger = { info() {}, warn() {}, error() {} };

export async function waitFor(isTrue: () => boolean | Promise<boolean>, forMs = 300_000): Promise<void> {
  const end = Date.now() + forMs;
  while (!(await isTrue())) {
    if (Date.now() > end) throw new Error('Waited in vain');
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** Figures that screens show and figures counted anew, which must never differ. */
export async function compareCounters(scene: DeliveryScene, runNo: number) {
  return {
    shown: (await scene.progress(runNo)).counters,
    recounted: await recountRun(scene.database.systemPool, runNo),
  };
}
