import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { newId } from '@app/database/new-id';
import { changeAsSystem } from '../../src/platform/system-work.ts';
import { openFlowFixture, step, tagged, trigger, type FlowFixture } from './flow-fixture.ts';

const MINUTE = 61_000;

let flows: FlowFixture;
beforeAll(async () => {
  flows = await openFlowFixture();
});
afterAll(() => flows.api.close());
beforeEach(async () => {
  await flows.api.db.systemPool.query('DELETE FROM flows');
  await flows.api.db.systemPool.query('DELETE FROM contacts');
});

const waiting = (triggers: object[], settings: object) => ({
  ...{ triggers, start: 'wait', settings },
  steps: [step('wait', 'wait', { mode: 'duration', duration: { amount: 1, unit: 'days' } })],
});
const whoBegan = async (workflowId: string) =>
  (await flows.runsOf(workflowId)).map(({ contact }) => contact?.id ?? null);
const refusedOf = async (workflowId: string) =>
  (
    await flows.api.db.systemPool.query<{ reason: string; n: number }>(
      `SELECT reason, count(*)::int AS n FROM flow_starts WHERE flow_id = $1 AND state = 'refused' GROUP BY 1 ORDER BY 1`,
      [workflowId],
    )
  ).rows;
const edit = (id: string, change: object) =>
  flows.admin.post('/api/contacts/bulk-edit', { choice: { contactIds: [id] }, ...change });

test.for(['once', 'one_at_a_time', 'always'])(
  'each contact of an import enters, however long it waits for the pace of the workflow: re-entry %s',
  async (reentry) => {
    const importId = newId();
    const { id } = await flows.publish(waiting([trigger('new_contact')], { reentry, runsPerMinute: 5 }));
    await flows.api.db.systemPool.query(
      `INSERT INTO contacts (id, workspace_id, name, phone, import_id)
       SELECT gen_random_uuid(), $1, 'Imported', '+4930' || (1000000 + n), $2 FROM generate_series(1, 12) AS n`,
      [flows.api.workspaceId, importId],
    );
    await changeAsSystem(flows.api.parts, 'webhooks', flows.api.workspaceId, (scope) =>
      scope.emit({ type: 'contacts.imported', subject: importId, values: { imported: 12 } }),
    );
    for (let minute = 0; minute < 5; minute += 1) {
      await flows.settle();
      flows.api.advance(MINUTE);
    }
    const began = await whoBegan(id);
    expect(new Set(began).size).toBe(12);
    expect(began).toHaveLength(12);
    expect(await refusedOf(id)).toEqual([]);
  },
);

test('a contact whose event was beyond the limit of a minute has not entered, and enters with the next one', async () => {
  const { id } = await flows.publish(waiting([tagged('now')], { reentry: 'once', runsPerMinute: 2 }));
  const contacts = [];
  for (let n = 0; n < 3; n += 1) contacts.push(await flows.addContact({ tags: ['now'] }));
  await flows.settle();
  const began = await whoBegan(id);
  expect(began).toHaveLength(2);
  const left = contacts.find((contact) => !began.includes(contact.id))!; // one of three

  flows.api.advance(MINUTE);
  expect((await flows.admin.post(`/api/workflows/${id}/activate`, {})).status).toBe(200);
  await edit(left.id, { removeTags: ['now'] });
  await edit(left.id, { addTags: ['now'] });
  await flows.settle();
  expect(new Set(await whoBegan(id))).toEqual(new Set(contacts.map((contact) => contact.id)));
});

test.for([
  ['once', 1, [{ reason: 'entered_before', n: 2 }]],
  ['one_at_a_time', 1, [{ reason: 'in_progress', n: 2 }]],
  ['always', 3, []],
] as const)(
  'three events of one contact that are judged at the same moment: re-entry %s begins %i',
  async ([reentry, n, refused]) => {
    const { id } = await flows.publish(waiting([tagged('again')], { reentry }));
    const contact = await flows.addContact();
    for (let time = 0; time < 3; time += 1) {
      await edit(contact.id, { addTags: ['again'] });
      await edit(contact.id, { removeTags: ['again'] });
    }
    await flows.settle();
    expect(await whoBegan(id)).toHaveLength(n);
    expect(await refusedOf(id)).toEqual(refused);
  },
);
