import { PgBoss } from 'pg-boss';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { longDescribe } from '@app/database/testing/long-test';
import { z } from 'zod';
import { defineJob, defineSystemJob, every } from '../../src/platform/jobs/define-job.ts';
import {
  countJobsInAllWorkspaces,
  listFailedJobsInAllWorkspaces,
  pruneJobs,
  restartFailedJobs,
} from '../../src/platform/jobs/failed-jobs.ts';
import { JobGivenUp } from '../../src/platform/jobs/job-failure.ts';
import { openQueueDatabase } from '../../src/platform/jobs/queue-database.ts';
import { changeAsSystem } from '../../src/platform/system-work.ts';
import { openApiFixture, type ApiFixture } from '../api-fixture.ts';
import { openQueue, rules, type QueueFixture } from './job-fixture.ts';

const SECRET = 'ann@example.com';
let failures = 0;
let backlog = 0;
let lateRuns = 0;
const aborted: string[] = [];
const seen: unknown[] = [];

const scopedJob = defineJob({
  ...{ ...rules, name: 'test-scoped', as: 'upkeep', payload: z.object({}) },
  async run({ change }) {
    const rows = await change(async ({ caller, query }) => {
      const { rows: workspaces } = await query('SELECT DISTINCT workspace_id AS id FROM memberships');
      return { caller: caller.kind, part: caller.kind === 'system' && caller.part, workspaces };
    });
    seen.push(rows);
    return { workspaces: rows.workspaces.length };
  },
});
const backlogJob = defineSystemJob({
  ...{ ...rules, name: 'test-backlog', payload: z.object({}) },
  run: async () => void (backlog += 1),
});
const failingJob = defineSystemJob({
  ...{ ...rules, name: 'test-failing', attempts: 2, payload: z.object({ upTo: z.number() }) },
  async run({ db }, { payload: { upTo } }) {
    failures += 1;
    if (failures <= upTo) await db.systemPool.query('SELECT $1::int', [SECRET]);
    return { failures };
  },
});
const hopelessJob = defineSystemJob({
  ...{ ...rules, name: 'test-hopeless', attempts: 5, payload: z.object({}) },
  run: () => Promise.reject(new JobGivenUp('mail_refused')),
});
const endlessJob = defineSystemJob({
  ...{ ...rules, name: 'test-endless', timeoutSeconds: 1, payload: z.object({}) },
  run: (_, { id, signal }) =>
    new Promise((resolve) => signal.addEventListener('abort', () => resolve(void aborted.push(id)))),
});
const lateJob = defineSystemJob({
  ...{ ...rules, name: 'test-late', usefulSeconds: 3_600, payload: z.object({ email: z.string() }) },
  run: async () => void (lateRuns += 1),
});
const kinds = [lateJob, scopedJob, backlogJob, failingJob, hopelessJob, endlessJob];

let api: ApiFixture;
let queue: QueueFixture;
beforeAll(async () => {
  api = await openApiFixture();
  queue = await openQueue(api, kinds);
});
afterAll(async () => {
  await queue.stop();
  await api.close();
});

const leave = <Payload extends object>(
  kind: Parameters<typeof queue.enqueue<Payload>>[1] & { as: 'all-workspaces' },
  key: string,
  payload: Payload,
) => api.db.inSystem((_, client) => queue.enqueue(client, kind, key, payload));
const findFailed = async (job: string) =>
  (await listFailedJobsInAllWorkspaces(api.db)).filter((failed) => failed.job === job);
const readJob = async (name: string) =>
  (await api.db.systemPool.query('SELECT * FROM jobs.job WHERE name = $1', [name])).rows[0];

test('a job runs in its workspace alone, in the name of its part, and its outcome is kept as data', async () => {
  await changeAsSystem(api.parts, 'upkeep', api.workspaceId, (scope) =>
    queue.enqueue(scope, scopedJob, 'scoped', {}),
  );
  await expect
    .poll(() => seen)
    .toEqual([{ caller: 'system', part: 'upkeep', workspaces: [{ id: api.workspaceId }] }]);
  await expect
    .poll(() => readJob('test-scoped'))
    .toMatchObject({ state: 'completed', output: { workspaces: 1 } });
});

test('a backlog is worked off at once, also in one place', async () => {
  const slow = await openQueue(api, [backlogJob], { pollSeconds: 60 });
  await api.db.inSystem(async (_, client) => {
    for (let number = 0; number < 100; number += 1) await slow.enqueue(client, backlogJob, `${number}`, {});
  });
  await expect.poll(() => backlog).toBe(100);
  await slow.stop();
});

test('what fails is tried again, then seen with its code alone, and can be started again', async () => {
  await leave(failingJob, 'failing', { upTo: 3 });
  await expect.poll(() => findFailed('test-failing')).toMatchObject([{ code: '22P02', attempts: 2 }]);
  const figures = await countJobsInAllWorkspaces(api.db);
  expect(figures).toContainEqual({ job: 'test-failing', waiting: 0, failed: 1 });
  expect(queue.logged).toContainEqual({
    fields: { job: 'test-failing', id: expect.any(String), attempt: 2, code: '22P02' },
    message: 'a job failed for good',
  });
  expect(JSON.stringify([queue.logged, await readJob('test-failing')])).not.toContain(SECRET);

  // It has all its attempts again: the first of them fails once more.
  expect(await restartFailedJobs(api.db)).toBe(1);
  await expect
    .poll(() => readJob('test-failing'))
    .toMatchObject({ state: 'completed', output: { failures: 4 } });
});

