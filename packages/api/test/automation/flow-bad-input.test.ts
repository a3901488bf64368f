import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { newId } from '@app/database/new-id';
import { tidyFlows } from '@app/flows/tidy-flows';
import { openFlowFixture, step, tagged, type FlowFixture } from './flow-fixture.ts';

let flows: FlowFixture;
beforeAll(async () => {
  flows = await openFlowFixture();
});
afterAll(() => flows.api.close());
beforeEach(() => flows.api.db.systemPool.query('DELETE FROM flows'));

const DAY = 86_400_000;
const query = (sql: string, values: unknown[] = []) => flows.api.db.systemPool.query(sql, values);

async function addTemplate(category: string): Promise<string> {
  const id = newId();
  await query(
    `INSERT INTO templates (id, workspace_id, name, components, content, status, category, language)
     VALUES ($1, $2, $3, '[{"type":"body","text":"Hello"}]', 'Hello', 'approved', $4, 'en')`,
    [id, flows.api.workspaceId, `t${id.slice(-8)}`, category],
  );
  return id;
}

async function addField(): Promise<string> {
  const label = `Field ${newId()}`;
  const made = await flows.admin.post('/api/custom-fields', { label, type: 'text' });
  return (await made.json<{ id: string }>()).id;
}

const send = (template: string) => step('do', 'send_message', { content: 'template', template });

type Scene = {
  /** Makes what the step refers to. */
  make: () => Promise<string>;
  refer: (id: string) => object;
  /** What happens while the run waits. */
  meanwhile: (given: { id: string; contactId: string }) => Promise<unknown>;
};

test.each<[string, Scene, object]>([
  [
    'a template that was deleted',
    {
      make: () => addTemplate('utility'),
      refer: send,
      meanwhile: ({ id }) => query('DELETE FROM templates WHERE id = $1', [id]),
    },
    { status: 'failed', code: 'template_not_found' },
  ],
  [
    'a template that the platform stopped',
    {
      make: () => addTemplate('utility'),
      refer: send,
      meanwhile: ({ id }) => query(`UPDATE templates SET status = 'rejected' WHERE id = $1`, [id]),
    },
    { status: 'failed', code: 'template_not_approved' },
  ],
  [
    'a contact who opted out, and marketing',
    {
      make: () => addTemplate('promotion'),
      refer: send,
      meanwhile: ({ contactId }) =>
        flows.admin.post(`/api/contacts/${contactId}/consents`, { kind: 'opt_out', text: 'By phone' }),
    },
    { status: 'failed', code: 'contact_opted_out' },
  ],
  [
    'a contact who was blocked',
    {
      make: () => addTemplate('utility'),
      refer: send,
      meanwhile: ({ contactId }) =>
        query(`UPDATE contacts SET status = 'blocked' WHERE id = $1`, [contactId]),
    },
    { status: 'failed', code: 'contact_blocked' },
  ],
  [
    'a custom field that was deleted',
    {
      make: addField,
      refer: (field) => step('do', 'set_field', { field, value: 'gold' }),
      meanwhile: ({ id }) => query('DELETE FROM custom_fields WHERE id = $1', [id]),
    },
    { status: 'failed', code: 'custom_field_unknown' },
  ],
  [
    'a team that was deleted',
    {
      make: async () =>
        (await (await flows.admin.post('/api/teams', { name: `Team ${newId()}` })).json<{ id: string }>()).id,
      refer: (team) => step('do', 'assign_conversation', { to: 'team', team }),
      meanwhile: ({ id }) => flows.admin.delete(`/api/teams/${id}`),
    },
    { status: 'failed', code: 'conversation_team_unknown' },
  ],
  [
    'a campaign that was deleted',
    {
      make: async () => {
        const id = newId();
        await query(
          `INSERT INTO campaigns (id, workspace_id, name, custom_message, audience, audience_size, status)
           VALUES ($1, $2, 'Autumn', 'Hello', '{"contactIds": []}', 0, 'draft')`,
          [id, flows.api.workspaceId],
        );
        return id;
      },
      refer: (campaign) => step('do', 'add_to_campaign', { campaign }),
      meanwhile: ({ id }) => query('DELETE FROM campaigns WHERE id = $1', [id]),
    },
    { status: 'failed', code: 'campaign_not_found' },
  ],
  [
    'a workflow that was deleted',
    {
      make: async () =>
        (
          await flows.publish({
            ...{ name: 'Other', triggers: [tagged('other')], start: 'tag' },
            steps: [step('tag', 'add_tag', { tag: 'other' })],
          })
        ).id,
      refer: (workflow) => step('do', 'start_workflow', { workflow }),
      meanwhile: ({ id }) => flows.admin.delete(`/api/workflows/${id}`),
    },
    { status: 'failed', code: 'reference_gone' },
  ],
])('a run that waits meets %s: it ends with the reason, and nothing else is lost', async (_, scene, end) => {
  const referred = await scene.make();
  const { id } = await flows.publish({
    ...{ triggers: [tagged('go')], start: 'wait' },
    steps: [
      step(
        'wait',
        'wait',
        { mode: 'duration', duration: { amount: 1, unit: 'days' } },
        { next: { done: 'do' } },
      ),
      scene.refer(referred),
    ],
  });
  const contact = await flows.addContact({ tags: ['go'] });
  await flows.settle();
  const [run] = await flows.runsOf(id);
  expect(run).toMatchObject({ status: 'running', at: { stepId: 'wait' } });
  await scene.meanwhile({ id: referred, contactId: contact.id });
  await flows.admin.post(`/api/workflow-runs/${run!.id}/skip`, { visit: run!.at!.visit });
  expect(await flows.endOf(id)).toMatchObject(end);
  expect(await flows.contact(contact.id)).toMatchObject({ tags: ['go'] });
});

