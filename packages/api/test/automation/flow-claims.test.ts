import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { SqlQueries } from '@app/database/sql-queries';
import { newRunState } from '@app/domain/flows/run-state';
import { claimRuns } from '@app/flows/claim-runs';
import { runClasses } from '@app/flows/flow-host';
import { findNextDue } from '@app/flows/next-due';
import { findDueStarts } from '@app/flows/start-runs';
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
  const { explained, plans } = explain(pool);

  const claim = await claimRuns(explained, { ownerId: 'one', now, atOnce: 50, served: [] });

  expect(claim?.runs).toHaveLength(50);
  expect(plans).toHaveLength(1);
  expect(plans[0]?.pages, plans[0]?.plan).toBeLessThan(MOST_PAGES);
});

test('due starts are found by a few pages, however many of a workspace are due', async () => {
  const pool = flows.api.db.systemPool;
  const { id } = await flows.publish({
    ...{ triggers: [tagged('never either')], start: 'mark' },
    steps: [step('mark', 'add_tag', { tag: 'marked' })],
  });
  const now = Date.now();
  await pool.query(
    `INSERT INTO flow_starts (workspace_id, flow_id, version, trigger_id, source, "values", class, depth, is_test, at, not_before, state)
     SELECT workspace_id, id, 1, 'begin', n::text, '{}', CASE WHEN n = $4 THEN $3 ELSE $2 END::smallint, 0, false, $1, '-infinity', 'open'
       FROM flows, generate_series(1, $4::integer) AS n WHERE id = $5`,
    [new Date(now), runClasses.bulk, runClasses.person, RUNS, id],
  );
  await pool.query('ANALYZE flow_starts');
  const { explained, plans } = explain(pool);

  const due = await findDueStarts(explained, { now, served: [], held: [] });

  expect(due).toEqual({ workspaceId: flows.api.workspaceId, class: runClasses.person, wasServed: false });
  expect(plans).toHaveLength(1);
  expect(plans[0]?.pages, plans[0]?.plan).toBeLessThan(MOST_PAGES);
});

describe('what falls due next', () => {
  const SECOND = 1_000;
  let now: number;
  let flowId: string;
  const pool = () => flows.api.db.systemPool;
  beforeAll(async () => {
    ({ id: flowId } = await flows.publish({
      ...{ triggers: [tagged('nobody')], start: 'mark' },
      steps: [step('mark', 'add_tag', { tag: 'marked' })],
    }));
  });
  beforeEach(async () => {
    now = Date.now();
    // Deleted rows stay in the indexes until nobody may see them, and are read as pages meanwhile.
    await pool().query('TRUNCATE flow_runs, flow_starts, flow_sweeps CASCADE');
    await pool().query('UPDATE flow_triggers SET next_at = NULL');
  });

  const at = (ms: number) => new Date(now + ms);
  const addRuns = (
    dueInMs: number,
    { count = 1, leasedForMs }: { count?: number; leasedForMs?: number } = {},
  ) =>
    pool().query(
      `INSERT INTO flow_runs (id, workspace_id, flow_id, version, status, state, class, due_at, lease_until, seed, started_at)
       SELECT gen_random_uuid(), workspace_id, id, 1, 'running', $2, n % 3, $3, $4, n, now() FROM flows, generate_series(1, $5::integer) AS n WHERE id = $1`,
      [
        ...[flowId, JSON.stringify(newRunState({}, now)), at(dueInMs)],
        ...[leasedForMs === undefined ? null : at(leasedForMs), count],
      ],
    );
  const addStart = (notBefore: string | Date) =>
    pool().query(
      `INSERT INTO flow_starts (workspace_id, flow_id, version, trigger_id, source, "values", class, depth, is_test, at, not_before, state)
       SELECT workspace_id, id, 1, 'begin', 'one', '{}', 2, 0, false, now(), $2::timestamptz, 'open' FROM flows WHERE id = $1`,
      [flowId, notBefore],
    );
  const addSweep = () =>
    pool().query(
      `INSERT INTO flow_sweeps (workspace_id, flow_id, version, source, chosen, "values", depth, at, due_at)
       SELECT workspace_id, id, 1, 'one', '{"kind":"nobody"}', '{}', 0, now(), $2 FROM flows WHERE id = $1`,
      [flowId, at(20 * SECOND)],
    );
  const planTrigger = () =>
    pool().query('UPDATE flow_triggers SET next_at = $2 WHERE flow_id = $1', [flowId, at(10 * SECOND)]);
  const pauseFlow = (status: string) =>
    pool().query('UPDATE flows SET status = $2 WHERE id = $1', [flowId, status]);

  test('is nothing, or the first of what is planned', async () => {
    expect(await findNextDue(pool(), now)).toBeNull();
    await addRuns(40 * SECOND);
    expect(await findNextDue(pool(), now)).toBe(40 * SECOND);
    await addStart(at(30 * SECOND));
    expect(await findNextDue(pool(), now)).toBe(30 * SECOND);
    await addSweep();
    expect(await findNextDue(pool(), now)).toBe(20 * SECOND);
    await planTrigger();
    expect(await findNextDue(pool(), now)).toBe(10 * SECOND);
    await pauseFlow('paused');
    expect(await findNextDue(pool(), now)).toBe(20 * SECOND);
    await pauseFlow('active');
  });

  test('is now what is over and what was to start at once', async () => {
    await addRuns(-SECOND);
    expect(await findNextDue(pool(), now)).toBe(0);
    await pool().query('DELETE FROM flow_runs');
    await addStart('-infinity');
    expect(await findNextDue(pool(), now)).toBe(0);
  });

  test('is no run that another process has', async () => {
    await addRuns(-SECOND, { leasedForMs: SECOND });
    expect(await findNextDue(pool(), now)).toBeNull();
    expect(await findNextDue(pool(), now + 2 * SECOND)).toBe(0);
  });

  test('is found by a few pages, however many runs wait', async () => {
    await addRuns(60 * SECOND, { count: RUNS });
    await pool().query('ANALYZE flow_runs');
    const { explained, plans } = explain(pool());
    expect(await findNextDue(explained, now)).toBe(60 * SECOND);
    expect(plans[0]?.pages, plans[0]?.plan).toBeLessThan(MOST_PAGES);
  });
});

/** The pool, with the plan of each statement that looks for what is due. */
function explain(pool: SqlQueries) {
  const plans: { pages: number; plan: string }[] = [];
  const explained: SqlQueries = {
    query: async (text: string, values?: unknown[]) => {
      if (text.trimStart().startsWith('WITH RECURSIVE')) {
        const { rows } = await pool.query<{ 'QUERY PLAN': [{ Plan: { [name: string]: number } }] }>(
          `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${text}`,
          values,
        );
        const { Plan } = rows[0]!['QUERY PLAN'][0]; // one row with the whole plan
        plans.push({
          pages: (Plan['Shared Hit Blocks'] ?? 0) + (Plan['Shared Read Blocks'] ?? 0),
          plan: JSON.stringify(Plan),
        });
      }
      return pool.query(text, values);
    },
  };
  return { explained, plans };
}
