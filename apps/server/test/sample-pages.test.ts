import { openDatabase } from '@app/database/database';
import { createTestDatabase } from '@app/database/testing/test-database';
import { findPeakHours } from '@app/domain/analytics/peak-hours';
import { afterAll, expect, test } from 'vitest';
import { longTest } from '@app/database/testing/long-test';
import { sampleBotFlows, sampleWorkflows } from '../src/sample/sample-flows.ts';
import { sampleRcsMessages } from '../src/sample/sample-rcs-messages.ts';
import { seedSample } from '../src/sample/seed-sample.ts';
import { createSecretBox } from '../src/secret-box.ts';

async function openEmpty() {
  const database = await createTestDatabase();
  const db = await openDatabase({ url: database.url, poolSize: 2 });
  afterAll(async () => {
    await db.close();
    await database.drop();
  });
  return db;
}

const db = await openEmpty();
const secrets = createSecretBox('a key of this test that is long enough');
const start = (into = db, now = new Date()) =>
  seedSample(into, { secrets, sandboxUrl: 'http://127.0.0.1:1', now });
const read = async <Row>(text: string, values: readonly unknown[]) =>
  (await db.systemPool.query(text, [...values])).rows as Row[];

test('each page of the sample has something to show, the figures are those of its runs, and a second start adds nothing', async () => {
  await start();
  const workspaceId = await start();
  const flows = await read<{ name: string; kind: string; triggered: string; runs: number; logged: number }>(
    `SELECT name, kind, status, triggered, (SELECT count(*)::int FROM flow_runs r WHERE r.flow_id = f.id AND r.status = 'completed') AS runs,
            (SELECT count(DISTINCT run_id)::int FROM flow_log l WHERE l.flow_id = f.id) AS logged
       FROM flows f WHERE workspace_id = $1 ORDER BY created_at, name`,
    [workspaceId],
  );
  const workflows = flows.filter(({ kind }) => kind === 'workflow');
  expect(workflows.map(({ runs }) => runs)).toEqual(sampleWorkflows.map(({ runs }) => runs.length));
  for (const { triggered, runs, logged } of workflows)
    expect([Number(triggered), logged]).toEqual([runs, runs]);
  expect(flows.filter(({ kind }) => kind === 'bot').map(({ name }) => name)).toEqual(
    sampleBotFlows.map(({ flow }) => flow.name),
  );
  const messages = await read<{ name: string }>('SELECT name FROM rcs_messages WHERE workspace_id = $1', [
    workspaceId,
  ]);
  expect(messages.map(({ name }) => name).toSorted()).toEqual(
    sampleRcsMessages.map(({ name }) => name).toSorted(),
  );
  const [answered] = await read<{ n: number }>(
    `SELECT count(*)::int AS n FROM conversations c JOIN bot_answers a USING (workspace_id, contact_id) WHERE workspace_id = $1 AND bot_state IS NOT NULL`,
    [workspaceId],
  );
  expect(answered?.n).toBe(1);
  // The sample is no action of a user: it adds no entries to the audit log and emits no facts.
  expect(await read('SELECT FROM activities WHERE workspace_id = $1', [workspaceId])).toHaveLength(7);
});

longTest.each([
  '2026-11-27T00:10:00Z',
  '2026-11-27T11:22:00Z',
  '2026-11-29T13:00:00Z',
  '2026-12-01T23:59:00Z',
])(
  'the people of a sample that began at %s read most from noon to six, over any of its periods',
  async (began) => {
    const own = await openEmpty();
    const now = new Date(began);
    const workspaceId = await start(own, now);
    for (const days of [7, 30, 60]) {
      const { rows } = await own.systemPool.query<{ hour: number; read: number }>(
        `SELECT extract(hour FROM quarter AT TIME ZONE 'UTC')::int AS hour, sum(read)::int AS read FROM message_rollups
          WHERE workspace_id = $1 AND quarter >= $2::timestamptz - make_interval(days => $3) GROUP BY 1`,
        [workspaceId, now, days],
      );
      const reads = Array.from({ length: 24 }, (_, hour) => rows.find((row) => row.hour === hour)?.read ?? 0);
      expect(findPeakHours(reads)).toEqual({ from: 12, to: 18 });
    }
  },
);
