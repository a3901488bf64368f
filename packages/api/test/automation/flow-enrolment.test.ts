import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { openFlowFixture, step, trigger, type FlowFixture } from './flow-fixture.ts';

let flows: FlowFixture;
beforeAll(async () => {
  flows = await openFlowFixture();
});
afterAll(() => flows.api.close());
beforeEach(() => flows.api.db.systemPool.query('DELETE FROM flows'));

const tagging = (rest: object = {}) => ({
  ...{ triggers: [trigger('message_received', { match: 'any' })], start: 'tag' },
  steps: [step('tag', 'add_tag', { tag: 'entered' })],
  ...rest,
});
const audience = { filter: { tags: ['list'] } };
const enrol = (id: string, key: string, body: object = { audience }) =>
  flows.admin.post(`/api/workflows/${id}/runs`, body, `enrol ${key} ${id}`.replaceAll(' ', '-'));
const preview = async (id: string) =>
  (await flows.admin.post(`/api/workflows/${id}/enrolment-preview`, { audience })).json();

test('an audience is counted first, and enters once however often the request comes', async () => {
  const { id } = await flows.publish(tagging({ settings: { reentry: 'once' } }));
  const [first, blocked, second] = [
    await flows.addContact({ tags: ['list'] }),
    await flows.addContact({ tags: ['list'], status: 'blocked' }),
    await flows.addContact({ tags: ['list'] }),
  ];
  expect(await enrol(id, 'before', { contactIds: [second.id] }).then(({ status }) => status)).toBe(200);
  await flows.settle();
  expect(await preview(id)).toEqual({
    ...{ chosen: 3, willEnter: 1, blocked: 1, enteredBefore: 1, inProgress: 0, optedOut: 0, perMinute: 600 },
  });
  for (let time = 0; time < 2; time += 1)
    expect(await (await enrol(id, 'audience')).json()).toEqual({ enrolled: 2 });
  await flows.settle();
  const runs = await flows.runsOf(id);
  expect(runs.map(({ contact }) => contact?.id).toSorted()).toEqual([first.id, second.id].toSorted());
  expect((await flows.contact(first.id)).tags).toContain('entered');
  expect((await flows.contact(blocked.id)).tags).not.toContain('entered');
  const { rows } = await flows.api.db.systemPool.query('SELECT chosen FROM flow_sweeps WHERE flow_id = $1', [
    id,
  ]);
  expect(rows).toEqual([{ chosen: { kind: 'audience' } }]);
  const told = await flows.admin.get(`/api/contacts/${first.id}/workflow-runs`);
  expect(await told.json()).toMatchObject({ items: [{ workflowName: 'Flow', triggerType: null }] });
});

test('who was picked and is erased before they enter leaves no id behind', async () => {
  const { id } = await flows.publish(tagging());
  const [kept, erased] = [await flows.addContact(), await flows.addContact()];
  const picked = { audience: { contactIds: [kept.id, erased.id] } };
  expect(await (await enrol(id, 'picked', picked)).json()).toEqual({ enrolled: 2 });
  expect((await flows.admin.post(`/api/contacts/${erased.id}/erase`, {})).status).toBe(200);
  const { rows } = await flows.api.db.systemPool.query('SELECT chosen::text FROM flow_sweeps');
  expect(rows[0].chosen).toContain(kept.id);
  expect(rows[0].chosen).not.toContain(erased.id);
  await flows.settle();
  expect((await flows.runsOf(id)).map(({ contact }) => contact?.id)).toEqual([kept.id]);
});

test('a version that is published while contacts wait to enter is theirs, and a pause keeps them out', async () => {
  const waiting = { audience: { filter: { tags: ['waiting'] } } };
  const { id, flow } = await flows.publish(tagging());
  const contact = await flows.addContact({ tags: ['waiting'] });
  await enrol(id, 'waits', waiting);
  const mended = { ...flow, version: 1, steps: [step('tag', 'add_tag', { tag: 'newer' })] };
  await flows.admin.put(`/api/workflows/${id}`, mended);
  await flows.admin.post(`/api/workflows/${id}/publish`, { version: 2 });
  await flows.settle();
  expect((await flows.contact(contact.id)).tags).toContain('newer');
  await enrol(id, 'paused', waiting);
  await flows.admin.post(`/api/workflows/${id}/pause`);
  await flows.settle();
  expect(await flows.runsOf(id)).toHaveLength(1);
  expect((await enrol(id, 'not active', waiting)).status).toBe(409);
  expect((await enrol(id, 'both', { audience, contactIds: [contact.id] })).status).toBe(422);
});
