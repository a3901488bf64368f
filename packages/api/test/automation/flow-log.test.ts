import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { newId } from '@app/database/new-id';
import { openFlowFixture, step, tagged, type FlowFixture } from './flow-fixture.ts';

let flows: FlowFixture;
beforeAll(async () => {
  flows = await openFlowFixture();
});
afterAll(() => flows.api.close());
beforeEach(() => flows.api.db.systemPool.query('DELETE FROM flows'));

const post = async <Body>(path: string, body: object = {}) => {
  const answer = await flows.admin.post(path, body);
  return { status: answer.status, body: await answer.json<Body & { error?: { code: string } }>() };
};
const tagging = (rest: object = {}) => ({
  ...{ triggers: [tagged('go')], start: 'first' },
  steps: [
    step('first', 'add_tag', { tag: 'first' }, { next: { done: 'say' } }),
    step('say', 'send_message', { content: 'text', text: 'Hello' }, { next: { done: 'last' } }),
    step('last', 'add_tag', { tag: 'last' }),
  ],
  ...rest,
});

test('a run that failed is tried again from the step where it ended, by the version that was mended', async () => {
  const { id, flow, version } = await flows.publish(tagging());
  const contact = await flows.addContact({ tags: ['go'] });
  await flows.settle();
  const [failed] = await flows.runsOf(id);
  expect(failed).toMatchObject({ status: 'failed', code: 'window_closed' });
  await flows.admin.put(`/api/workflows/${id}`, {
    ...flow,
    ...{ version, steps: [flow.steps[0], step('say', 'add_tag', { tag: 'mended' })] },
  });
  await post(`/api/workflows/${id}/publish`, { version: 2 });
  const { body } = await post<{ runId: string }>(`/api/workflow-runs/${failed!.id}/retry`);
  expect((await post(`/api/workflow-runs/${body.runId}/retry`)).body.error?.code).toBe(
    'workflow_run_in_progress',
  );
  await flows.settle();
  const runs = await flows.runsOf(id);
  expect(runs.find((run) => run.id === body.runId)).toMatchObject({
    ...{ status: 'completed', retriedFrom: failed!.id, version: 2 },
  });
  expect((await flows.contact(contact.id)).tags).toEqual(['go', 'first', 'mended']);
  const unknown = await post(`/api/workflow-runs/${failed!.id}/retry`, { stepId: 'none' });
  expect(unknown.body.error?.code).toBe('workflow_step_not_found');
});

test('a draft is tested with one contact before it is published, and no figure counts it', async () => {
  const draft = { ...tagging(), name: 'Draft', steps: [step('first', 'add_tag', { tag: 'tested' })] };
  const { body: made } = await post<{ id: string }>('/api/workflows', draft);
  const contact = await flows.addContact();
  const begun = await post<{ runId: string }>(`/api/workflows/${made.id}/contacts/${contact.id}/test`);
  expect(begun.status).toBe(200);
  await flows.settle();
  expect((await flows.contact(contact.id)).tags).toEqual(['tested']);
  expect(await flows.runsOf(made.id)).toMatchObject([
    { id: begun.body.runId, isTest: true, status: 'completed' },
  ]);
  expect(await (await flows.admin.get(`/api/workflows/${made.id}`)).json()).toMatchObject({
    ...{ status: 'draft', stats: { triggered: 0, completed: 0, running: 0 } },
  });
  expect(await (await flows.admin.get(`/api/workflows/${made.id}/versions`)).json()).toMatchObject({
    items: [],
  });
});

test('a draft with faults is not tested, and says where they are', async () => {
  const draft = { ...tagging(), name: 'Draft', steps: [step('first', 'add_tag', {})] };
  const { body: made } = await post<{ id: string }>('/api/workflows', draft);
  const { id: contactId } = await flows.addContact();
  expect((await post(`/api/workflows/${made.id}/contacts/${contactId}/test`)).body.error?.code).toBe(
    'workflow_invalid',
  );
});

test('the origin of a message is its run and step', async () => {
  const templateId = newId();
  await flows.api.db.systemPool.query(
    `INSERT INTO templates (id, workspace_id, name, components, content, status, category, language)
     VALUES ($1, $2, 'welcome', '[{"type":"body","text":"Hello"}]', 'Hello', 'approved', 'utility', 'en')`,
    [templateId, flows.api.workspaceId],
  );
  const { id } = await flows.publish({
    ...{ triggers: [tagged('go')], start: 'say' },
    steps: [step('say', 'send_message', { content: 'template', template: templateId })],
  });
  const contact = await flows.addContact({ tags: ['go'] });
  await flows.settle();
  const { rows } = await flows.api.db.systemPool.query('SELECT id FROM messages WHERE contact_id = $1', [
    contact.id,
  ]);
  const [run] = await flows.runsOf(id);
  const ask = async (messageId: string) => flows.admin.get(`/api/workflow-messages/${messageId}`);
  expect(await (await ask(rows[0].id)).json()).toMatchObject({
    origin: { workflowId: id, runId: run!.id, stepId: 'say', trigger: 'begin' },
  });
  const other = await flows.receive(contact.id, 'Thanks');
  expect(await (await ask(other)).json()).toEqual({ origin: null });
  expect((await ask(newId())).status).toBe(404);
});

test('why a contact did not enter is told by its starts and by the data of today', async () => {
  const rules = { match: 'all', conditions: [{ kind: 'has_tag', value: 'vip' }] };
  const trigger = { ...tagged('go'), conditions: rules };
  const { id } = await flows.publish({
    ...{ triggers: [trigger], start: 'tag', steps: [step('tag', 'add_tag', { tag: 'done' })] },
    settings: { reentry: 'once' },
  });
  const [refused, vip, other] = [
    await flows.addContact({ tags: ['go'] }),
    await flows.addContact({ tags: ['go', 'vip'] }),
    await flows.addContact(),
  ];
  await flows.settle();
  await post(`/api/workflows/${id}/pause`);
  const why = async (contactId: string) =>
    (await flows.admin.get(`/api/workflows/${id}/contacts/${contactId}`)).json<{
      starts: { state: string; reason: string | null }[];
      today: { obstacles: string[] };
    }>();
  const told = await Promise.all([refused, vip, other].map((contact) => why(contact.id)));
  expect(
    told.map(({ starts, today }) => [starts.map(({ state, reason }) => reason ?? state), today.obstacles]),
  ).toEqual([
    [['conditions_not_met'], ['not_active', 'conditions_not_met']],
    [['started'], ['not_active', 'entered_before']],
    [[], ['not_active', 'conditions_not_met', 'trigger_not_seen']],
  ]);
});
