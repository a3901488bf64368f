import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { defineJob, defineSystemJob } from '../../src/platform/jobs/define-job.ts';
import { listFailedJobsInAllWorkspaces, restartFailedJobs } from '../../src/platform/jobs/failed-jobs.ts';
import { changeAsSystem } from '../../src/platform/system-work.ts';
import type { WorkspaceScope } from '../../src/platform/workspace-scope.ts';
import { openApiFixture, type ApiFixture } from '../api-fixture.ts';
import { openQueue, rules, type QueueFixture } from './job-fixture.ts';

const payload = z.object({ number: z.number() });
const ran: { kind: string; number: number; workspaceId: string | null }[] = [];
const numbersOf = (kind: string) => ran.filter((one) => one.kind === kind).map(({ number }) => number);
/** What runs under this number waits until the test lets it go. */
const gates = new Map<number, PromiseWithResolvers<void>>();
const holdBack = (number: number) => {
  const gate = Promise.withResolvers<void>();
  gates.set(number, gate);
  return gate;
};
const mustFail = new Set<number>();

const counted = (name: string) => ({
  ...({ ...rules, name, as: 'upkeep', payload } as const),
  async run(_: object, job: { payload: { number: number }; workspaceId: string | null }) {
    const { number } = job.payload;
    ran.push({ kind: name, number, workspaceId: job.workspaceId });
    await gates.get(number)?.promise;
    if (mustFail.has(number)) throw new Error('not this one');
  },
});
const onceJob = defineJob(counted('test-once'));
const openJob = defineJob({ ...counted('test-while-open'), repeat: 'while-open' });
const waitingJob = defineJob({ ...counted('test-while-waiting'), repeat: 'while-waiting', atOnce: 3 });
const orderedJob = defineJob({ ...counted('test-in-order'), repeat: 'in-order', atOnce: 3 });
const productJob = defineSystemJob(counted('test-product'));

let api: ApiFixture;
let queue: QueueFixture;
beforeAll(async () => {
  api = await openApiFixture();
  queue = await openQueue(api, [onceJob, openJob, waitingJob, orderedJob, productJob], { superviseMs: 200 });
});
afterAll(async () => {
  await queue.stop();
  await api.close();
});

const inWorkspace = <Result>(
  work: (scope: WorkspaceScope) => Promise<Result>,
  workspaceId = api.workspaceId,
) => changeAsSystem(api.parts, 'upkeep', workspaceId, work);
const leave = (kind: typeof onceJob, key: string, number: number, workspaceId?: string) =>
  inWorkspace((scope) => queue.enqueue(scope, kind, key, { number }), workspaceId);

test('a job is there when its transaction commits, and only then', async () => {
  const rolledBack = inWorkspace(async (scope) => {
    await queue.enqueue(scope, onceJob, 'rolled back', { number: 1 });
    throw new Error('the act failed');
  });
  await expect(rolledBack).rejects.toThrow('the act failed');
  await inWorkspace(async (scope) => {
    expect(await queue.enqueue(scope, onceJob, 'committed', { number: 2 })).toBe(true);
    expect(numbersOf('test-once')).toEqual([]);
  });
  await expect.poll(() => numbersOf('test-once')).toEqual([2]);
  expect(ran.at(-1)).toMatchObject({ workspaceId: api.workspaceId });
});

test('a key of a kind that runs once is done once, also when its job has long ended', async () => {
  expect(await leave(onceJob, 'pressed twice', 3)).toBe(true);
  expect(await leave(onceJob, 'pressed twice', 4)).toBe(false);
  await expect.poll(() => numbersOf('test-once')).toContain(3);
  await expect.poll(() => stateOf('test-once', 'pressed twice')).toEqual(['completed']);
  expect(await leave(onceJob, 'pressed twice', 5)).toBe(false);
  // The same key in another workspace is another job.
  expect(await leave(onceJob, 'pressed twice', 6, api.otherWorkspaceId)).toBe(true);
  await expect.poll(() => numbersOf('test-once')).toEqual([2, 3, 6]);
});

test('a key that is open takes no second job; once it has ended, or failed, it does', async () => {
  const gate = holdBack(10);
  expect(await leave(openJob, 'sync', 10)).toBe(true);
  await expect.poll(() => numbersOf('test-while-open')).toEqual([10]);
  expect(await leave(openJob, 'sync', 11)).toBe(false);
  mustFail.add(10);
  gate.resolve();
  await expect.poll(() => stateOf('test-while-open', 'sync')).toEqual(['failed']);
  expect(await leave(openJob, 'sync', 12)).toBe(true);
  await expect.poll(() => stateOf('test-while-open', 'sync')).toEqual(['completed']);
  expect(numbersOf('test-while-open')).toEqual([10, 12]);
});

