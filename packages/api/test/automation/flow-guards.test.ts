import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { newId } from '@app/database/new-id';
import { openFlowFixture, step, tagged, trigger, type FlowFixture } from './flow-fixture.ts';

let flows: FlowFixture;
beforeAll(async () => {
  flows = await openFlowFixture();
});
afterAll(() => flows.api.close());
beforeEach(() => flows.api.db.systemPool.query('DELETE FROM flows'));

const saying = (match: string, words: string[], name: string) => ({
  ...{ name, triggers: [trigger('message_received', { match, words })], start: 'say' },
  steps: [step('say', 'send_message', { content: 'text', text: 'Hello' })],
});
const startsOf = async (contactId: string) => {
  const { rows } = await flows.api.db.systemPool.query(
    `SELECT f.name, s.state, s.reason FROM flow_starts s JOIN flows f ON f.id = s.flow_id WHERE s.contact_id = $1 ORDER BY f.name`,
    [contactId],
  );
  return rows.map(({ name, state, reason }) => [name, reason ?? state].join(': '));
};
/** A decision that is not there yet is looked for again a moment later. */
const settle = async () => {
  await flows.settle();
  flows.api.advance(1_000);
  await flows.settle();
};

test('one message begins one workflow that answers, and all that send nothing', async () => {
  await flows.publish(saying('any', [], 'anything'));
  await flows.publish(saying('contains', ['price'], 'prices'));
  await flows.publish({
    ...saying('any', [], 'tags'),
    steps: [step('say', 'add_tag', { tag: 'wrote' })],
  });
  const [asking, stopping] = [await flows.addContact(), await flows.addContact()];
  await flows.receive(asking.id, 'What is the price?');
  await flows.receive(stopping.id, 'STOP');
  await settle();
  expect(await startsOf(asking.id)).toEqual([
    'anything: answered_by_workflow',
    'prices: started',
    'tags: started',
  ]);
  expect(await startsOf(stopping.id)).toEqual(['anything: answered_by_consent', 'tags: started']);
});

test('a message that a run waits for begins no workflow that answers', async () => {
  const contact = await flows.addContact({ tags: ['ask'] });
  await flows.publish({
    ...{ name: 'asks', triggers: [tagged('ask')], start: 'wait' },
    steps: [step('wait', 'wait_for_reply', { timeout: { amount: 1, unit: 'hours' } })],
  });
  await flows.settle();
  await flows.admin.post('/api/contacts/bulk-edit', {
    ...{ choice: { contactIds: [contact.id] }, removeTags: ['ask'] },
  });
  await flows.publish(saying('any', [], 'says'));
  const asked = await flows.addContact({ tags: ['ask'] });
  await flows.settle();
  await flows.receive(asked.id, 'Yes');
  await settle();
  expect(await startsOf(asked.id)).toEqual(['asks: started', 'says: answered_by_run']);
});

test('the automatic reply is silent where a workflow answers', async () => {
  const settings = await (await flows.admin.get('/api/settings/messaging')).json<{ version: number }>();
  const autoReply = { isEnabled: true, when: 'always', message: 'We are out.', pauseHours: 12 };
  const saved = await flows.admin.put('/api/settings/messaging', { version: settings.version, autoReply });
  expect(saved.status).toBe(200);
  await flows.publish(saying('contains', ['price'], 'prices'));
  const [asking, other] = [await flows.addContact(), await flows.addContact()];
  for (const { id } of [asking, other])
    await flows.api.db.systemPool.query(
      `INSERT INTO conversations (id, workspace_id, contact_id, channel_id, last_activity_at, created_at, window_ends_at)
       VALUES ($1, $2, $3, $4, now(), now(), now() + interval '1 day')`,
      [newId(), flows.api.workspaceId, id, flows.channelId],
    );
  await flows.receive(asking.id, 'What is the price?');
  await flows.receive(other.id, 'Hello?');
  await settle();
  const { rows } = await flows.api.db.systemPool.query(
    `SELECT contact_id, text FROM messages WHERE direction = 'out' AND contact_id = ANY ($1)`,
    [[asking.id, other.id]],
  );
  expect(rows.map(({ contact_id: id, text }) => [id === asking.id, text]).toSorted()).toEqual([
    [false, 'We are out.'],
    [true, 'Hello'],
  ]);
});

