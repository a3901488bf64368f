import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { longTest } from '@app/database/testing/long-test';
import { newId } from '@app/database/new-id';
import { isThorough } from '@app/database/testing/thorough';
import { createFlowEngine } from '@app/flows/flow-engine';
import { holdRestoredFlows } from '@app/flows/hold-restored';
import { openFlowHost } from '../../src/automation/engine/flow-host.ts';
import { settleLater } from '../../src/automation/engine/later/later-effect.ts';
import { changeAsSystem } from '../../src/platform/system-work.ts';
import { askingFlow, openFlowFixture, step, tagged, trigger, type FlowFixture } from './flow-fixture.ts';

let flows: FlowFixture;
beforeAll(async () => {
  flows = await openFlowFixture({}, { isWorking: false });
});
afterAll(() => flows.api.close());
beforeEach(() => flows.api.db.systemPool.query('DELETE FROM flows'));

const HOUR = 3_600_000;
const query = (sql: string, values: unknown[] = []) => flows.api.db.systemPool.query(sql, values);

const versionOf = async (id: string) =>
  (await (await flows.admin.get(`/api/contacts/${id}`)).json<{ version: number }>()).version;

async function merge(survivorId: string, otherId: string): Promise<{ mergeId: string; status: number }> {
  const mergeId = newId();
  const contacts = [];
  for (const contactId of [survivorId, otherId])
    contacts.push({ contactId, version: await versionOf(contactId) });
  const { status } = await flows.admin.post('/api/contacts/merges', { mergeId, survivorId, contacts });
  return { mergeId, status };
}

const asking = (tag: string) => ({ ...askingFlow(tag), settings: { reentry: 'always' } });

test('a merge begins no run for the tags that it brings; taken back, it gives the waiting run back to its contact', async () => {
  const { id } = await flows.publish(asking('split'));
  const [stays, goes] = [await flows.addContact(), await flows.addContact({ tags: ['split'] })];
  await flows.settle();
  const { mergeId, status } = await merge(stays.id, goes.id);
  expect(status).toBe(200);
  await flows.settle();
  expect(await flows.runsOf(id)).toMatchObject([{ status: 'running', contact: { id: stays.id } }]);
  expect((await flows.contact(stays.id)).tags).toContain('split');
  expect((await flows.admin.post(`/api/contacts/merges/${mergeId}/undo`)).status).toBe(200);
  expect(await flows.runsOf(id)).toMatchObject([{ status: 'running', contact: { id: goes.id } }]);
  await flows.receive(goes.id, 'Yes');
  await flows.settle();
  expect(await flows.runsOf(id)).toMatchObject([{ status: 'completed' }]);
  expect((await flows.contact(goes.id)).tags).toContain('replied');
  expect((await flows.contact(stays.id)).tags).not.toContain('replied');
});

test('a restore ends what was under way: nothing acts a second time, and a late result changes nothing', async () => {
  const { id } = await flows.publish({
    ...{ triggers: [tagged('restored')], start: 'call' },
    steps: [
      step(
        'call',
        'webhook_call',
        { method: 'POST', url: 'https://example.com/', retries: 0 },
        { next: { done: 'mark', failed: 'mark' } },
      ),
      step('mark', 'add_tag', { tag: 'called' }),
    ],
  });
  const contact = await flows.addContact({ tags: ['restored'] });
  await flows.settle();
  const [run] = await flows.runsOf(id);
  expect(run).toMatchObject({ status: 'running', at: { stepId: 'call' } });
  const { rows } = await query('SELECT visit, number FROM flow_effects WHERE run_id = $1', [run!.id]);
  await flows.api.db.inSystem((_, client) => holdRestoredFlows(client));
  await changeAsSystem(flows.api.parts, 'upkeep', flows.api.workspaceId, (scope) =>
    settleLater(scope, { runId: run!.id, ...rows[0] }, { status: 'done', values: {} }),
  );
  flows.api.advance(HOUR);
  await flows.settle();
  expect(await flows.runsOf(id)).toMatchObject([{ status: 'cancelled', code: 'restored' }]);
  expect((await flows.contact(contact.id)).tags).toEqual(['restored']);
  expect(await (await flows.admin.get(`/api/workflows/${id}`)).json()).toMatchObject({
    ...{ status: 'paused', pausedFor: { code: 'restored' }, stats: { running: 0 } },
  });
});

