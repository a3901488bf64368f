import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { WorkflowDetails } from '../../src/automation/workflows-queries.ts';
import { openApiFixture, type ApiCaller, type ApiFixture } from '../api-fixture.ts';

let api: ApiFixture;
let admin: ApiCaller;

beforeAll(async () => {
  api = await openApiFixture();
  admin = await api.as('admin');
});
afterAll(() => api.close());
beforeEach(() => api.db.systemPool.query('DELETE FROM flows'));

const flow = (changes: object = {}) => ({
  name: 'Welcome',
  triggers: [{ id: 'tagged', type: 'tag_added', config: { tags: ['customer'] } }],
  start: 'tag',
  steps: [{ id: 'tag', type: 'add_tag', config: { tag: 'welcomed' }, delay: { amount: 1, unit: 'hours' } }],
  ...changes,
});

async function create(changes: object = {}): Promise<WorkflowDetails> {
  const answer = await admin.post('/api/workflows', flow(changes));
  expect(answer.status).toBe(200);
  return answer.json();
}

const codeOf = async (answer: { json<T>(): Promise<T> }) =>
  (await answer.json<{ error?: { code: string } }>()).error?.code;

describe('a draft', () => {
  test('keeps the flow file, and comes back as one that can be saved again', async () => {
    const made = await create();
    expect(made).toMatchObject({ status: 'draft', hasChanges: true, problems: [], triggers: ['tag_added'] });
    expect(made.flow).toMatchObject({ format: 'flow', formatVersion: 1, kind: 'workflow', layout: {} });
    const saved = await admin.put(`/api/workflows/${made.id}`, { ...made.flow, version: made.version });
    expect((await saved.json<WorkflowDetails>()).flow).toEqual(made.flow);
  });

  test('may have faults, which are told with their places', async () => {
    const made = await create({ steps: [{ id: 'tag', type: 'add_tag', config: {} }], triggers: [] });
    expect(made.problems.map(({ code, place, id, field }) => [code, place, id, field])).toEqual([
      ['trigger_missing', 'flow', null, null],
      ['field_missing', 'step', 'tag', 'tag'],
    ]);
    const published = await admin.post(`/api/workflows/${made.id}/publish`, { version: 1 });
    expect(published.status).toBe(422);
    expect(await published.json()).toMatchObject({
      error: {
        code: 'workflow_invalid',
        details: { issues: [{ field: 'flow' }, { field: 'steps.tag.tag', message: 'field_missing' }] },
      },
    });
  });

  test('of two people who save the second is told', async () => {
    const { id } = await create();
    const save = (name: string) => admin.put(`/api/workflows/${id}`, { ...flow({ name }), version: 1 });
    expect((await save('One')).status).toBe(200);
    expect(await codeOf(await save('Two'))).toBe('workflow_changed');
  });

  test.each([
    ['a newer format', { formatVersion: 2 }, 'formatVersion'],
    ['an id with a dot', { start: 'a.b' }, 'start'],
    [
      'another unit',
      { steps: [{ id: 'a', type: 'wait', delay: { amount: 1, unit: 'years' } }] },
      'steps.0.delay.unit',
    ],
    ['an unknown part', { extra: 1 }, ''],
  ])('with %s is refused', async (_, changes, field) => {
    const answer = await admin.post('/api/workflows', flow(changes));
    expect(answer.status).toBe(422);
    const { error } = await answer.json<{ error: { details: { issues: { field: string }[] } } }>();
    expect(error.details.issues.map((issue) => issue.field)).toContain(field);
  });

  test('names what it refers to and is not there', async () => {
    const templateId = '0193a6f0-0000-7000-8000-000000000001';
    const step = { id: 'say', type: 'send_message', config: { content: 'template', template: templateId } };
    const answer = await admin.post('/api/workflows/check', { flow: flow({ start: 'say', steps: [step] }) });
    expect(await answer.json()).toEqual({
      problems: [{ code: 'reference_gone', place: 'step', id: 'say', field: 'template', value: templateId }],
    });
  });
});

