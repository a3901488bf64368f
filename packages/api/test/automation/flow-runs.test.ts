import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { longTest } from '@app/database/testing/long-test';
import { newId } from '@app/database/new-id';
import { createFlowEngine, type FlowEngine } from '@app/flows/flow-engine';
import { openFlowHost } from '../../src/automation/engine/flow-host.ts';
import type { WorkflowDetails } from '../../src/automation/workflows-queries.ts';
import type { WorkflowRun } from '../../src/automation/workflow-runs-queries.ts';
import { changeAsSystem } from '../../src/platform/system-work.ts';
import { openApiFixture, type ApiCaller, type ApiFixture } from '../api-fixture.ts';

let api: ApiFixture;
let admin: ApiCaller;
let engine: FlowEngine;
let phones = 0;

beforeAll(async () => {
  api = await openApiFixture();
  admin = await api.as('admin');
  engine = createFlowEngine(openFlowHost(api.parts));
  await api.addChannel();
});
afterAll(() => api.close());
beforeEach(() => api.db.systemPool.query('DELETE FROM flows'));

const trigger = (type: string, config: object = {}) => ({ id: 'begin', type, config });
const tagged = (tag: string) => trigger('tag_added', { tags: [tag] });
const addTag = (tag: string, rest: object = {}) => ({ id: 'tag', type: 'add_tag', config: { tag }, ...rest });

async function publish(flow: object): Promise<WorkflowDetails> {
  const made = await (await admin.post('/api/workflows', { name: 'Flow', ...flow })).json<WorkflowDetails>();
  const published = await admin.post(`/api/workflows/${made.id}/publish`, { version: 1 });
  expect([published.status, made.problems]).toEqual([200, []]);
  return made;
}

async function addContact(tags: string[] = []): Promise<{ id: string; version: number }> {
  phones += 1;
  const phone = `+1415555${String(1000 + phones)}`;
  return (await admin.post('/api/contacts', { name: 'Ann Lee', phone, tags })).json();
}

/** Lets consumers hear of all that was committed, and the engine do what is due, until nothing is left. */
async function settle(): Promise<void> {
  for (let round = 0; round < 4; round += 1) {
    await api.facts.catchUp();
    await engine.drain();
  }
}

const tagsOf = async (id: string) =>
  (await (await admin.get(`/api/contacts/${id}`)).json<{ tags: string[] }>()).tags;
const runsOf = async (workflowId: string) =>
  (await (await admin.get(`/api/workflows/${workflowId}/runs`)).json<{ items: WorkflowRun[] }>()).items;
const logOf = async (runId: string) =>
  (
    await (
      await admin.get(`/api/workflow-runs/${runId}`)
    ).json<{
      log: { stepId: string; event: string; exit: string; code: string }[];
    }>()
  ).log.map(({ stepId, event, exit, code }) => [stepId, event, exit ?? code].join(' '));