test('a key that is asked for again while its job runs has one more behind it, also behind one that fails for good', async () => {
  const gate = holdBack(50);
  expect(await leave(waitingJob, 'profile', 50)).toBe(true);
  await expect.poll(() => numbersOf('test-while-waiting')).toEqual([50]);
  expect(await leave(waitingJob, 'profile', 51)).toBe(true);
  expect(await leave(waitingJob, 'profile', 52)).toBe(false);
  expect(numbersOf('test-while-waiting')).toEqual([50]);
  mustFail.add(50);
  gate.resolve();
  await expect.poll(() => numbersOf('test-while-waiting')).toEqual([50, 51]);
  await expect.poll(() => stateOf('test-while-waiting', 'profile')).toEqual(['completed']);
});

test('a job that waits does not begin before whoever asked for it once more has committed', async () => {
  const gates = [60, 61, 62].map(holdBack);
  // All places are taken, so that it waits.
  for (const number of [60, 61, 62]) await leave(waitingJob, `place ${number}`, number);
  await expect.poll(() => numbersOf('test-while-waiting')).toEqual(expect.arrayContaining([60, 61, 62]));
  expect(await leave(waitingJob, 'asked twice', 63)).toBe(true);
  await inWorkspace(async (scope) => {
    expect(await queue.enqueue(scope, waitingJob, 'asked twice', { number: 64 })).toBe(false);
    // Whoever cannot hold it leaves one of their own.
    expect(await leave(waitingJob, 'asked twice', 65)).toBe(true);
    for (const gate of gates) gate.resolve();
    await expect.poll(() => stateOf('test-while-waiting', 'place 62')).toEqual(['completed']);
    expect(await leave(waitingJob, 'passes by', 66)).toBe(true);
    await expect.poll(() => numbersOf('test-while-waiting')).toContain(66);
    expect(numbersOf('test-while-waiting')).not.toContain(63);
  });
  await expect.poll(() => numbersOf('test-while-waiting').slice(-2)).toEqual([63, 65]);
});

test('jobs of one key run in order and one at a time; one that failed holds up its own key until it runs again', async () => {
  mustFail.add(21);
  const gate = holdBack(20);
  await inWorkspace(async (scope) => {
    for (const number of [20, 21, 22, 23, 24])
      expect(await queue.enqueue(scope, orderedJob, 'endpoint', { number })).toBe(true);
  });
  await leave(orderedJob, 'another endpoint', 30);
  await expect.poll(() => numbersOf('test-in-order').toSorted()).toEqual([20, 30]);
  gate.resolve();
  const listFailed = async () =>
    (await listFailedJobsInAllWorkspaces(api.db)).filter(({ job }) => job === 'test-in-order');
  await expect.poll(listFailed).toMatchObject([{ code: 'Error', attempts: 1, workspaceId: api.workspaceId }]);
  await leave(orderedJob, 'another endpoint', 31);
  await expect.poll(() => numbersOf('test-in-order')).toContain(31);
  expect(numbersOf('test-in-order').filter((number) => number < 30)).toEqual([20, 21]);

  mustFail.delete(21);
  expect(await restartFailedJobs(api.db)).toBe(1);
  await expect
    .poll(() => numbersOf('test-in-order').filter((number) => number < 30))
    .toEqual([20, 21, 21, 22, 23, 24]);
});

test('a workspace sees its own jobs, and leaves none that belong to no workspace', async () => {
  await leave(onceJob, 'of the other one', 40, api.otherWorkspaceId);
  const seen = await inWorkspace((scope) => scope.query('SELECT DISTINCT group_id FROM jobs.job'));
  expect(seen.rows).toEqual([{ group_id: api.workspaceId }]);
  const widened = inWorkspace((scope) => queue.enqueue(scope, productJob, 'widened', { number: 41 }));
  await expect(widened).rejects.toThrow('42501');
  await api.db.inSystem((_, client) => queue.enqueue(client, productJob, 'of the product', { number: 42 }));
  await expect.poll(() => numbersOf('test-product')).toEqual([42]);
});

test('what a kind does not expect is refused where it is left', async () => {
  const wrong = { number: 'one' } as unknown as { number: number };
  await expect(inWorkspace((scope) => queue.enqueue(scope, onceJob, 'wrong', wrong))).rejects.toThrow(
    'expected number',
  );
  expect(await stateOf('test-once', 'wrong')).toEqual([]);
});

async function stateOf(kind: string, key: string): Promise<string[]> {
  const { rows } = await api.db.systemPool.query<{ state: string }>(
    'SELECT state FROM jobs.job WHERE name = $1 AND singleton_key = $2',
    [kind, `${api.workspaceId}/${key}`],
  );
  return rows.map(({ state }) => state);
}
