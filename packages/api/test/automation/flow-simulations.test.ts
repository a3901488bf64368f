import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { longTest } from '@app/database/testing/long-test';
import { newId } from '@app/database/new-id';
import type { WorkflowDetails } from '../../src/automation/workflows-queries.ts';
import { openFlowFixture, step, tagged, type FlowFixture } from './flow-fixture.ts';

let flows: FlowFixture;
const templateId = newId();
beforeAll(async () => {
  flows = await openFlowFixture();
  await flows.api.db.systemPool.query(
    `INSERT INTO templates (id, workspace_id, name, components, content, status, category, language)
     VALUES ($1, $2, 'welcome', '[{"type":"body","text":"Hello"}]', 'Hello', 'approved', 'utility', 'en')`,
    [templateId, flows.api.workspaceId],
  );
});
afterAll(() => flows.api.close());
beforeEach(() => flows.api.db.systemPool.query('DELETE FROM flows'));

type Simulation = {
  events: number;
  isCut: boolean;
  contacts: number;
  missing: number;
  draft: number;
  published: number | null;
  differences: Record<string, number>;
  sides: Record<'draft' | 'published', Record<string, unknown>>;
  messages: { templateName: string | null; draft: number; published: number }[];
};
type Row = {
  contact: { id: string } | null;
  difference: string;
  draft: { runs: { path: { stepId: string; exit: string }[]; unknown: object | null }[]; refused: string[] };
};

const send = (id: string) => step(id, 'send_message', { content: 'template', template: templateId });
const replied = (hours: number) => [
  step(
    'ask',
    'wait_for_reply',
    { timeout: { amount: hours, unit: 'hours' } },
    { next: { replied: 'thank', timed_out: 'remind' } },
  ),
  step('thank', 'add_tag', { tag: 'thanked' }),
  send('remind'),
];

async function simulate(id: string): Promise<{ simulation: Simulation; rows: Row[] }> {
  const begun = await flows.admin.post(`/api/workflows/${id}/simulation`);
  expect(begun.status).toBe(200);
  const { id: operationId } = await begun.json<{ id: string }>();
  await expect
    .poll(
      async () =>
        (await (await flows.admin.get(`/api/operations/${operationId}`)).json<{ state: string }>()).state,
    )
    .toBe('done');
  const { simulation } = await (
    await flows.admin.get(`/api/workflows/${id}/simulation`)
  ).json<{ simulation: Simulation }>();
  const { items } = await (
    await flows.admin.get(`/api/workflows/${id}/simulation/contacts`)
  ).json<{ items: Row[] }>();
  return { simulation, rows: items };
}

async function saveDraft({ id, flow }: WorkflowDetails, part: object): Promise<void> {
  const { version } = await (await flows.admin.get(`/api/workflows/${id}`)).json<WorkflowDetails>();
  expect((await flows.admin.put(`/api/workflows/${id}`, { ...flow, version, ...part })).status).toBe(200);
}

const countRows = async () => {
  const { rows } = await flows.api.db.systemPool.query(
    `SELECT (SELECT count(*)::int FROM flow_runs) AS runs, (SELECT count(*)::int FROM messages WHERE direction = 'out') AS messages,
            (SELECT count(*)::int FROM flow_entries) AS entries, (SELECT string_agg(tags::text, ' ' ORDER BY id) FROM contacts) AS tags`,
  );
  return rows[0];
};

test('the draft is tried with stored events, and the difference is said by contact; nothing changes', async () => {
  const made = await flows.publish({
    triggers: [tagged('old')],
    start: 'tag',
    steps: [step('tag', 'add_tag', { tag: 'x' })],
  });
  const before = await flows.addContact({ tags: ['old'] });
  const both = await flows.addContact({ tags: ['old', 'new'] });
  const after = await flows.addContact({ tags: ['new'] });
  await flows.addContact({ tags: ['none'] });
  await flows.settle();
  await saveDraft(made, { triggers: [tagged('new')], start: 'first', steps: [send('first')] });
  const untouched = await countRows();
  const { simulation, rows } = await simulate(made.id);
  expect(rows.map(({ contact, difference }) => [contact?.id, difference]).toSorted()).toEqual(
    [
      [before.id, 'stays_out'],
      [both.id, 'other_path'],
      [after.id, 'enters'],
    ].toSorted(),
  );
  expect(simulation).toMatchObject({
    ...{ contacts: 3, isCut: false, published: 1, draft: 2, missing: 0 },
    differences: { enters: 1, stays_out: 1, other_path: 1, other_messages: 0, same: 0 },
    sides: { draft: { runs: 2, messages: 2 }, published: { runs: 2, messages: 0 } },
    messages: [{ draft: 2, published: 0 }],
  });
  expect(await countRows()).toEqual(untouched);
});