describe('a run', () => {
  test('begins with a new contact, does its steps, and says so', async () => {
    const { id } = await publish({
      triggers: [trigger('new_contact')],
      start: 'tag',
      steps: [
        addTag('welcomed', { next: { done: 'untag' } }),
        { id: 'untag', type: 'remove_tag', config: { tag: 'cold' } },
      ],
    });
    const contact = await addContact(['cold', 'vip']);
    await settle();
    expect(await tagsOf(contact.id)).toEqual(['vip', 'welcomed']);
    const [run] = await runsOf(id);
    expect(run).toMatchObject({
      status: 'completed',
      contact: { id: contact.id },
      trigger: 'begin',
      code: null,
    });
    expect(await logOf(run!.id)).toEqual(['tag left done', 'untag left done']);
    expect(await (await admin.get(`/api/workflows/${id}`)).json()).toMatchObject({
      stats: { triggered: 1, completed: 1, failed: 0, running: 0 },
      lastTriggered: expect.any(String),
    });
  });

  longTest('waits for its delay', async () => {
    const { id } = await publish({
      ...{ triggers: [tagged('later')], start: 'tag' },
      steps: [addTag('done', { delay: { amount: 2, unit: 'hours' } })],
    });
    const contact = await addContact(['later']);
    await settle();
    expect(await runsOf(id)).toMatchObject([
      { status: 'running', at: { stepId: 'tag', type: 'add_tag', wait: 'delay', until: expect.any(String) } },
    ]);
    api.advance(2 * 3_600_000 + 1000);
    await settle();
    expect(await tagsOf(contact.id)).toEqual(['later', 'done']);
  });

  test('sends a message once, and goes on when the platform has it', async () => {
    const { id } = await publish({
      ...{ triggers: [trigger('new_contact')], start: 'say' },
      steps: [
        {
          ...{
            id: 'say',
            type: 'send_message',
            config: { content: 'template', template: await addTemplate() },
          },
          next: { done: 'tag' },
        },
        addTag('reached'),
      ],
    });
    const contact = await addContact();
    await settle();
    await settle();
    const { rows } = await api.db.systemPool.query(
      `SELECT id, state, author, author_id, send_key FROM messages WHERE contact_id = $1`,
      [contact.id],
    );
    expect(rows).toMatchObject([{ state: 'queued', author: 'automation', author_id: id }]);
    expect((await runsOf(id))[0]).toMatchObject({ status: 'running', at: { stepId: 'say', wait: 'effect' } });
    await tellSent(rows[0].id, contact.id);
    await settle();
    expect(await tagsOf(contact.id)).toEqual(['reached']);
    expect(await logOf((await runsOf(id))[0]!.id)).toEqual(['say left done', 'tag left done']);
  });

  test('fails with the reason where the message may not leave', async () => {
    const { id } = await publish({
      ...{ triggers: [trigger('new_contact')], start: 'say' },
      steps: [{ id: 'say', type: 'send_message', config: { content: 'text', text: 'Hi {{contact.name}}' } }],
    });
    await addContact();
    await settle();
    expect(await runsOf(id)).toMatchObject([{ status: 'failed', code: 'window_closed' }]);
  });

  test('begins with a message that has one of the words', async () => {
    const { id } = await publish({
      triggers: [trigger('message_received', { match: 'contains', words: ['price'] })],
      ...{ start: 'tag', steps: [addTag('asked for prices')] },
    });
    const contact = await addContact();
    await receive(contact.id, 'What is the PRICE, please?');
    await receive(contact.id, 'Priceless!');
    await settle();
    expect(await runsOf(id)).toHaveLength(1);
    expect(await tagsOf(contact.id)).toEqual(['asked for prices']);
  });
});