longTest(
  'runs that waited when a backup was taken go on after a restore, once, where a person says so; one whose call was on its way stays ended',
  async () => {
    const hour = { amount: 1, unit: 'hours' };
    const { id } = await flows.publish({
      ...{ triggers: [tagged('held')], start: 'ask', settings: { reentry: 'once' } },
      steps: [
        step('ask', 'wait_for_reply', { timeout: hour }, { next: { replied: 'call', timed_out: 'mark' } }),
        step(
          'call',
          'webhook_call',
          { method: 'POST', url: 'https://example.com/', retries: 0 },
          { next: { done: 'mark', failed: 'mark' } },
        ),
        step('mark', 'add_tag', { tag: 'went on' }, { delay: hour }),
      ],
    });
    const [silent, delayed, calling] = [
      await flows.addContact({ tags: ['held'] }),
      await flows.addContact({ tags: ['held'] }),
      await flows.addContact({ tags: ['held'] }),
    ];
    await flows.settle();
    await flows.receive(calling.id, 'Call me');
    await flows.settle();
    const skipped = (await flows.runsOf(id)).find(({ contact }) => contact?.id === delayed.id)!;
    await flows.admin.post(`/api/workflow-runs/${skipped.id}/skip`, { visit: skipped.at!.visit });
    await flows.settle();
    const begun = await flows.addContact({ tags: ['held'] });
    await flows.api.facts.catchUp();
    await flows.api.db.inSystem((_, client) => holdRestoredFlows(client));
    const find = async () => (await flows.admin.get(`/api/workflows/${id}`)).json();
    expect(await find()).toMatchObject({
      pausedFor: { code: 'restored', heldRuns: 2 },
      stats: { running: 0 },
    });
    const continueThem = () => flows.admin.post(`/api/workflows/${id}/activate`, { heldRuns: 'continue' });
    expect(await (await continueThem()).json()).toMatchObject({ status: 'active', stats: { running: 2 } });
    await continueThem();
    expect(await find()).toMatchObject({ status: 'active', pausedFor: null, stats: { running: 2 } });
    await flows.receive(silent.id, 'Here I am');
    await flows.settle();
    const runOf = async (contactId: string) =>
      (await flows.runsOf(id)).find(({ contact }) => contact?.id === contactId);
    expect(await runOf(silent.id)).toMatchObject({ status: 'running', at: { stepId: 'call' } });
    flows.api.advance(2 * HOUR);
    await flows.settle();
    expect(await runOf(delayed.id)).toMatchObject({ status: 'completed' });
    expect((await flows.contact(delayed.id)).tags).toContain('went on');
    expect(await runOf(calling.id)).toMatchObject({ status: 'cancelled', code: 'restored' });
    expect(await runOf(begun.id)).toBeUndefined();
  },
);

const leaving = (tag: string) => ({
  ...{ triggers: [tagged(tag)], start: 'late' },
  steps: [step('late', 'add_tag', { tag: 'late' }, { delay: { amount: 30, unit: 'days' } })],
});

test('a run whose contact was deleted ends when that cannot be taken back any more; one whose contact came back goes on', async () => {
  const { id } = await flows.publish(leaving('leaving'));
  const [goes, returns] = [
    await flows.addContact({ tags: ['leaving'] }),
    await flows.addContact({ tags: ['leaving'] }),
  ];
  await flows.settle();
  for (const contact of [goes, returns])
    expect((await flows.admin.delete(`/api/contacts/${contact.id}`)).status).toBeLessThan(300);
  await flows.settle();
  const gone = { contact: null, isContactGone: true };
  expect(await flows.runsOf(id)).toMatchObject([
    { status: 'running', ...gone },
    { status: 'running', ...gone },
  ]);
  expect((await flows.admin.post(`/api/contacts/${returns.id}/restore`)).status).toBe(200);
  flows.api.advance(HOUR + 60_000);
  await flows.settle();
  const runs = await flows.runsOf(id);
  expect(runs.find(({ contact }) => contact === null)).toMatchObject({
    ...{ ...gone, status: 'cancelled', code: 'contact_gone' },
  });
  expect(runs.find(({ contact }) => contact?.id === returns.id)).toMatchObject({
    ...{ status: 'running', isContactGone: false, at: { stepId: 'late', wait: 'delay' } },
  });
});

longTest('runs of many contacts who were deleted together end, too', async () => {
  const { id } = await flows.publish(leaving('crowd'));
  const crowd = [await flows.addContact({ tags: ['crowd'] }), await flows.addContact({ tags: ['crowd'] })];
  await flows.settle();
  const removalId = newId();
  await flows.admin.post('/api/contacts/removals', {
    ...{ removalId, choice: { contactIds: crowd.map((contact) => contact.id) } },
  });
  await expect
    .poll(async () => {
      const { rows } = await query(`SELECT state FROM operations WHERE id = $1`, [removalId]);
      return rows[0]?.state;
    })
    .toBe('done');
  await flows.settle();
  flows.api.advance(HOUR + 60_000);
  await flows.settle();
  expect((await flows.runsOf(id)).map(({ code }) => code)).toEqual(['contact_gone', 'contact_gone']);
});

