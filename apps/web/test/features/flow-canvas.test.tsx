import { emptyFlow, type FlowFile } from '@app/domain/flows/flow-file';
import { QueryClientProvider } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { afterEach, beforeAll, expect, test, vi } from 'vitest';
import { FlowCanvas } from '../../src/features/automation/canvas/flow-canvas.tsx';
import { loadMessages } from '../../src/shared/messages.ts';
import { queryClient } from '../../src/shared/query-client.ts';
import { eventually, find, press, show, type } from '../screen.tsx';

beforeAll(async () => {
  await Promise.all([loadMessages('automation'), loadMessages('canvas'), loadMessages('contacts')]);
});
afterEach(() => {
  vi.unstubAllGlobals();
  queryClient.clear();
  changes = [];
});

const begun: FlowFile = {
  ...emptyFlow('workflow', 'Welcome'),
  triggers: [{ id: 'tagged', type: 'tag_added', config: { tags: ['vip'] }, conditions: null }],
  start: 'wait',
  steps: [
    {
      id: 'wait',
      type: 'wait_for_reply',
      config: { timeout: { amount: 1, unit: 'days' } },
      delay: null,
      next: { replied: 'tag' },
    },
    { id: 'tag', type: 'add_tag', config: { tag: 'greeted' }, delay: null, next: {} },
  ],
};

/** What the draft is after each change. */
let changes: FlowFile[] = [];
const draft = () => changes.at(-1) ?? begun;
/** As undo does, or an edit of another user. */
let setDraft: (next: FlowFile) => void = () => {};

function Edited({ isReadOnly }: { isReadOnly: boolean }) {
  const [now, setNow] = useState(begun);
  useEffect(() => {
    setDraft = setNow;
  }, []);
  return (
    <FlowCanvas
      workflowId="0197aaaa-0000-7000-8000-000000000001"
      flow={now}
      problems={[{ code: 'field_missing', place: 'step', id: 'tag', field: 'tag', value: null }]}
      isReadOnly={isReadOnly}
      onChange={(next) => {
        changes.push(next);
        setNow(next);
      }}
      figures={new Map([['wait', { reached: 12, waiting: 3, failed: 1 }]])}
    />
  );
}

function open(isReadOnly = false) {
  vi.stubGlobal('fetch', async () => Response.json({ json: { items: [], nextCursor: null } }));
  show(
    <QueryClientProvider client={queryClient}>
      <Edited isReadOnly={isReadOnly} />
    </QueryClientProvider>,
  );
}

const key = (name: string, extra: KeyboardEventInit = {}) =>
  document.activeElement!.dispatchEvent(
    new KeyboardEvent('keydown', { key: name, bubbles: true, cancelable: true, ...extra }),
  );
const focused = () => document.activeElement?.id;
const item = (id: string) => document.getElementById(`canvas-item-${id}`)!;

/** As the Tab key does. */
async function focusOn(id: string): Promise<void> {
  item(id).focus();
  await eventually(() => expect(item(id).tabIndex).toBe(0));
}

test('arrow keys go along the ways, and one item alone is reached by Tab', async () => {
  open();
  await eventually(() => expect(item('tag')).not.toBeNull());
  await focusOn('start.');
  key('ArrowDown');
  await eventually(() => expect(focused()).toBe('canvas-item-wait'));
  key('ArrowDown');
  await eventually(() => expect(focused()).toBe('canvas-item-tag'));
  expect(document.querySelectorAll('.react-flow [tabindex="0"]')).toHaveLength(1);
  expect(item('tag').textContent).toContain('Needs attention');
  expect(document.body.textContent).toContain('12 reached · 3 here · 1 failed');
});

test('a step is added, connected and removed by keys, and the focus stays on the canvas', async () => {
  open();
  await eventually(() => expect(item('tag')).not.toBeNull());
  await focusOn('tag');
  key('ArrowUp');
  await eventually(() => expect(focused()).toBe('canvas-item-wait'));
  key('ArrowDown');
  await eventually(() => expect(focused()).toBe('canvas-item-tag'));
  key('a');
  type((await find('searchbox', 'Search steps')) as HTMLInputElement, 'note');
  press(await find('button', 'Add note'));
  await eventually(() => expect(focused()).toBe('canvas-item-add_note'));
  expect(draft().steps.find(({ id }) => id === 'tag')?.next).toEqual({ done: 'add_note' });

  key('t');
  await eventually(() => expect(document.body.textContent).toContain('Choose the step that follows'));
  await focusOn('wait');
  item('wait').click();
  await eventually(() =>
    expect(draft().steps.find(({ id }) => id === 'add_note')?.next['done']).toBe('wait'),
  );

  await focusOn('add_note');
  item('add_note').click();
  key('Delete');
  await eventually(() => expect(draft().steps.map(({ id }) => id)).toEqual(['wait', 'tag']));
  await eventually(() => expect(focused()).toBe('canvas-item-tag'));
});

test('a step that goes away with the focus, as by undo, gives it back at once', async () => {
  open();
  await eventually(() => expect(item('tag')).not.toBeNull());
  await focusOn('tag');
  const whenGone = new Promise((resolve) => {
    new MutationObserver((_, observer) => {
      if (item('tag')) return;
      observer.disconnect();
      // After what was to be done at once.
      queueMicrotask(() => resolve(focused()));
    }).observe(document.body, { childList: true, subtree: true });
  });
  setDraft({ ...begun, steps: [{ ...begun.steps[0]!, next: {} }] });
  expect(await whenGone).toBe('canvas-item-start.');
});

test('steps are copied and pasted as a text', async () => {
  open();
  await eventually(() => expect(item('tag')).not.toBeNull());
  await focusOn('tag');
  item('tag').click();
  key('a', { ctrlKey: true });
  const clipboard = new Map<string, string>();
  const send = (name: 'copy' | 'paste') => {
    const event = new Event(name, { bubbles: true, cancelable: true });
    const clipboardData = {
      setData: (kind: string, text: string) => clipboard.set(kind, text),
      getData: (kind: string) => clipboard.get(kind) ?? '',
    };
    document.activeElement!.dispatchEvent(Object.assign(event, { clipboardData }));
  };
  await eventually(() => {
    send('copy');
    expect(JSON.parse(clipboard.get('text/plain') ?? '{}').steps).toHaveLength(2);
  });
  send('paste');
  await eventually(() => expect(draft().steps).toHaveLength(4));
  expect(draft().steps.find(({ id }) => id === 'tag')?.next['done']).toBe('wait_for_reply');
});

test('who may only look changes nothing', async () => {
  open(true);
  await eventually(() => expect(item('tag')).not.toBeNull());
  await focusOn('tag');
  for (const name of ['Delete', 'a', 't']) key(name);
  expect(changes).toEqual([]);
  expect(document.querySelector('[type="search"]')).toBeNull();
});