describe('publishing', () => {
  const publish = async (id: string, version: number) =>
    (await admin.post(`/api/workflows/${id}/publish`, { version })).json<WorkflowDetails>();

  test('makes numbered versions that stay as they were', async () => {
    const { id } = await create();
    expect(await publish(id, 1)).toMatchObject({ status: 'active', publishedVersion: 1, hasChanges: false });
    await admin.put(`/api/workflows/${id}`, { ...flow({ name: 'Renamed' }), version: 1 });
    expect((await admin.get(`/api/workflows/${id}`)).status).toBe(200);
    expect(await publish(id, 2)).toMatchObject({ publishedVersion: 2, name: 'Renamed' });
    const versions = await (await admin.get(`/api/workflows/${id}/versions`)).json<{ items: object[] }>();
    expect(versions.items).toMatchObject([
      { number: 2, isCurrent: true, running: 0 },
      { number: 1, isCurrent: false },
    ]);
    const first = await admin.get(`/api/workflows/${id}/versions/1`);
    expect(await first.json()).toMatchObject({ number: 1, flow: { name: 'Welcome' } });
  });

  test('of an older draft than the one that is there is refused', async () => {
    const { id } = await create();
    await admin.put(`/api/workflows/${id}`, { ...flow({ name: 'Renamed' }), version: 1 });
    expect(await codeOf(await admin.post(`/api/workflows/${id}/publish`, { version: 1 }))).toBe(
      'workflow_changed',
    );
  });

  test('can be paused and activated, but not before the first version', async () => {
    const { id } = await create();
    expect(await codeOf(await admin.post(`/api/workflows/${id}/activate`))).toBe('workflow_not_published');
    await publish(id, 1);
    for (const [path, status] of [
      ['pause', 'paused'],
      ['activate', 'active'],
      ['activate', 'active'],
    ])
      expect(await (await admin.post(`/api/workflows/${id}/${path}`)).json()).toMatchObject({ status });
  });
});

test('a draft that is again what was published has nothing to publish, and makes no further version', async () => {
  const made = await create();
  const path = `/api/workflows/${made.id}`;
  await admin.post(`${path}/publish`, { version: 1 });
  const save = async (changes: object, version: number) =>
    (await admin.put(path, { ...flow(changes), version })).json<WorkflowDetails>();
  expect(await save({ name: 'Other' }, 1)).toMatchObject({ hasChanges: true, version: 2 });
  const { flow: published } = await (
    await admin.get(`${path}/versions/1`)
  ).json<{ flow: WorkflowDetails['flow'] }>();
  expect(await save(published, 2)).toMatchObject({ name: 'Welcome', hasChanges: false, version: 3 });
  const again = await admin.post(`${path}/publish`, { version: 3 });
  expect(await again.json()).toMatchObject({ publishedVersion: 1, hasChanges: false });
});

test('a copy is a draft of its own', async () => {
  const { id } = await create();
  await admin.post(`/api/workflows/${id}/publish`, { version: 1 });
  const copy = () =>
    admin.post(`/api/workflows/${id}/duplicate`).then((answer) => answer.json<WorkflowDetails>());
  expect(await copy()).toMatchObject({ name: 'Welcome (2)', status: 'draft', publishedVersion: null });
  expect(await copy()).toMatchObject({ name: 'Welcome (3)' });
  const list = await (await admin.get('/api/workflows?search=welc&limit=2')).json<{ items: object[] }>();
  expect(list).toMatchObject({ matching: 3, items: [{ name: 'Welcome (3)' }, { name: 'Welcome (2)' }] });
});