describe('entering', () => {
  const steps = {
    start: 'wait',
    steps: [
      { id: 'wait', type: 'wait', config: { mode: 'duration', duration: { amount: 1, unit: 'days' } } },
    ],
  };
  const retag = async (id: string, tag: string) => {
    for (const change of [{ removeTags: [tag] }, { addTags: [tag] }])
      expect(await edit(id, change)).toMatchObject({ changed: 1 });
  };
  longTest.each([
    ['always', 2],
    ['one_at_a_time', 1],
    ['once', 1],
  ])('%s', async (reentry, runs) => {
    const { id } = await publish({ ...steps, triggers: [tagged('in')], settings: { reentry } });
    const contact = await addContact(['in']);
    await settle();
    await retag(contact.id, 'in');
    await settle();
    expect(await runsOf(id)).toHaveLength(runs);
  });

  test('asks the conditions of the trigger, and stores why somebody did not enter', async () => {
    const conditions = { match: 'all', conditions: [{ kind: 'has_tag', value: 'vip' }] };
    const { id } = await publish({ ...steps, triggers: [{ ...tagged('in'), conditions }] });
    const vip = await addContact(['in', 'vip']);
    await addContact(['in']);
    await settle();
    expect(await runsOf(id)).toMatchObject([{ contact: { id: vip.id } }]);
    const { rows } = await api.db.systemPool.query(
      'SELECT reason FROM flow_starts WHERE flow_id = $1 ORDER BY id',
      [id],
    );
    expect(rows.map(({ reason }) => reason)).toEqual([null, 'conditions_not_met']);
  });

  test('nothing while the workflow is paused, and one start of a fact that is told twice', async () => {
    const { id } = await publish({ ...steps, triggers: [tagged('in')] });
    await admin.post(`/api/workflows/${id}/pause`);
    await addContact(['in']);
    await settle();
    expect(await runsOf(id)).toEqual([]);
  });

  longTest(
    'two workflows that tag each other stop at the depth limit: one is paused and says why, and its owner hears of it once',
    async () => {
      const tagBack = (from: string, to: string) =>
        publish({
          ...{ triggers: [tagged(from)], start: 'off' },
          steps: [{ id: 'off', type: 'remove_tag', config: { tag: to }, next: { done: 'tag' } }, addTag(to)],
        });
      const [one, other] = [await tagBack('ping', 'pong'), await tagBack('pong', 'ping')];
      await addContact(['ping']);
      for (let round = 0; round < 6; round += 1) await settle();
      const count = (await runsOf(one.id)).length + (await runsOf(other.id)).length;
      expect(count).toBeGreaterThan(2);
      expect(count).toBeLessThan(20);
      const { rows } = await api.db.systemPool.query(
        `SELECT count(*)::int AS n FROM flow_starts WHERE reason = 'chain_depth'`,
      );
      expect(rows[0].n).toBeGreaterThan(0);
      const { rows: paused } = await api.db.systemPool.query(
        `SELECT f.paused_for, (SELECT count(*)::int FROM notifications n WHERE n.subject = f.id AND n.kind = 'workflow_trouble') AS heard
         FROM flows f WHERE f.id = ANY ($1) AND f.status = 'paused'`,
        [[one.id, other.id]],
      );
      expect(paused).toEqual([{ paused_for: 'chain_depth', heard: 1 }]);
    },
  );
});

test('a reply goes to the run that waits for it, and a branch asks the contact', async () => {
  const rules = { match: 'all', conditions: [{ kind: 'has_tag', value: 'vip' }] };
  const { id } = await publish({
    ...{ triggers: [tagged('survey')], start: 'wait' },
    steps: [
      {
        ...{ id: 'wait', type: 'wait_for_reply', config: { timeout: { amount: 1, unit: 'days' } } },
        next: { replied: 'branch' },
      },
      { id: 'branch', type: 'branch', config: { rules }, next: { yes: 'tag', no: 'stop' } },
      addTag('answered'),
      { id: 'stop', type: 'stop', config: { outcome: 'failed' } },
    ],
  });
  const [vip, other] = [await addContact(['survey', 'vip']), await addContact(['survey'])];
  await settle();
  for (const contact of [vip, other]) await receive(contact.id, 'Yes');
  await settle();
  expect(await tagsOf(vip.id)).toContain('answered');
  const ends = (await runsOf(id)).map(({ contact, status, code }) => [contact?.id, status, code]);
  expect(ends.toSorted()).toEqual(
    [
      [vip.id, 'completed', null],
      [other.id, 'failed', 'stopped'],
    ].toSorted(),
  );
});

test('a person enrols a contact, skips the wait once, and cancels a run', async () => {
  const { id } = await publish({
    ...{ triggers: [trigger('message_received', { match: 'any' })], start: 'tag' },
    steps: [
      addTag('first', { delay: { amount: 1, unit: 'days' }, next: { done: 'second' } }),
      { ...addTag('later', { delay: { amount: 1, unit: 'days' } }), id: 'second' },
    ],
  });
  const contact = await addContact();
  const enrol = (ids: string[]) => admin.post(`/api/workflows/${id}/runs`, { contactIds: ids });
  expect((await enrol([contact.id, newId()])).status).toBe(404);
  expect(await (await enrol([contact.id])).json()).toEqual({ enrolled: 1 });
  await settle();
  const [run] = await runsOf(id);
  for (let time = 0; time < 2; time += 1)
    expect((await admin.post(`/api/workflow-runs/${run!.id}/skip`, { visit: run!.at!.visit })).status).toBe(
      200,
    );
  await settle();
  expect(await tagsOf(contact.id)).toEqual(['first']);
  expect((await admin.post(`/api/workflow-runs/${run!.id}/cancel`)).status).toBe(200);
  await settle();
  expect(await runsOf(id)).toMatchObject([{ status: 'cancelled', code: 'by_person' }]);
  expect(await tagsOf(contact.id)).toEqual(['first']);
});