longTest('who is erased is in no table any more, wherever a workflow had put them', async () => {
  const made = await flows.publish({
    ...{ triggers: [trigger('webhook', { contact: 'create', phone: 'phone', name: 'name' })], start: 'note' },
    steps: [
      step('note', 'add_note', { text: 'About {{trigger.body.name}}' }, { next: { done: 'call' } }),
      step(
        'call',
        'webhook_call',
        { method: 'POST', url: 'https://example.com/', content: 'text', text: '{{trigger.body.name}}' },
        { next: { done: 'ask', failed: 'ask' } },
      ),
      step('ask', 'wait_for_reply', { timeout: { amount: 1, unit: 'days' } }, { next: {} }),
    ],
  });
  const hook = await flows.admin.put(`/api/workflows/${made.id}/hooks/begin`, {});
  const { url } = await hook.json<{ url: string }>();
  const person = { name: 'Wendeline Quastenflosser', phone: '+4915112345999' };
  const called = await flows.api.stranger.post(new URL(url).pathname, person);
  expect(called.status).toBe(202);
  await flows.settle();
  const [run] = await flows.runsOf(made.id);
  const contactId = run!.contact!.id;
  await flows.receive(contactId, 'I am Wendeline Quastenflosser');
  await flows.api.facts.catchUp();
  const traces = [person.name, person.phone, person.phone.slice(1)];
  expect((await tablesWith(traces)).filter((name) => name.startsWith('flow_'))).not.toEqual([]);
  expect((await flows.admin.post(`/api/contacts/${contactId}/erase`)).status).toBe(200);
  await flows.settle();
  expect(await tablesWith(traces)).toEqual([]);
});

/** The tables that have a row with one of these texts. */
async function tablesWith(texts: readonly string[]): Promise<string[]> {
  const { rows } = await query(
    `SELECT c.oid::regclass::text AS name FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
      WHERE c.relkind = 'r' AND n.nspname = 'public' ORDER BY 1`,
  );
  const found: string[] = [];
  for (const { name } of rows as { name: string }[]) {
    const { rowCount } = await query(
      `SELECT FROM ${name} AS t WHERE EXISTS (SELECT FROM unnest($1::text[]) AS x WHERE strpos(to_jsonb(t)::text, x) > 0) LIMIT 1`,
      [texts],
    );
    if (rowCount) found.push(name);
  }
  return found;
}

/** The same numbers from 0 to 1 for the same seed. */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

longTest.each(isThorough ? Array.from({ length: 40 }, (_, place) => 7 * (place + 1)) : [7])(
  'merges, unmerges, erasures, edits, replies and time-outs at the same time as two engines: no deadlock, and no run is forgotten (seed %i)',
  async (seed) => {
    const random = randomOf(seed);
    const complaints: unknown[] = [];
    const logger = {
      info() {},
      warn: (fields: object, message: string) => void complaints.push([message, fields]),
      error: (fields: object, message: string) => void complaints.push([message, fields]),
    };
    const engineOf = (ownerId: string) =>
      createFlowEngine({ ...openFlowHost({ ...flows.api.parts, logger }), ownerId });
    const engines = [engineOf(`a${seed}`), engineOf(`b${seed}`)];
    const tag = `race ${seed}`;
    const { id } = await flows.publish(asking(tag));
    const people: string[] = [];
    for (let n = 0; n < 12; n += 1) people.push((await flows.addContact({ tags: [tag] })).id);
    await flows.settle();
    const pick = () => people[Math.floor(random() * people.length)]!; // there are twelve
    const merges: string[] = [];
    const answers: number[] = [];
    const acts: (() => Promise<unknown>)[] = [
      async () => {
        const [one, other] = [pick(), pick()];
        if (one === other) return;
        const { mergeId, status } = await merge(one, other).catch(() => ({ mergeId: '', status: 404 }));
        answers.push(status);
        if (status === 200) merges.push(mergeId);
      },
      async () => {
        const mergeId = merges.pop();
        if (mergeId !== undefined)
          answers.push((await flows.admin.post(`/api/contacts/merges/${mergeId}/undo`)).status);
      },
      async () => answers.push((await flows.admin.post(`/api/contacts/${pick()}/erase`)).status),
      async () => {
        const choice = { contactIds: people.slice(0, 6) };
        answers.push(
          (await flows.admin.post('/api/contacts/bulk-edit', { choice, addTags: ['met'] })).status,
        );
      },
      async () => {
        const contactId = pick();
        const { rowCount: isThere } = await query('SELECT FROM contacts WHERE id = $1', [contactId]);
        // Between the look and the insert the contact may go: then nothing was received.
        if (isThere) await flows.receive(contactId, 'Yes').catch(() => undefined);
      },
      async () => flows.api.advance(20 * 60_000),
    ];
    for (let round = 0; round < (isThorough ? 40 : 12); round += 1) {
      const chosen = Array.from({ length: 3 }, () => acts[Math.floor(random() * acts.length)]!); // one of the six
      await Promise.all([
        ...chosen.map((act) => act()),
        ...engines.map((engine) => engine.drain()),
        flows.api.facts.catchUp(),
      ]);
    }
    flows.api.advance(2 * HOUR);
    await flows.settle();
    flows.api.advance(HOUR);
    await flows.settle();
    expect(answers.filter((status) => status >= 500)).toEqual([]);
    expect(complaints).toEqual([]);
    const { rows } = await query(
      `SELECT status, end_code, count(*)::int AS n FROM flow_runs WHERE flow_id = $1 GROUP BY 1, 2`,
      [id],
    );
    expect(rows.filter(({ status }) => status === 'running' || status === 'failed')).toEqual([]);
    expect(rows.reduce((sum, { n }) => sum + n, 0)).toBeGreaterThanOrEqual(12);
  },
);
