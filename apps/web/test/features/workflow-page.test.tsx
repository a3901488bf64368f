import { emptyFlow, type FlowFile } from '@app/domain/flows/flow-file';
import { QueryClientProvider } from '@tanstack/react-query';
import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  RouterProvider,
} from '@tanstack/react-router';
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { WorkflowPage } from '../../src/features/automation/workflow-page.tsx';
import type { WorkflowDetails } from '../../src/features/automation/workflows-queries.ts';
import { orpc } from '../../src/shared/api.ts';
import { loadMessages } from '../../src/shared/messages.ts';
import { returnWriting } from '../../src/shared/offline/interrupted-writing.ts';
import { queryClient } from '../../src/shared/query-client.ts';
import { clearSession } from '../../src/shared/sign-in/saved-session.ts';
import { ConfirmProvider } from '../../src/ui/overlays/confirm.tsx';
import { eventually, find, findAll, press, show, shownText, type } from '../screen.tsx';

beforeAll(async () => {
  await Promise.all([
    loadMessages('automation'),
    loadMessages('canvas'),
    loadMessages('contacts'),
    loadMessages('deliveries'),
  ]);
});

const ID = '0197aaaa-0000-7000-8000-000000000001';
const FIELD = '0197aaaa-0000-7000-8000-00000000000b';
const TEAM = '0197aaaa-0000-7000-8000-00000000000a';
const flow: FlowFile = {
  ...emptyFlow('workflow', 'Welcome'),
  triggers: [{ id: 'tagged', type: 'tag_added', config: { tags: ['vip'] }, conditions: null }],
  start: 'note',
  steps: [{ id: 'note', type: 'add_tag', config: { tag: 'greeted' }, delay: null, next: {} }],
};
const workflow: WorkflowDetails = {
  ...{
    id: ID,
    name: 'Welcome',
    description: '',
    status: 'draft',
    triggers: ['tag_added'],
    steps: ['add_tag'],
  },
  stats: { triggered: 0, completed: 0, failed: 0, cancelled: 0, running: 0 },
  ...{ createdAt: '2026-11-27T08:00:00.000Z', updatedAt: '2026-11-27T08:00:00.000Z', lastTriggered: null },
  ...{ publishedVersion: null, publishedAt: null, hasChanges: true, pausedFor: null, version: 3 },
  isOwnDraft: false,
  ...{ flow: flow as WorkflowDetails['flow'], problems: [] },
};

type Saved = { version: number } & FlowFile;
/** What the server has, and what it was given. */
let stored: WorkflowDetails;
let saved: Saved[];
let refusal: string | null;
beforeEach(() => {
  localStorage.clear();
  sessionStorage.clear();
  [stored, saved, refusal] = [workflow, [], null];
});
afterEach(() => {
  vi.unstubAllGlobals();
  queryClient.clear();
});

function open(permissions: string[]) {
  vi.stubGlobal('fetch', async (request: Request) => {
    const name = new URL(request.url).pathname.split('/').slice(-2).join('.');
    if (name === 'workflows.get') return Response.json({ json: stored });
    if (name === 'workflows.getVersion') return Response.json({ json: { number: 2, flow } });
    if (name === 'customFields.list')
      return Response.json({
        json: { items: [{ id: FIELD, key: 'born', label: 'Birthday', type: 'date' }] },
      });
    if (name === 'conversations.listAssignees')
      return Response.json({ json: { people: [], teams: [{ id: TEAM, name: 'Sales', memberIds: [] }] } });
    if (name !== 'workflows.save') return Response.json({ json: { items: [], nextCursor: null } });
    const { json } = (await request.json()) as { json: Saved };
    saved.push(json);
    if (refusal !== null)
      return Response.json(
        { error: { code: refusal, message: '', details: {} } },
        { status: refusal === 'signed_out' ? 401 : 409 },
      );
    const { version, ...file } = json;
    stored = { ...stored, version: version + 1, flow: file as WorkflowDetails['flow'] };
    return Response.json({ json: stored });
  });
  queryClient.setQueryData(orpc.auth.getSession.queryKey({ input: {} }), {
    ...{ user: { id: 'ann' }, workspace: { id: 'acme' }, permissions },
  } as never);
  const root = createRootRoute();
  const page = createRoute({
    getParentRoute: () => root,
    path: '/dashboard/automation/$workflowId',
    component: WorkflowPage,
  });
  const history = createMemoryHistory({ initialEntries: [`/dashboard/automation/${ID}`] });
  const router = createRouter({ routeTree: root.addChildren([page]), history });
  return show(
    <QueryClientProvider client={queryClient}>
      <ConfirmProvider>
        <RouterProvider router={router as never} />
      </ConfirmProvider>
    </QueryClientProvider>,
  );
}