test('what is deleted is gone with its versions', async () => {
  const { id } = await create();
  await admin.post(`/api/workflows/${id}/publish`, { version: 1 });
  expect((await admin.delete(`/api/workflows/${id}`)).status).toBe(200);
  expect((await admin.get(`/api/workflows/${id}`)).status).toBe(404);
  expect((await admin.get(`/api/workflows/${id}/runs`)).status).toBe(404);
});

describe('the four roles', () => {
  const file = flow({ name: 'Edited' });
  const draftOf = async (who: ApiCaller) =>
    (await who.post('/api/workflows', flow())).json<WorkflowDetails>();

  test('a viewer reads workflows and changes none', async () => {
    const { id, isOwnDraft } = await create();
    const viewer = await api.as('viewer');
    const seen = await (await viewer.get(`/api/workflows/${id}`)).json<WorkflowDetails>();
    expect([isOwnDraft, seen.isOwnDraft]).toEqual([true, false]);
    expect((await viewer.post('/api/workflows', flow())).status).toBe(403);
    expect((await viewer.put(`/api/workflows/${id}`, { ...file, version: 1 })).status).toBe(403);
    expect((await viewer.delete(`/api/workflows/${id}`)).status).toBe(403);
    expect(await (await admin.get(`/api/workflows/${id}`)).json()).toMatchObject({ name: 'Welcome' });
  });

  test('an agent edits and deletes what they drafted, and does not publish it', async () => {
    const agent = await api.as('agent');
    const own = await draftOf(agent);
    expect(own.isOwnDraft).toBe(true);
    const listed = await (await agent.get('/api/workflows')).json<{ items: WorkflowDetails[] }>();
    expect(listed.items.map(({ isOwnDraft }) => isOwnDraft)).toEqual([true]);
    const saved = await agent.put(`/api/workflows/${own.id}`, { ...file, version: 1 });
    expect(await saved.json()).toMatchObject({ name: 'Edited', version: 2, isOwnDraft: true });
    expect((await agent.post(`/api/workflows/${own.id}/publish`, { version: 2 })).status).toBe(403);
    expect((await agent.delete(`/api/workflows/${own.id}`)).status).toBe(200);
  });

  test('an agent changes neither drafts of others nor what was published', async () => {
    const agent = await api.as('agent');
    const other = await draftOf(await api.as('manager'));
    const own = await draftOf(agent);
    expect((await admin.post(`/api/workflows/${own.id}/publish`, { version: 1 })).status).toBe(200);
    await admin.post(`/api/workflows/${own.id}/pause`, {});
    for (const { id } of [other, own]) {
      expect((await agent.put(`/api/workflows/${id}`, { ...file, version: 1 })).status).toBe(403);
      expect((await agent.delete(`/api/workflows/${id}`)).status).toBe(403);
      expect(await (await agent.get(`/api/workflows/${id}`)).json()).toMatchObject({ isOwnDraft: false });
    }
    // Instead of editing what is published, an agent drafts from it.
    const copied = await agent.post(`/api/workflows/${own.id}/duplicate`, {});
    expect(await copied.json()).toMatchObject({ status: 'draft', isOwnDraft: true });
  });

  test.each(['manager', 'admin'] as const)('the role %s edits, publishes and deletes all', async (role) => {
    const who = await api.as(role);
    const { id } = await draftOf(await api.as('agent'));
    expect((await who.put(`/api/workflows/${id}`, { ...file, version: 1 })).status).toBe(200);
    expect((await who.post(`/api/workflows/${id}/publish`, { version: 2 })).status).toBe(200);
    expect((await who.delete(`/api/workflows/${id}`)).status).toBe(200);
  });
});

test('the flow file of the guide can be published', async () => {
  const guide = readFileSync(new URL('../../../../docs/guides/flows.md', import.meta.url), 'utf8');
  const file = JSON.parse(/```json\n([^`]+)```/.exec(guide)?.[1] ?? '');
  const made = await (await admin.post('/api/workflows', file)).json<WorkflowDetails>();
  expect([made.problems, made.flow]).toEqual([[], file]);
});