describe('free text of a workflow to a contact who opted out', () => {
  const say = step('say', 'send_message', { content: 'text', text: 'Hello' });
  const optOut = (contactId: string) =>
    flows.admin.post(`/api/contacts/${contactId}/consents`, { kind: 'opt_out', text: 'By phone' });
  const openWindow = (contactId: string) =>
    flows.api.db.systemPool.query(
      `INSERT INTO conversations (id, workspace_id, contact_id, channel_id, last_activity_at, created_at, window_ends_at)
       VALUES ($1, $2, $3, $4, now(), now(), now() + interval '30 days') ON CONFLICT DO NOTHING`,
      [newId(), flows.api.workspaceId, contactId, flows.channelId],
    );
  const textsTo = async (contactId: string) => {
    const { rows } = await flows.api.db.systemPool.query(
      `SELECT text FROM messages WHERE direction = 'out' AND contact_id = $1`,
      [contactId],
    );
    return rows.map(({ text }) => text);
  };
  const refused = { status: 'failed', code: 'contact_opted_out' };
  const later = () => flows.api.advance(2_000);

  test('is refused where the run answers no message, and the log says so', async () => {
    const { id } = await flows.publish({ triggers: [tagged('news')], start: 'say', steps: [say] });
    const contact = await flows.addContact();
    await openWindow(contact.id);
    await optOut(contact.id);
    await flows.admin.post('/api/contacts/bulk-edit', {
      ...{ choice: { contactIds: [contact.id] }, addTags: ['news'] },
    });
    await settle();
    const [run] = await flows.runsOf(id);
    expect(run).toMatchObject(refused);
    expect(await (await flows.admin.get(`/api/workflow-runs/${run!.id}`)).json()).toMatchObject({
      log: [{ stepId: 'say', event: 'failed', code: 'contact_opted_out' }],
    });
    expect(await textsTo(contact.id)).toEqual([]);
  });

  test('answers a message that the contact wrote since', async () => {
    await flows.publish(saying('contains', ['price'], 'prices'));
    const contact = await flows.addContact();
    await optOut(contact.id);
    later();
    await flows.receive(contact.id, 'What is the price?');
    await openWindow(contact.id);
    await settle();
    expect(await textsTo(contact.id)).toEqual(['Hello']);
  });

  test('does not follow on a message from before', async () => {
    const { id } = await flows.publish({
      ...saying('any', [], 'later'),
      steps: [{ ...say, delay: { amount: 1, unit: 'hours' } }],
    });
    const contact = await flows.addContact();
    await flows.receive(contact.id, 'Hi');
    await openWindow(contact.id);
    await settle();
    later();
    await optOut(contact.id);
    flows.api.advance(3_600_000);
    await settle();
    expect(await flows.runsOf(id)).toMatchObject([refused]);
    expect(await textsTo(contact.id)).toEqual([]);
  });

  test.each([
    ['reply', { timeout: { amount: 1, unit: 'days' } }, 'replied'],
    [
      'event',
      { timeout: { amount: 1, unit: 'days' }, event: { type: 'message_received', config: { match: 'any' } } },
      'happened',
    ],
  ])('answers what the run waited for as a %s', async (kind, config, exit) => {
    const wait = step('wait', `wait_for_${kind}`, config, { next: { [exit]: 'say' } });
    await flows.publish({ triggers: [tagged(`ask ${kind}`)], start: 'wait', steps: [wait, say] });
    const contact = await flows.addContact({ tags: [`ask ${kind}`] });
    await settle();
    await optOut(contact.id);
    later();
    await flows.receive(contact.id, 'One more question');
    await openWindow(contact.id);
    await settle();
    expect(await textsTo(contact.id)).toContain('Hello');
  });
});

test('all workflows together send one contact so many messages in a day', async () => {
  const contact = await flows.addContact();
  await flows.api.db.systemPool.query(
    `INSERT INTO messages (id, workspace_id, channel_id, contact_id, direction, type, text, payload, occurred_at, author, state, purpose, send_no)
     SELECT gen_random_uuid(), $1, $2, $3, 'out', 'text', 'Hello', '{}', now(), 'automation', 'accepted', 'automation', 1000000 + n FROM generate_series(1, 20) AS n`,
    [flows.api.workspaceId, flows.channelId, contact.id],
  );
  const { id } = await flows.publish(saying('any', [], 'says'));
  await flows.receive(contact.id, 'Hi');
  await settle();
  expect(await flows.runsOf(id)).toMatchObject([{ status: 'failed', code: 'messages_per_contact' }]);
});

test('a workflow with 500 messages that have not left starts no more of many contacts until they have', async () => {
  const { id } = await flows.publish(saying('any', [], 'says'));
  const { systemPool } = flows.api.db;
  await systemPool.query(
    `INSERT INTO messages (id, workspace_id, channel_id, direction, type, text, payload, occurred_at, author, state, purpose, send_no, source)
     SELECT gen_random_uuid(), $1, $2, 'out', 'text', 'Hello', '{}', now(), 'automation', 'queued', 'automation', 2000000 + n, $3
       FROM generate_series(1, 500) AS n`,
    [flows.api.workspaceId, flows.channelId, `flow/${id}/run`],
  );
  const contactIds = [(await flows.addContact()).id, (await flows.addContact()).id];
  await flows.admin.post(`/api/workflows/${id}/runs`, { contactIds });
  await settle();
  expect(await flows.runsOf(id)).toHaveLength(0);
  await systemPool.query(`UPDATE messages SET state = 'accepted' WHERE source = $1`, [`flow/${id}/run`]);
  await settle();
  expect(await flows.runsOf(id)).toHaveLength(2);
});

test('a run that goes round and round pauses its workflow, and the owner hears of it once', async () => {
  const past = { mode: 'date_time', at: '2020-01-01T00:00' };
  const { id } = await flows.publish({
    ...{ triggers: [tagged('round')], start: 'a' },
    steps: [
      step('a', 'wait', past, { next: { done: 'b' } }),
      step('b', 'wait', past, { next: { done: 'a' } }),
    ],
  });
  await flows.addContact({ tags: ['round'] });
  await flows.settle();
  const [run] = await flows.runsOf(id);
  expect(run).toMatchObject({ status: 'failed', code: 'steps_per_run' });
  expect(await (await flows.admin.get(`/api/workflows/${id}`)).json()).toMatchObject({
    ...{ status: 'paused', pausedFor: { code: 'steps_per_run', runId: run!.id } },
  });
  const { rows } = await flows.api.db.systemPool.query(
    `SELECT u.email, n.kind, n."values"->>'code' AS code FROM notifications n JOIN users u ON u.id = n.user_id WHERE n.subject = $1`,
    [id],
  );
  expect(rows).toContainEqual({ email: 'admin@acme.test', kind: 'workflow_trouble', code: 'steps_per_run' });
  expect(new Set(rows.map(({ email }) => email))).toEqual(new Set(['admin@acme.test']));
});