const editor = ['campaigns:read', 'campaigns:update', 'contacts:read', 'messages:update'];

test('what is edited is saved by itself on the version that was seen, and undone step by step', async () => {
  open(editor);
  press(await find('button', /1\. Add tag/));
  press(await find('button', 'Remove step'));
  await eventually(() => expect(shownText()).toContain('No steps yet'));
  await eventually(() => expect(saved).toHaveLength(1));
  expect(saved[0]).toMatchObject({ version: 3, steps: [], start: null });
  await eventually(() => expect(shownText()).toContain('Draft saved'));
  press(await find('button', 'Undo'));
  await find('button', /1\. Add tag/);
  await eventually(() => expect(saved).toHaveLength(2));
  expect(saved[1]).toMatchObject({ version: 4, start: 'note', steps: flow.steps });
});

describe('what is edited when the session ends', () => {
  const call: FlowFile = {
    ...flow,
    start: 'call',
    steps: [
      {
        ...{ id: 'call', type: 'webhook_call', delay: null, next: {} },
        config: { url: 'https://example.com', headers: [{ name: 'X-Token', value: 'Bearer s3cret' }] },
      },
    ],
  };

  async function loseSession() {
    refusal = 'signed_out';
    const draw = open(editor);
    press(await find('tab', 'Settings'));
    type(await find('textbox', /^Name/), 'Written to the end');
    await eventually(() => expect(saved).toHaveLength(1));
    // The last letters came after the request: no save and no timer has seen them.
    clearSession('ann');
    expect(Object.keys(localStorage)).toEqual([]);
    draw(null);
    queryClient.clear();
    [saved, refusal] = [[], null];
  }

  test('is saved when the same person is back in this tab', async () => {
    await loseSession();
    returnWriting('ann');
    open(editor);
    await eventually(() => expect(saved).toHaveLength(1));
    expect(saved[0]).toMatchObject({ version: 3, name: 'Written to the end' });
    await eventually(() => expect(shownText()).toContain('Draft saved'));
    await eventually(() => expect(Object.keys(localStorage)).toEqual([]));
    press(await find('button', 'Undo'));
    await eventually(() => expect(saved.at(-1)).toMatchObject({ version: 4, name: 'Welcome' }));
  });

  test('is not saved over what somebody else saved meanwhile', async () => {
    await loseSession();
    stored = { ...workflow, version: 9 };
    refusal = 'workflow_changed';
    returnWriting('ann');
    open(editor);
    await eventually(() => expect(shownText()).toContain('Someone else changed this workflow'));
    expect(saved).toMatchObject([{ version: 3, name: 'Written to the end' }]);
  });

  test('is saved no second time when only the answer was lost', async () => {
    await loseSession();
    stored = { ...workflow, version: 4, flow: { ...workflow.flow, name: 'Written to the end' } };
    returnWriting('ann');
    open(editor);
    await eventually(() => expect(shownText()).toContain('Draft saved'));
    await eventually(() => expect(Object.keys(localStorage)).toEqual([]));
    expect(saved).toEqual([]);
  });

  test('holds no secret', async () => {
    stored = { ...workflow, flow: call as WorkflowDetails['flow'] };
    await loseSession();
    const kept = sessionStorage.getItem('interrupted-writing');
    expect(kept).toContain('Written to the end');
    expect(kept).not.toContain('s3cret');
  });
});

test('a step that was just added keeps the field that is typed into while the draft is saved', async () => {
  open(editor);
  press(await find('button', 'Add step'));
  press(await find('option', 'Remove tag'));
  const field = await find('combobox', 'Tag');
  type(field, 'pend');
  await eventually(() => expect(saved).toHaveLength(1));
  await eventually(() => expect(shownText()).toContain('Draft saved'));
  expect(field.isConnected).toBe(true);
  expect(field).toHaveProperty('value', 'pend');
});

test('a step that is pressed again while the list fades away is added once', async () => {
  const fading = { finished: new Promise<never>(() => {}), pending: false, playState: 'running' };
  vi.spyOn(Element.prototype, 'getAnimations').mockReturnValue([fading as unknown as Animation]);
  open(editor);
  press(await find('button', 'Add step'));
  const option = await find('option', 'Remove tag');
  press(option);
  await find('button', /^2\. Remove tag/);
  expect(option.isConnected).toBe(true);
  press(option);
  await eventually(() => expect(shownText()).toContain('Draft saved'));
  expect(saved.at(-1)?.steps.map((step) => step.type)).toEqual(['add_tag', 'remove_tag']);
  vi.restoreAllMocks();
});

