import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openFlowFixture, step, tagged, type FlowFixture, type LogLine } from './flow-fixture.ts';

let flows: FlowFixture;
beforeAll(async () => {
  flows = await openFlowFixture();
});
afterAll(() => flows.api.close());
beforeEach(() => flows.api.db.systemPool.query('DELETE FROM flows'));

const remind = step('remind', 'add_tag', { tag: 'reminded' }, { delay: { amount: 1, unit: 'days' } });
const aimed = (tag: string, ...steps: { id: string }[]) => ({
  ...{ triggers: [tagged(tag)], start: steps[0]!.id, steps },
  settings: { goal: { type: 'tag_added', config: { tags: ['Customer'] } } },
});
const reached = { status: 'completed', code: 'goal_reached' };
const addCustomer = (contactId: string) =>
  flows.admin.post('/api/contacts/bulk-edit', {
    ...{ choice: { contactIds: [contactId] }, addTags: ['customer'] },
  });

describe('a goal that is a tag', () => {
  test('ends the run early when the contact gets it', async () => {
    const { id } = await flows.publish(aimed('lead', remind));
    const contact = await flows.addContact({ tags: ['lead'] });
    await flows.settle();
    expect(await flows.runsOf(id)).toMatchObject([{ status: 'running' }]);
    await addCustomer(contact.id);
    await flows.settle();
    expect(await flows.runsOf(id)).toMatchObject([reached]);
  });

  test('is reached by who has it already: the run ends before its first delay', async () => {
    const { id } = await flows.publish(aimed('had', remind));
    await flows.addContact({ tags: ['customer', 'had'] });
    await flows.settle();
    expect(await flows.runsOf(id)).toMatchObject([reached]);
  });

  test('is looked at before a step that reaches others', async () => {
    const { id } = await flows.publish(
      aimed('now', step('say', 'send_message', { content: 'text', text: 'Buy now' })),
    );
    const contact = await flows.addContact({ tags: ['customer', 'now'] });
    await flows.receive(contact.id, 'Hello');
    await flows.settle();
    const [run] = await flows.runsOf(id);
    expect(run).toMatchObject(reached);
    const { log } = await (await flows.admin.get(`/api/workflow-runs/${run!.id}`)).json<{ log: LogLine[] }>();
    expect(log.map(({ stepId, event, code }) => [stepId, event, code])).toEqual([
      ['say', 'ended', 'goal_reached'],
    ]);
    const { rows } = await flows.api.db.systemPool.query(
      `SELECT id FROM messages WHERE contact_id = $1 AND direction = 'out'`,
      [contact.id],
    );
    expect(rows).toEqual([]);
  });

  test('counts anew where the workflow takes the tag away first', async () => {
    const fresh = step('fresh', 'remove_tag', { tag: 'customer' }, { next: { done: 'remind' } });
    const { id } = await flows.publish(aimed('again', fresh, remind));
    const contact = await flows.addContact({ tags: ['customer', 'again'] });
    await flows.settle();
    expect(await flows.runsOf(id)).toMatchObject([{ status: 'running', at: { stepId: 'remind' } }]);
    await addCustomer(contact.id);
    await flows.settle();
    expect(await flows.runsOf(id)).toMatchObject([reached]);
    expect((await flows.contact(contact.id)).tags).not.toContain('reminded');
  });
});
