import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { workflowMove } from '../../src/automation/move-runs-operation.ts';
import type { WorkflowDetails } from '../../src/automation/workflows-queries.ts';
import { newId } from '@app/database/new-id';
import { beginOperation } from '../../src/platform/operations/operation-rows.ts';
import { stepOperation } from '../../src/platform/operations/step-operation.ts';
import { changeAsSystem } from '../../src/platform/system-work.ts';
import { openFlowFixture, step, tagged, type FlowFixture } from './flow-fixture.ts';

let flows: FlowFixture;
beforeAll(async () => {
  flows = await openFlowFixture();
});
afterAll(() => flows.api.close());
beforeEach(() => flows.api.db.systemPool.query('DELETE FROM flows'));

const wait = (id: string, next: string | null) =>
  step(id, 'wait', { mode: 'duration', duration: { amount: 1, unit: 'days' } }, { next: { done: next } });
const waiting = {
  ...{ triggers: [tagged('go')], start: 'pause' },
  steps: [wait('pause', 'old'), step('old', 'add_tag', { tag: 'old' })],
};

async function changeDraft({ id, flow }: WorkflowDetails, part: object): Promise<number> {
  const { version } = await (await flows.admin.get(`/api/workflows/${id}`)).json<WorkflowDetails>();
  const saved = await flows.admin.put(`/api/workflows/${id}`, { ...flow, version, ...part });
  return (await saved.json<WorkflowDetails>()).version;
}
const publish = (id: string, version: number, runs: 'finish' | 'move') =>
  flows.admin.post(`/api/workflows/${id}/publish`, { version, runs });
const versionsOf = async (id: string) => (await flows.runsOf(id)).map(({ version }) => version);
async function skipWaits(id: string): Promise<void> {
  for (const run of await flows.runsOf(id))
    if (run.at) await flows.admin.post(`/api/workflow-runs/${run.id}/skip`, { visit: run.at.visit });
  await flows.settle();
}

test('runs finish on their version, unless publishing moves them', async () => {
  const made = await flows.publish(waiting);
  const contact = await flows.addContact({ tags: ['go'] });
  await flows.settle();
  const second = await changeDraft(made, {
    steps: [wait('pause', 'new'), step('new', 'add_tag', { tag: 'second' })],
  });
  expect((await publish(made.id, second, 'finish')).status).toBe(200);
  expect(await versionsOf(made.id)).toEqual([1]);
  const third = await changeDraft(made, {
    steps: [wait('pause', 'new'), step('new', 'add_tag', { tag: 'third' })],
  });
  expect((await publish(made.id, third, 'move')).status).toBe(200);
  expect(await versionsOf(made.id)).toEqual([3]);
  await skipWaits(made.id);
  expect((await flows.contact(contact.id)).tags).toEqual(['go', 'third']);
  const { items } = await (await flows.admin.get('/api/operations')).json<{ items: object[] }>();
  expect(items).toMatchObject([{ kind: 'workflow-move', state: 'done', done: 1, total: 1 }]);
});

test('a run whose step is gone, or has another type, finishes where it began', async () => {
  const made = await flows.publish(waiting);
  const contact = await flows.addContact({ tags: ['go'] });
  await flows.settle();
  const gone = await changeDraft(made, { start: 'later', steps: [wait('later', null)] });
  await publish(made.id, gone, 'move');
  const other = await changeDraft(made, { steps: [step('pause', 'add_tag', { tag: 'other' })] });
  await publish(made.id, other, 'move');
  expect(await versionsOf(made.id)).toEqual([1]);
  await skipWaits(made.id);
  expect((await flows.contact(contact.id)).tags).toEqual(['go', 'old']);
  expect(await flows.runsOf(made.id)).toMatchObject([{ status: 'completed', version: 1 }]);
});

