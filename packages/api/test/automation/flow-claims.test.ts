import { afterAll, beforeAll, expect, test } from 'vitest';
import type { SqlQueries } from '@app/database/sql-queries';
import { newRunState } from '@app/domain/flows/run-state';
import { claimRuns } from '@app/flows/claim-runs';
import { openFlowFixture, step, tagged, type FlowFixture } from './flow-fixture.ts';

const RUNS = 20_000;
/** Two small look-ups for each class, and what it takes to lock what is claimed. */
const MOST_PAGES = 200;

let flows: FlowFixture;
beforeAll(async () => {
  flows = await openFlowFixture();
});
afterAll(() => flows.api.close());

test('a claim reads a few pages, however many runs of a workspace are due', async () => {
  const pool = flows.api.db.systemPool;
  const { id } = await flows.publish({
    ...{ triggers: [tagged('never')], start: 'mark' },
    steps: [step('mark', 'add_tag', { tag: 'marked' })],
  });
  const now = Date.now();
  await pool.query(
    `INSERT INTO flow_runs (id, workspace_id, flow_id, version, status, state, class, due_at, seed, started_at)
     SELECT gen_random_uuid(), workspace_id, id, 1, 'running', $2, 1, $3, n, $3 FROM flows, generate_series(1, $4::integer) AS n WHERE id = $1`,
    [id, JSON.stringify(newRunState({}, now)), new Date(now - 1_000), RUNS],
  );
  await pool.query('ANALYZE flow_runs');
  const plans: { pages: number; plan: string }[] = [];
  const explained: SqlQueries = {
    query: async (text: string, values?: unknown[]) => {
      const isLook = text.trimStart().startsWith('WITH RECURSIVE');
      if (isLook) {
        const { rows } = await pool.query(`EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${text}`, values);
        const { Plan } = rows[0]['QUERY PLAN'][0];
        plans.push({
          pages: Plan['Shared Hit Blocks'] + Plan['Shared Read Blocks'],
          plan: JSON.stringify(Plan),
        });
      }
      return pool.query(text, values);
    },
  };

  const claim = await claimRuns(explained, { ownerId: 'one', now, atOnce: 50, served: [] });

  expect(claim?.runs).toHaveLength(50);
  expect(plans).toHaveLength(1);
  expect(plans[0]?.pages, plans[0]?.plan).toBeLessThan(MOST_PAGES);
});