test('a step that assigns the conversation says to whom', async () => {
  const steps = [
    { id: 'a', type: 'assign_conversation', config: { to: 'team', team: TEAM }, next: { done: 'b' } },
    { id: 'b', type: 'assign_conversation', config: { to: 'nobody' }, next: {} },
  ];
  stored = {
    ...workflow,
    flow: {
      ...flow,
      start: 'a',
      steps: steps.map((one) => ({ ...one, delay: null })),
    } as WorkflowDetails['flow'],
  };
  open(editor);
  await eventually(async () =>
    expect((await find('button', /^1\. /)).textContent).toMatch(/Assign conversation.*Sales/),
  );
  expect((await find('button', /^2\. /)).textContent).toMatch(/Assign conversation.*Nobody/);
});

test('a trigger says on which date it starts, and shows the choices that its file leaves out', async () => {
  const triggers = [
    { id: 'a', type: 'time_based', config: { mode: 'date_field', field: FIELD, time: '09:00' } },
    { id: 'b', type: 'time_based', config: { mode: 'at', at: '2026-12-24T09:00' } },
  ].map((one) => ({ ...one, conditions: null }));
  stored = { ...workflow, flow: { ...flow, triggers } as WorkflowDetails['flow'] };
  open(editor);
  await eventually(async () =>
    expect((await find('button', /^Time based.*Birthday/)).textContent).toContain('09:00'),
  );
  press(await find('button', /^Time based.*2026-12-24/));
  expect((await find('combobox', 'Runs')).textContent).toContain('One for each contact');
});

test('the steps to add are found by a word inside their name', async () => {
  open(editor);
  press(await find('button', 'Add step'));
  type(await find('combobox', 'Search steps'), 'tag');
  await eventually(() =>
    expect(findAll('option').map(({ textContent }) => textContent)).toEqual(['Add tag', 'Remove tag']),
  );
});

test('nothing is saved over what somebody else saved until a person decides', async () => {
  open(editor);
  refusal = 'workflow_changed';
  press(await find('tab', 'Settings'));
  type(await find('textbox', /^Name/), 'Mine');
  await eventually(() => expect(shownText()).toContain('Someone else changed this workflow'));
  type(await find('textbox', /^Name/), 'Still mine');
  expect(saved).toHaveLength(1);
  refusal = null;
  stored = { ...workflow, version: 9 };
  press(await find('button', 'Keep my changes'));
  await eventually(() => expect(saved).toHaveLength(2));
  expect(saved[1]).toMatchObject({ version: 9, name: 'Still mine' });
});

test('the draft goes back to the published version by one press, and undo brings the changes back', async () => {
  const changed = { ...flow, name: 'Changed' } as WorkflowDetails['flow'];
  stored = { ...workflow, flow: changed, name: 'Changed', status: 'active', publishedVersion: 2 };
  open(editor);
  press(await find('button', 'Back to the published version'));
  await eventually(() => expect(saved).toHaveLength(1));
  expect(saved[0]).toMatchObject({ version: 3, name: 'Welcome' });
  press(await find('button', 'Undo'));
  await eventually(() => expect(saved.at(-1)).toMatchObject({ name: 'Changed' }));
});

test('who may create edits and deletes an own draft, and is told that others publish it', async () => {
  stored = { ...workflow, isOwnDraft: true };
  open(['campaigns:read', 'campaigns:create']);
  press(await find('button', /1\. Add tag/));
  press(await find('button', 'Remove step'));
  await eventually(() => expect(saved).toHaveLength(1));
  expect(shownText()).toContain('Your role does not allow publishing it.');
  expect(findAll('button', 'Publish')).toEqual([]);
  press(await find('button', 'Actions of Welcome'));
  await find('menuitem', 'Delete');
});

test('a user who may only create workflows cannot change the draft of another user', async () => {
  open(['campaigns:read', 'campaigns:create']);
  await find('button', /1\. Add tag/);
  expect(shownText()).toContain('Your role does not allow changing or publishing it.');
  press(await find('button', 'Actions of Welcome'));
  await find('menuitem', 'Duplicate');
  expect(findAll('menuitem', 'Delete')).toEqual([]);
});

test('who may only read sees the fields, and can change none', async () => {
  open(['campaigns:read']);
  press(await find('button', /1\. Add tag/));
  await eventually(() => expect(document.querySelector('fieldset')?.disabled).toBe(true));
  expect(findAll('button', 'Publish')).toEqual([]);
  expect(findAll('button', 'Remove step')).toEqual([]);
  expect(findAll('tab', 'Run log')).toEqual([]);
});