test('publishing the same draft twice makes one version and moves each run once', async () => {
  const made = await flows.publish(waiting);
  await flows.addContact({ tags: ['go'] });
  await flows.settle();
  const second = await changeDraft(made, { steps: [wait('pause', null)] });
  const answers = await Promise.all([publish(made.id, second, 'move'), publish(made.id, second, 'move')]);
  expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  const { items } = await (
    await flows.admin.get(`/api/workflows/${made.id}/versions`)
  ).json<{ items: { number: number; running: number }[] }>();
  expect(items.map(({ number, running }) => [number, running])).toEqual([
    [2, 1],
    [1, 0],
  ]);
});

test('a process that dies between two slices leaves the rest to the next one; a newer version ends it', async () => {
  const made = await flows.publish(waiting);
  await flows.addContact({ tags: ['go'] });
  await flows.settle();
  const { systemPool } = flows.api.db;
  await systemPool.query(
    `INSERT INTO flow_runs (id, workspace_id, flow_id, version, status, state, step_id, class, seed, started_at)
     SELECT gen_random_uuid(), workspace_id, flow_id, 1, 'running', state, step_id, 2, 1, started_at FROM flow_runs, generate_series(1, 1100)`,
  );
  const second = await changeDraft(made, { steps: [wait('pause', null)] });
  await publish(made.id, second, 'finish');
  const moved = async () =>
    (await systemPool.query<{ n: number }>('SELECT count(*)::int AS n FROM flow_runs WHERE version = 2'))
      .rows[0]!.n;
  const id = newId();
  // Begun without a job, so that this test alone works on it.
  await changeAsSystem(flows.api.parts, 'upkeep', flows.api.workspaceId, (scope) =>
    beginOperation(
      scope,
      { ...flows.api.parts, origin: null },
      {
        ...{ id, kind: 'workflow-move', subject: made.id, name: 'Flow', total: 1101 },
        wish: { workflowId: made.id, number: 2 },
      },
    ),
  );
  const died = changeAsSystem(flows.api.parts, 'upkeep', flows.api.workspaceId, async (scope) => {
    await stepOperation(scope, workflowMove, { id }, flows.api.parts);
    throw new Error('The process dies.');
  });
  await expect(died).rejects.toThrow('The process dies.');
  expect(await moved()).toBe(0);
  const goOn = () =>
    changeAsSystem(flows.api.parts, 'upkeep', flows.api.workspaceId, (scope) =>
      stepOperation(scope, workflowMove, { id }, flows.api.parts),
    );
  await goOn();
  expect(await moved()).toBe(500);
  await goOn();
  expect(await moved()).toBe(1000);
  const third = await changeDraft(made, {
    steps: [wait('pause', null), step('more', 'add_tag', { tag: 'x' }, { next: { done: 'pause' } })],
    start: 'more',
  });
  expect((await publish(made.id, third, 'finish')).status).toBe(200);
  await goOn();
  expect(await moved()).toBe(1000);
  const ended = await systemPool.query<{ state: string }>('SELECT state FROM operations WHERE id = $1', [id]);
  expect(ended.rows[0]?.state).toBe('done');
});

test('each step says how many runs reached it, wait in it and left it; tests do not count', async () => {
  const made = await flows.publish({
    ...{ triggers: [tagged('go')], start: 'pause' },
    steps: [wait('pause', 'say'), step('say', 'send_message', { content: 'text', text: 'Hello' })],
  });
  const contact = await flows.addContact({ tags: ['go'] });
  await flows.settle();
  await skipWaits(made.id);
  await flows.addContact({ tags: ['go'] });
  await flows.settle();
  await flows.admin.post(`/api/workflows/${made.id}/contacts/${contact.id}/test`);
  await flows.settle();
  const answer = await flows.admin.get(`/api/workflows/${made.id}/steps`);
  const { runs, items } = await answer.json<{ runs: number; items: { stepId: string }[] }>();
  expect(runs).toBe(2);
  expect(items.toSorted((a, b) => a.stepId.localeCompare(b.stepId))).toEqual([
    { stepId: 'pause', reached: 2, waiting: 1, failed: 0, left: [{ exit: 'done', n: 1 }] },
    { stepId: 'say', reached: 1, waiting: 0, failed: 1, left: [] },
  ]);
});