test('a wait for a reply takes the stored one, and says where nobody can know', async () => {
  const made = await flows.publish({ triggers: [tagged('go')], start: 'ask', steps: replied(24) });
  const [answered, silent] = [
    await flows.addContact({ tags: ['go'] }),
    await flows.addContact({ tags: ['go'] }),
  ];
  await flows.receive(answered.id, 'Thank you');
  await flows.settle();
  await saveDraft(made, {
    ...{ triggers: [tagged('go')], start: 'hello' },
    steps: [{ ...send('hello'), next: { done: 'ask' } }, ...replied(48)],
  });
  const { rows } = await simulate(made.id);
  const of = (id: string) => rows.find(({ contact }) => contact?.id === id)?.draft.runs[0];
  expect(of(answered.id)?.path.map(({ stepId, exit }) => `${stepId}:${exit}`)).toEqual([
    ...['hello:done', 'ask:replied', 'thank:done'],
  ]);
  expect(of(silent.id)).toMatchObject({ unknown: { stepId: 'ask', why: 'reply' } });
});

test('branches ask the contacts of today, and what the clock begins is among the events', async () => {
  const made = await flows.publish({
    triggers: [tagged('go')],
    start: 'tag',
    steps: [step('tag', 'add_tag', { tag: 'x' })],
  });
  const vip = await flows.addContact({ tags: ['vip'] });
  const other = await flows.addContact();
  await flows.settle();
  const rules = { match: 'all', conditions: [{ kind: 'has_tag', value: 'vip' }] };
  await saveDraft(made, {
    triggers: [
      {
        id: 'begin',
        type: 'time_based',
        config: { mode: 'every', period: 'week', weekdays: [1], time: '09:00' },
        conditions: null,
      },
    ],
    start: 'choice',
    steps: [step('choice', 'branch', { rules }, { next: { yes: 'hello', no: null } }), send('hello')],
  });
  const { rows } = await simulate(made.id);
  const pathOf = (id: string) =>
    rows.find(({ contact }) => contact?.id === id)?.draft.runs[0]?.path.map(({ exit }) => exit);
  expect([pathOf(vip.id), pathOf(other.id)]).toEqual([['yes', 'done'], ['no']]);
});

longTest(
  'two who ask at the same time get one operation; a draft with problems is rejected; a contact that is erased leaves it',
  async () => {
    const made = await flows.publish({
      triggers: [tagged('erased')],
      start: 'tag',
      steps: [step('tag', 'add_tag', { tag: 'x' })],
    });
    const contact = await flows.addContact({ tags: ['erased'] });
    await flows.settle();
    await saveDraft(made, { triggers: [tagged('gone')] });
    const begun = await Promise.all(
      [1, 2].map(() => flows.admin.post(`/api/workflows/${made.id}/simulation`)),
    );
    const ids = await Promise.all(begun.map(async (answer) => (await answer.json<{ id: string }>()).id));
    expect(new Set(ids).size).toBe(1);
    const { rows } = await simulate(made.id);
    expect(rows.map(({ contact: one }) => one?.id)).toEqual([contact.id]);
    expect((await flows.admin.post(`/api/contacts/${contact.id}/erase`)).status).toBe(200);
    const { rows: left } = await flows.api.db.systemPool.query('SELECT FROM flow_simulation_contacts');
    expect(left).toEqual([]);
    await saveDraft(made, { triggers: [] });
    const rejected = await flows.admin.post(`/api/workflows/${made.id}/simulation`);
    expect([rejected.status, (await rejected.json<{ error: { code: string } }>()).error.code]).toEqual([
      422,
      'workflow_invalid',
    ]);
  },
);