const waiting = {
  ...{ triggers: [tagged('merged')], start: 'wait', settings: { reentry: 'one_at_a_time' } },
  steps: [
    step(
      'wait',
      'wait',
      { mode: 'duration', duration: { amount: 1, unit: 'days' } },
      { next: { done: 'mark' } },
    ),
    step('mark', 'add_tag', { tag: 'reached' }),
  ],
};

test('a contact that is merged while its run waits: the run goes on with the one that stays, and of two one ends', async () => {
  const { id } = await flows.publish(waiting);
  const [first, second] = [
    await flows.addContact({ tags: ['merged'] }),
    await flows.addContact({ tags: ['merged'] }),
  ];
  await flows.settle();
  const contacts = await Promise.all(
    [first, second].map(async ({ id: contactId }) => ({
      contactId,
      version: (await (await flows.admin.get(`/api/contacts/${contactId}`)).json<{ version: number }>())
        .version,
    })),
  );
  const merged = await flows.admin.post('/api/contacts/merges', {
    ...{ mergeId: newId(), survivorId: second.id, contacts },
  });
  expect(merged.status).toBe(200);
  for (const run of await flows.runsOf(id))
    if (run.at) await flows.admin.post(`/api/workflow-runs/${run.id}/skip`, { visit: run.at.visit });
  await flows.settle();
  expect((await flows.runsOf(id)).map(({ status, code, contact }) => [status, code, contact?.id])).toEqual(
    expect.arrayContaining([
      ['completed', null, second.id],
      ['cancelled', 'merged', second.id],
    ]),
  );
  expect((await flows.contact(second.id)).tags).toContain('reached');
});

test('a day that no calendar has keeps a draft from being published', async () => {
  const made = await flows.admin.post('/api/workflows', {
    ...{ name: 'February', triggers: [tagged('go')], start: 'wait' },
    steps: [step('wait', 'wait', { mode: 'date_time', at: '2027-02-31T09:00', zone: 'workspace' })],
  });
  expect(await made.json()).toMatchObject({ problems: [{ code: 'field_invalid', id: 'wait', field: 'at' }] });
});

test('a secret that no draft and no version names is deleted after a month, and no other', async () => {
  const calling = (value: string) => ({
    ...{ name: 'Calls', triggers: [tagged('go')], start: 'call' },
    steps: [
      step('call', 'webhook_call', {
        ...{ method: 'POST', url: 'https://example.com/', headers: [{ name: 'Authorization', value }] },
        ...{ content: 'none', timeout: 10, retries: 0 },
      }),
    ],
  });
  const made = await (
    await flows.admin.post('/api/workflows', calling('Bearer first'))
  ).json<{ id: string; version: number }>();
  await flows.admin.put(`/api/workflows/${made.id}`, {
    ...calling('Bearer second'),
    version: made.version,
  });
  const count = async () => (await query('SELECT count(*)::int AS n FROM flow_secrets')).rows[0].n;
  expect(await count()).toBe(2);
  const tidyIn = (days: number) =>
    tidyFlows(
      (work) => flows.api.db.inSystem((_, client) => work(client)),
      new Date(flows.api.parts.clock().getTime() + days * DAY),
    );
  await tidyIn(29);
  expect(await count()).toBe(2);
  await tidyIn(31);
  expect(await count()).toBe(1);
});

test('clearing all data while runs wait ends them: none is left, and nothing runs on', async () => {
  const { id } = await flows.publish(waiting);
  await flows.addContact({ tags: ['merged'] });
  await flows.settle();
  expect(await flows.runsOf(id)).toMatchObject([{ status: 'running' }]);
  const { rows } = await query('SELECT name FROM workspaces WHERE id = $1', [flows.api.workspaceId]);
  expect((await flows.admin.post('/api/data/clear', { name: rows[0].name })).status).toBe(200);
  await expect
    .poll(async () => {
      await flows.settle();
      return (await query('SELECT count(*)::int AS n FROM flow_runs')).rows[0].n;
    })
    .toBe(0);
});