test('a workflow starts another one', async () => {
  const other = await publish({
    ...{ triggers: [trigger('new_contact')], start: 'tag', steps: [addTag('second')] },
  });
  await admin.post(`/api/workflows/${other.id}/pause`);
  await publish({
    ...{ triggers: [tagged('chain')], start: 'start' },
    steps: [{ id: 'start', type: 'start_workflow', config: { workflow: other.id } }],
  });
  const contact = await addContact(['chain']);
  await admin.post(`/api/workflows/${other.id}/activate`);
  await settle();
  expect(await tagsOf(contact.id)).toEqual(['chain', 'second']);
});

test('a goal ends the run early', async () => {
  const { id } = await publish({
    ...{
      triggers: [tagged('lead')],
      start: 'tag',
      steps: [addTag('reminded', { delay: { amount: 1, unit: 'days' } })],
    },
    settings: { goal: { type: 'tag_added', config: { tags: ['customer'] } } },
  });
  const contact = await addContact(['lead']);
  await settle();
  await edit(contact.id, { addTags: ['customer'] });
  await settle();
  expect(await runsOf(id)).toMatchObject([{ status: 'completed', code: 'goal_reached' }]);
});

test('a run whose contact was erased ends', async () => {
  const { id } = await publish({
    ...{
      triggers: [tagged('gone')],
      start: 'tag',
      steps: [addTag('late', { delay: { amount: 1, unit: 'days' } })],
    },
  });
  const contact = await addContact(['gone']);
  await settle();
  expect((await admin.post(`/api/contacts/${contact.id}/erase`)).status).toBe(200);
  expect(await runsOf(id)).toMatchObject([
    { status: 'cancelled', code: 'contact_gone', contact: null, isContactGone: true },
  ]);
});

async function edit(contactId: string, change: object) {
  const answer = await admin.post('/api/contacts/bulk-edit', {
    choice: { contactIds: [contactId] },
    ...change,
  });
  return answer.json();
}

async function addTemplate(): Promise<string> {
  const id = newId();
  await api.db.systemPool.query(
    `INSERT INTO templates (id, workspace_id, name, components, content, status, category, language)
     VALUES ($1, $2, $3, $4, 'Hello', 'approved', 'utility', 'en')`,
    [id, api.workspaceId, `welcome_${id.slice(-6)}`, JSON.stringify([{ type: 'body', text: 'Hello' }])],
  );
  return id;
}

/** As the sender of messages does when the platform has one. */
async function tellSent(messageId: string, contactId: string): Promise<void> {
  await changeAsSystem(api.parts, 'delivery', api.workspaceId, async (scope) => {
    await scope.query(`UPDATE messages SET state = 'accepted', sent_at = now() WHERE id = $1`, [messageId]);
    await scope.emit({
      ...{ type: 'message.sent', subject: messageId },
      values: { conversationId: null, contactIds: [contactId] },
    });
  });
}

/** As the webhooks store what somebody wrote. */
async function receive(contactId: string, text: string): Promise<void> {
  const id = newId();
  await changeAsSystem(api.parts, 'webhooks', api.workspaceId, async (scope) => {
    await scope.query(
      `INSERT INTO messages (id, workspace_id, channel_id, contact_id, direction, provider_message_id, type, text, payload, occurred_at)
       SELECT $1, $2, id, $3, 'in', $5, 'text', $4, '{}', $6 FROM channels WHERE workspace_id = $2 LIMIT 1`,
      [id, api.workspaceId, contactId, text, `wamid.${id}`, scope.clock()],
    );
    await scope.emit({
      ...{ type: 'messages.arrived', subject: null },
      values: { messageIds: [id], buttonIds: [null], contactIds: [contactId], conversationIds: [] },
    });
  });
}
