import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { longTest } from '@app/database/testing/long-test';
import { newId } from '@app/database/new-id';
import { tidyFlows } from '@app/flows/tidy-flows';
import type { WorkflowDetails } from '../../src/automation/workflows-queries.ts';
import { readErrorBody } from '../api-fixture.ts';
import { openFlowFixture, step, tagged, trigger, type FlowFixture } from './flow-fixture.ts';

let flows: FlowFixture;
beforeAll(async () => {
  flows = await openFlowFixture();
});
afterAll(() => flows.api.close());
beforeEach(() => flows.api.db.systemPool.query('DELETE FROM flows'));

const DAY = 86_400_000;
const query = (sql: string, values: unknown[] = []) => flows.api.db.systemPool.query(sql, values);

async function addTemplate(category: string, body = 'Hello'): Promise<string> {
  const id = newId();
  await query(
    `INSERT INTO templates (id, workspace_id, name, components, content, status, category, language)
     VALUES ($1, $2, $3, $5, $6, 'approved', $4, 'en')`,
    [
      ...[id, flows.api.workspaceId, `t${id.slice(-8)}`, category],
      ...[JSON.stringify([{ type: 'body', text: body }]), body],
    ],
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

longTest.each<[string, Scene, object]>([
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
    'a template that the platform paused',
    {
      make: () => addTemplate('utility'),
      refer: send,
      meanwhile: ({ id }) => query(`UPDATE templates SET platform_status = 'PAUSED' WHERE id = $1`, [id]),
    },
    { status: 'failed', code: 'template_not_approved' },
  ],
  [
    'a template with a placeholder that was given no value',
    {
      make: () => addTemplate('utility', 'Your code is {{code}}, as asked for.'),
      refer: send,
      meanwhile: async () => {},
    },
    { status: 'failed', code: 'template_values_invalid' },
  ],
  [
    'a template with a placeholder whose value the contact does not have',
    {
      make: () => addTemplate('utility', 'We write to {{name}} from now on.'),
      refer: (template) =>
        step('do', 'send_message', {
          ...{ content: 'template', template, variables: { name: '{{contact.email}}' } },
        }),
      meanwhile: async () => {},
    },
    { status: 'failed', code: 'template_values_invalid' },
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
    'a member who was deactivated, and a mail to them',
    {
      make: () => flows.api.userId('manager@acme.test'),
      refer: (user) => step('do', 'email_notification', { to: 'user', user, subject: 'Hi', text: 'Hi' }),
      meanwhile: ({ id }) => flows.admin.post(`/api/users/${id}/deactivate`),
    },
    { status: 'failed', code: 'recipient_missing' },
  ],
  [
    'a member who was deactivated, and a conversation for them',
    {
      make: () => flows.api.userId('agent@acme.test'),
      refer: (user) => step('do', 'assign_conversation', { to: 'user', user }),
      meanwhile: ({ id }) => flows.admin.post(`/api/users/${id}/deactivate`),
    },
    { status: 'failed', code: 'conversation_assignee_unknown' },
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

longTest(
  'a tag that no contact has any more: a step that takes it away does nothing, and one that adds it makes it again',
  async () => {
    const { id } = await flows.publish({
      ...{ triggers: [tagged('autumn')], start: 'wait' },
      steps: [
        step(
          'wait',
          'wait',
          { mode: 'duration', duration: { amount: 1, unit: 'days' } },
          { next: { done: 'off' } },
        ),
        step('off', 'remove_tag', { tag: 'autumn' }, { next: { done: 'on' } }),
        step('on', 'add_tag', { tag: 'winter' }),
      ],
    });
    const contact = await flows.addContact({ tags: ['autumn'] });
    await flows.settle();
    const [run] = await flows.runsOf(id);
    await query(`UPDATE contacts SET tags = '{}' WHERE workspace_id = $1`, [flows.api.workspaceId]);
    await flows.admin.post(`/api/workflow-runs/${run!.id}/skip`, { visit: run!.at!.visit });
    expect(await flows.endOf(id)).toMatchObject({ status: 'completed', code: null });
    expect((await flows.contact(contact.id)).tags).toEqual(['winter']);
  },
);

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

longTest(
  'a contact that is merged while its run waits: the run goes on with the one that stays, and of two one ends',
  async () => {
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
  },
);

test('a date trigger on a field that holds no date is rejected at its trigger, in a file that is imported and in one that is saved', async () => {
  const made = await flows.admin.post('/api/custom-fields', { label: 'Born', type: 'date' });
  const [text, date] = [await addField(), (await made.json<{ id: string }>()).id];
  const file = (field: string) => ({
    name: 'Birthday',
    triggers: [trigger('time_based', { mode: 'date_field', field, offset: 0, yearly: true, time: '09:00' })],
    ...{ start: 'tag', steps: [step('tag', 'add_tag', { tag: 'greeted' })] },
  });
  const problem = { code: 'field_of_other_type', place: 'trigger', id: 'begin', field: 'field', value: text };
  const imported = await (await flows.admin.post('/api/workflows', file(text))).json<WorkflowDetails>();
  expect(imported.problems).toEqual([problem]);
  const checked = await flows.admin.post('/api/workflows/check', { flow: file(text) });
  expect(await checked.json()).toEqual({ problems: [problem] });
  const path = `/api/workflows/${imported.id}`;
  const published = await flows.admin.post(`${path}/publish`, { version: 1 });
  expect([published.status, await published.json()]).toMatchObject([
    422,
    {
      error: {
        code: 'workflow_invalid',
        details: { issues: [{ field: 'triggers.begin.field', message: 'field_of_other_type' }] },
      },
    },
  ]);
  const mended = await flows.admin.put(path, { ...file(date), version: 1 });
  expect(await mended.json()).toMatchObject({ problems: [] });
  const broken = await flows.admin.put(path, { ...file(text), version: 2 });
  expect(await broken.json()).toMatchObject({ problems: [problem] });
});

test('a template that cannot be sent keeps a workflow from being published until the platform allows it again', async () => {
  const template = await addTemplate('utility');
  const file = { name: 'Flow', triggers: [tagged('go')], start: 'do', steps: [send(template)] };
  const { id, version } = await (await flows.admin.post('/api/workflows', file)).json<WorkflowDetails>();
  await query(`UPDATE templates SET platform_status = 'PAUSED' WHERE id = $1`, [template]);
  const publish = () => flows.admin.post(`/api/workflows/${id}/publish`, { version });
  expect(await (await publish()).json()).toMatchObject({
    error: { details: { issues: [{ field: 'steps.do.template', message: 'template_not_approved' }] } },
  });
  await query(`UPDATE templates SET platform_status = 'APPROVED' WHERE id = $1`, [template]);
  expect((await publish()).status).toBe(200);
});

longTest(
  'a custom field that was deleted, and conditions of a published trigger that ask for it: nobody enters, and others go on',
  async () => {
    const field = await addField();
    const asks = { match: 'all', conditions: [{ kind: 'field_text_is', field, value: 'gold' }] };
    const steps = [step('tag', 'add_tag', { tag: 'in' })];
    const asking = await flows.publish({
      ...{ triggers: [{ ...tagged('go'), conditions: asks }], start: 'tag', steps },
    });
    const other = await flows.publish({ triggers: [tagged('go')], start: 'tag', steps });
    await query('DELETE FROM custom_fields WHERE id = $1', [field]);
    await flows.addContact({ tags: ['go'] });
    await flows.settle();
    expect(await flows.runsOf(asking.id)).toEqual([]);
    expect(await flows.runsOf(other.id)).toMatchObject([{ status: 'completed' }]);
    expect(await (await flows.admin.get(`/api/workflows/${asking.id}`)).json()).toMatchObject({
      problems: [
        { code: 'reference_gone', place: 'trigger', id: 'begin', field: 'conditions', value: field },
      ],
    });
  },
);

test('a day that no calendar has keeps a draft from being published', async () => {
  const made = await flows.admin.post('/api/workflows', {
    ...{ name: 'February', triggers: [tagged('go')], start: 'wait' },
    steps: [step('wait', 'wait', { mode: 'date_time', at: '2027-02-31T09:00', zone: 'workspace' })],
  });
  expect(await made.json()).toMatchObject({ problems: [{ code: 'field_invalid', id: 'wait', field: 'at' }] });
});

test('an empty flow is a draft that cannot be published', async () => {
  const made = await (
    await flows.admin.post('/api/workflows', { name: 'Empty' })
  ).json<{ id: string; problems: object[] }>();
  expect(made.problems).toMatchObject([{ code: 'flow_empty' }, { code: 'trigger_missing' }]);
  const refused = await flows.admin.post(`/api/workflows/${made.id}/publish`, { version: 1 });
  expect(await readErrorBody(refused)).toMatchObject({ code: 'workflow_invalid' });
});

longTest(
  'events beyond the limit of a minute pause the workflow: the others began, these say why, and the owner hears of it once',
  async () => {
    const { id } = await flows.publish({ ...waiting, settings: { reentry: 'always', runsPerMinute: 5 } });
    for (let n = 0; n < 8; n += 1) await flows.addContact({ tags: ['merged'] });
    await flows.settle();
    expect(await flows.runsOf(id)).toHaveLength(5);
    const { rows: refused } = await query(
      `SELECT reason, count(*)::int AS n FROM flow_starts WHERE flow_id = $1 AND state = 'refused' GROUP BY 1`,
      [id],
    );
    expect(refused).toEqual([{ reason: 'runs_per_minute', n: 3 }]);
    expect(await (await flows.admin.get(`/api/workflows/${id}`)).json()).toMatchObject({
      ...{ status: 'paused', pausedFor: { code: 'runs_per_minute' } },
    });
    const { rows: heard } = await query('SELECT kind FROM notifications WHERE subject = $1', [id]);
    expect(heard).toEqual([{ kind: 'workflow_trouble' }]);
  },
);

test('a robot that opens the address of a webhook or a form, as for a preview, begins nothing', async () => {
  const { id } = await flows.publish({
    ...{ start: 'end', steps: [step('end', 'stop', { outcome: 'completed' })] },
    triggers: [
      { ...trigger('webhook', { contact: 'none', phone: '' }), id: 'called' },
      {
        ...trigger('form_submission', {
          ...{ slug: 'preview', title: 'Offer' },
          fields: [{ name: 'name', label: 'Name', type: 'text', isRequired: true }],
        }),
        id: 'filled',
      },
    ],
  });
  const hook = await flows.admin.put(`/api/workflows/${id}/hooks/called`, {});
  const { pathname } = new URL((await hook.json<{ url: string }>()).url);
  const statuses = [];
  for (const method of ['GET', 'HEAD'])
    for (const path of [pathname, '/forms/preview'])
      statuses.push((await flows.api.stranger.request(path, { method })).status);
  expect(statuses).toEqual([404, 200, 404, 200]);
  await flows.settle();
  expect(await flows.runsOf(id)).toEqual([]);
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

const owner = { firstName: 'Ada', lastName: 'Real', email: 'ada@real.test', password: 'Truly-mine-1' };
// Start for Real is last: it takes away every account but that of the admin.
longTest.each<[string, string, object]>([
  ['clearing all data', '/api/data/clear', {}],
  ['Start for Real', '/api/data/start-for-real', { businessName: 'Acme Ltd', owner }],
])('%s while runs wait ends them: none is left, and nothing runs on', async (_, path, more) => {
  const { id } = await flows.publish(waiting);
  await flows.addContact({ tags: ['merged'] });
  await flows.settle();
  expect(await flows.runsOf(id)).toMatchObject([{ status: 'running' }]);
  await query('UPDATE workspaces SET is_sample = true WHERE id = $1', [flows.api.workspaceId]);
  const { name } = await (await flows.admin.get('/api/data')).json<{ name: string }>();
  const begun = await flows.admin.post(path, { name, ...more });
  expect([begun.status, await begun.text()]).toEqual([200, expect.any(String)]);
  await expect
    .poll(async () => {
      await flows.settle();
      const { rows: left } = await query(
        `SELECT (SELECT count(*)::int FROM flows WHERE workspace_id = $1) AS flows, (SELECT count(*)::int FROM flow_runs WHERE workspace_id = $1) AS runs,
                (SELECT count(*)::int FROM flow_starts WHERE workspace_id = $1) AS starts,
                (SELECT count(*)::int FROM operations WHERE workspace_id = $1 AND state IN ('queued', 'running')) AS operations`,
        [flows.api.workspaceId],
      );
      return left;
    })
    .toEqual([{ flows: 0, runs: 0, starts: 0, operations: 0 }]);
});