test('what no attempt would change is given up at once, and what takes too long is ended', async () => {
  await leave(hopelessJob, 'hopeless', {});
  await leave(endlessJob, 'endless', {});
  await expect.poll(() => findFailed('test-hopeless')).toMatchObject([{ code: 'mail_refused', attempts: 1 }]);
  await expect.poll(() => findFailed('test-endless')).toMatchObject([{ code: 'timed_out' }]);
  expect(aborted).toHaveLength(1);
});

test('what runs when a process stops is put back, and done by another one', async () => {
  const doneBy: string[] = [];
  const longJob = (process: string) =>
    defineSystemJob({
      ...{ ...rules, name: 'test-long', attempts: 2, payload: z.object({}) },
      run: (_, { signal }) =>
        new Promise((resolve) => {
          doneBy.push(process);
          if (process === 'first') signal.addEventListener('abort', () => resolve());
          else resolve();
        }),
    });
  const first = await openQueue(api, [longJob('first')], { stopMs: 200 });
  await api.db.inSystem((_, client) => first.enqueue(client, longJob('first'), 'long', {}));
  await expect.poll(() => doneBy).toEqual(['first']);
  await first.stop();
  const second = await openQueue(api, [longJob('second')]);
  await expect.poll(() => readJob('test-long')).toMatchObject({ state: 'completed' });
  expect(doneBy).toEqual(['first', 'second']);
  await second.stop();
});

longDescribe('a schedule', () => {
  test('of two processes runs in one at a time, at its pace, and its last failure alone is seen', async () => {
    const runs: number[] = [];
    let atOnce = 0;
    let most = 0;
    const schedule = every(1, {
      name: 'test-schedule',
      timeoutSeconds: 10,
      async run() {
        runs.push(Date.now());
        most = Math.max(most, (atOnce += 1));
        await new Promise((resolve) => setTimeout(resolve, 300));
        atOnce -= 1;
        throw new Error('as always');
      },
    });
    const begun = Date.now();
    const both = await Promise.all([openQueue(api, [schedule]), openQueue(api, [schedule])]);
    await expect.poll(() => runs.length).toBeGreaterThanOrEqual(6);
    await Promise.all(both.map((one) => one.stop()));
    expect(most).toBe(1);
    expect(runs.length).toBeLessThanOrEqual(Math.ceil((Date.now() - begun) / 1_000) + 1);
    expect((await findFailed('test-schedule')).length).toBeLessThanOrEqual(1);
  });
});

test('what is done is forgotten, what failed stays', async () => {
  const readStates = async () => {
    const { rows } = await api.db.systemPool.query(
      `SELECT DISTINCT name, state FROM jobs.job WHERE name IN ('test-backlog', 'test-hopeless') ORDER BY name`,
    );
    return rows;
  };
  await pruneJobs(api.db);
  expect(await readStates()).toHaveLength(2);
  await api.db.systemPool.query(`UPDATE jobs.job SET completed_on = completed_on - interval '25 hours'`);
  await pruneJobs(api.db);
  expect(await readStates()).toEqual([{ name: 'test-hopeless', state: 'failed' }]);
});

test('what is of no use any more is not run, not for an operator either, and goes with what it carries', async () => {
  const query = (text: string) => api.db.systemPool.query(text);
  await api.db.inSystem((_, client) =>
    queue.enqueue(client, lateJob, 'late', { email: SECRET }, { startAfter: new Date(Date.now() + 60_000) }),
  );
  await query(
    `UPDATE jobs.job SET created_on = now() - interval '2 hours', start_after = now() WHERE name = 'test-late'`,
  );
  const isTooLate = { code: 'too_late' };
  await expect.poll(() => findFailed('test-late')).toMatchObject([isTooLate]);
  expect(await restartFailedJobs(api.db)).toBeGreaterThan(0);
  await expect.poll(() => findFailed('test-late')).toMatchObject([isTooLate]);
  expect(lateRuns).toBe(0);
  await pruneJobs(api.db);
  expect(await readJob('test-late')).toBeDefined();
  await query(
    `UPDATE jobs.job SET completed_on = completed_on - interval '61 minutes' WHERE name = 'test-late'`,
  );
  await pruneJobs(api.db);
  expect(await readJob('test-late')).toBeUndefined();
});

test('a sign of life does not wait behind a slow statement of the queue', async () => {
  const db = openQueueDatabase(api.db, { isListening: () => false, onTrouble: () => undefined });
  const holder = await api.db.systemPool.connect();
  await holder.query('BEGIN; LOCK TABLE contact_aliases IN ACCESS EXCLUSIVE MODE');
  let ended = 0;
  const slow = [1, 2, 3].map(async () => {
    await db.executeSql('SELECT count(*) FROM contact_aliases', []);
    ended += 1;
  });
  await db.executeSql(`UPDATE jobs.job SET heartbeat_on = now() WHERE false`, []);
  expect(ended).toBe(0);
  await holder.query('ROLLBACK');
  holder.release();
  await Promise.all(slow);
});

test('the schema that our migrations make is the one that the library expects', async () => {
  const db = openQueueDatabase(api.db, { isListening: () => false, onTrouble: () => undefined });
  const boss = new PgBoss({ db, schema: 'jobs', migrate: false });
  const { ok, extraIndexes } = await boss.detectSchemaDrift();
  expect(ok).toBe(true);
  expect(extraIndexes.map(({ name }) => name).toSorted()).toEqual(['job_common_active', 'job_common_failed']);
});
