import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { WorkflowDetails } from '../../src/automation/workflows-queries.ts';
import { openFlowFixture, step, trigger, type FlowFixture } from './flow-fixture.ts';

let flows: FlowFixture;
const HOUR = 3_600_000;
beforeAll(async () => {
  flows = await openFlowFixture();
});
afterAll(() => flows.api.close());
beforeEach(() => flows.api.db.systemPool.query('DELETE FROM flows'));

const create = async (flow: object) =>
  (await flows.admin.post('/api/workflows', { name: 'Flow', ...flow })).json<WorkflowDetails>();
const save = async (id: string, version: number, flow: object) =>
  (
    await flows.admin.put(`/api/workflows/${id}`, { name: 'Flow', format: 'flow', ...flow, version })
  ).json<WorkflowDetails>();
const publish = async (id: string, version: number) =>
  (await flows.admin.post(`/api/workflows/${id}/publish`, { version })).status;
const told = ({ problems }: WorkflowDetails) =>
  problems.map(({ code, place, id, field }) => [code, place, id, field]);

describe('a step that needs a contact', () => {
  const tag = step('tag', 'add_tag', { tag: 'called' });
  const called = trigger('webhook', { contact: 'none' });
  const hourly = trigger('time_based', { mode: 'every', period: 'hour', time: '09:00', runs: 'once' });
  const nameless = trigger('form_submission', {
    ...{ slug: 'nameless', title: 'Survey' },
    fields: [{ name: 'answer', label: 'Answer', type: 'text', isRequired: true }],
  });
  const added = { id: 'added', type: 'new_contact', config: {} };
  const say = (next: object) => step('say', 'send_message', { content: 'text', text: 'Hi' }, { next });
  const wait = step('wait', 'wait', { mode: 'duration', duration: { amount: 1, unit: 'hours' } });

  test.each<[string, object[], { id: string }[], string[]]>([
    ['behind a call without one', [called], [tag], ['tag']],
    ['behind a time that begins one run', [hourly], [tag], ['tag']],
    ['behind a form that asks for no number', [nameless], [tag], ['tag']],
    [
      'later on, each of them',
      [called],
      [{ ...wait, next: { done: 'say' } } as never, say({ done: 'tag' }), tag],
      ['say', 'tag'],
    ],
    ['where one of two triggers brings none', [called, added], [tag], ['tag']],
    [
      'that fails into another way, where no trigger brings one',
      [called],
      [say({ failed: 'wait' }), wait],
      ['say'],
    ],
    ['that handles it', [called, added], [say({ done: 'tag', failed: 'wait' }), tag, wait], []],
    ['behind a call that finds one', [trigger('webhook', { contact: 'find', phone: 'phone' })], [tag], []],
    ['not at all', [called], [wait], []],
  ])('%s', async (_, triggers, steps, failing) => {
    const made = await create({ triggers, start: steps[0]!.id, steps });
    expect(told(made)).toEqual(failing.map((id) => ['contact_missing', 'step', id, null]));
    expect(await publish(made.id, 1)).toBe(failing.length > 0 ? 422 : 200);
  });
});

describe('a time that is past', () => {
  const at = (ms: number, zone = 'UTC') =>
    trigger('time_based', {
      ...{ mode: 'at', zone },
      at: new Date(flows.api.parts.clock().getTime() + ms).toISOString().slice(0, 16),
    });
  const flow = (begin: object) => ({
    ...{ triggers: [begin], start: 'tag', steps: [step('tag', 'add_tag', { tag: 'due' })] },
  });

  test('is saved with a draft, and keeps it from being published', async () => {
    const made = await create(flow(at(-HOUR)));
    expect(told(made)).toEqual([['time_past', 'trigger', 'begin', 'at']]);
    expect(await publish(made.id, 1)).toBe(422);
    const saved = await save(made.id, 1, flow(at(2 * HOUR)));
    expect(told(saved)).toEqual([]);
    expect(await publish(made.id, saved.version)).toBe(200);
  });

  test('is judged by the zone: in the zone of each contact it is past once it is past everywhere', async () => {
    expect(told(await create(flow(at(-HOUR, 'contact'))))).toEqual([]);
    expect(told(await create(flow(at(-48 * HOUR, 'contact'))))).toEqual([
      ['time_past', 'trigger', 'begin', 'at'],
    ]);
  });

  test('stays with a workflow that was published with it, also when something else in it changes', async () => {
    const begin = at(HOUR);
    const made = await create(flow(begin));
    expect(await publish(made.id, 1)).toBe(200);
    flows.api.advance(3 * HOUR);
    const later = await (await flows.admin.get(`/api/workflows/${made.id}`)).json<WorkflowDetails>();
    expect([later.status, told(later)]).toEqual(['active', []]);
    const changed = { ...flow(begin), steps: [step('tag', 'add_tag', { tag: 'was due' })] };
    const saved = await save(made.id, later.version, changed);
    expect(told(saved)).toEqual([]);
    expect(await publish(made.id, saved.version)).toBe(200);
    const moved = await save(made.id, saved.version, flow(at(-HOUR)));
    expect(told(moved)).toEqual([['time_past', 'trigger', 'begin', 'at']]);
  });

  test('that is no time, or whose zone is none, is a problem of its field alone', async () => {
    const wrong = trigger('time_based', { mode: 'at', at: '2020-01-01T09:00', zone: 'Mars/Base' });
    expect(told(await create(flow(wrong)))).toEqual([['field_invalid', 'trigger', 'begin', 'zone']]);
  });
});

describe('a workflow that nothing starts by itself', () => {
  const byHand = {
    triggers: [trigger('by_hand')],
    start: 'tag',
    steps: [step('tag', 'add_tag', { tag: 'in' })],
  };

  test('is published, and starts for who is enrolled and from another workflow', async () => {
    const { id } = await flows.publish(byHand);
    await flows.publish({
      ...{ triggers: [{ id: 'begin', type: 'tag_added', config: { tags: ['go'] } }], start: 'next' },
      steps: [step('next', 'start_workflow', { workflow: id })],
    });
    const [enrolled, passed, other] = [
      await flows.addContact(),
      await flows.addContact({ tags: ['go'] }),
      await flows.addContact(),
    ];
    const answer = await flows.admin.post(`/api/workflows/${id}/runs`, { contactIds: [enrolled.id] });
    expect(await answer.json()).toEqual({ enrolled: 1 });
    await flows.settle();
    expect((await flows.runsOf(id)).map(({ contact }) => contact?.id).toSorted()).toEqual(
      [enrolled.id, passed.id].toSorted(),
    );
    expect((await flows.contact(other.id)).tags).toEqual([]);
  });

  test('has no conditions: who enters is chosen', async () => {
    const conditions = { match: 'all', conditions: [{ kind: 'has_tag', value: 'vip' }] };
    const made = await create({ ...byHand, triggers: [{ ...trigger('by_hand'), conditions }] });
    expect(told(made)).toEqual([['conditions_invalid', 'trigger', 'begin', 'conditions']]);
  });
});
