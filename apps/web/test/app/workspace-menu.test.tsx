import { QueryClientProvider } from '@tanstack/react-query';
import { afterEach, beforeAll, expect, test, vi } from 'vitest';
import { CreateWorkspaceDialog } from '../../src/app/workspaces/create-workspace-dialog.tsx';
import { LostWorkspace } from '../../src/app/workspaces/lost-workspace.tsx';
import { WorkspaceMenu } from '../../src/app/workspaces/workspace-menu.tsx';
import { loadMessages } from '../../src/shared/messages.ts';
import { queryClient } from '../../src/shared/query-client.ts';
import { clearPlace, noteArrival } from '../../src/shared/workspaces/tab-workspace.ts';
import { eventually, find, findAll, press, pressKey, show, shownText, type } from '../screen.tsx';

beforeAll(() => loadMessages('workspaces'));
afterEach(() => {
  vi.unstubAllGlobals();
  queryClient.clear();
  clearPlace();
});

const named = (...names: string[]) =>
  names.map((name) => ({ workspaceId: name.toLowerCase(), name, role: 'admin' }));

/** A server that knows these workspaces; the answer is what it was asked for, with the workspace that was named. */
function serve(workspaces: ReturnType<typeof named>, { mayCreate = true, refuses = '' } = {}) {
  const asked: string[] = [];
  vi.stubGlobal('fetch', async (request: Request) => {
    const act = new URL(request.url).pathname.split('/').at(-1) ?? '';
    asked.push(
      `${act} ${request.headers.get('x-workspace') ?? ''} ${request.headers.get('idempotency-key') ?? ''}`,
    );
    if (act === 'list') return Response.json({ json: { workspaces, mayCreate } });
    if (refuses) return Response.json({ error: { code: refuses } }, { status: 403 });
    return new Promise(() => undefined);
  });
  return asked;
}

function open(onClose = () => undefined as void, onCreate = () => undefined as void) {
  noteArrival({ userId: 'ann', workspaceId: 'acme' });
  show(
    <QueryClientProvider client={queryClient}>
      <WorkspaceMenu
        trigger={<button type="button">Acme</button>}
        isOpen
        onPlaced={() => undefined}
        onOpenChange={(isOpen) => isOpen || onClose()}
        onCreate={onCreate}
      />
    </QueryClientProvider>,
  );
}

const focused = () => (document.activeElement as HTMLElement).dataset['entry'];

test('arrows, letters, Home and End go through the workspaces, and each link names its own', async () => {
  const asked = serve(named('Acme', 'Bakery', 'Beach'));
  open();
  const bakery = await find('link', /Bakery/);
  expect(bakery.getAttribute('href')).toBe('/dashboard?workspace=bakery');
  expect(asked[0]).toContain('list acme');
  await eventually(() => expect(focused()).toBe('Acme'));
  expect((await find('link', /Acme/)).getAttribute('aria-current')).toBe('true');
  pressKey('ArrowDown');
  expect(focused()).toBe('Bakery');
  pressKey('End');
  expect(focused()).toBe('');
  pressKey('ArrowDown');
  expect(focused()).toBe('Acme');
  for (const letter of 'bea') pressKey(letter);
  expect(focused()).toBe('Beach');
  expect(findAll('searchbox')).toHaveLength(0);
});

test('the one of this tab and Escape close it, and nobody is offered what they may not do', async () => {
  serve(named('Acme', 'Bakery'), { mayCreate: false });
  const closed = vi.fn<() => void>();
  open(closed);
  press(await find('link', /Acme/));
  expect(closed).toHaveBeenCalledOnce();
  expect(findAll('button', /Create/)).toHaveLength(0);
  pressKey('Escape');
  await eventually(() => expect(closed).toHaveBeenCalledTimes(2));
});

test('of more than seven a few letters find one', async () => {
  serve(named('Acme', ...'ABCDEFG'.split('').map((letter) => `Shop ${letter}`)));
  open();
  const field = await find('searchbox', 'Find a workspace');
  await eventually(() => expect(document.activeElement).toBe(field));
  type(field, 'p g');
  await eventually(() => expect(findAll('link')).toHaveLength(1));
  pressKey('ArrowDown');
  expect(focused()).toBe('Shop G');
  type(field, 'nothing');
  await eventually(() => expect(shownText()).toContain('No workspace has this name.'));
});

test('one is created once, however often it is pressed', async () => {
  const asked = serve([]);
  show(
    <QueryClientProvider client={queryClient}>
      <CreateWorkspaceDialog onClose={() => undefined} />
    </QueryClientProvider>,
  );
  const button = (await find('button', 'Create')) as HTMLButtonElement; // the role says so
  const name = await find('textbox', /Name of the business/);
  type(name, '   ');
  expect(button.disabled).toBe(true);
  type(name, 'Bakery');
  await eventually(() => expect(button.disabled).toBe(false));
  press(button);
  press(button, { detail: 2 });
  await eventually(() => expect(asked).toHaveLength(1));
  press(button);
  expect(asked).toHaveLength(1);
  expect(asked[0]).toMatch(/^create {2}\S{20,}/);
});

const pressCreate = async () => {
  const button = (await find('button', 'Create')) as HTMLButtonElement; // the role says so
  await eventually(() => expect(button.disabled).toBe(false));
  press(button);
};

test('a refusal says why, and the same key is tried again', async () => {
  const asked = serve([], { refuses: 'workspaces_by_admins' });
  show(
    <QueryClientProvider client={queryClient}>
      <CreateWorkspaceDialog onClose={() => undefined} />
    </QueryClientProvider>,
  );
  type(await find('textbox', /Name of the business/), 'Florist');
  await pressCreate();
  await eventually(() => expect(shownText()).toContain('Only admins of a workspace can create another one.'));
  type(await find('textbox', /Name of the business/), 'Florist');
  await pressCreate();
  await eventually(() => expect(asked).toHaveLength(2));
  expect(asked[0]).toBe(asked[1]);
});

test('whoever was removed is told of which, and led to their others', async () => {
  serve(named('Bakery'));
  show(
    <QueryClientProvider client={queryClient}>
      <LostWorkspace lost={{ name: 'Acme' }} />
    </QueryClientProvider>,
  );
  await find('heading', 'You are no longer a member of Acme');
  expect((await find('link', /Bakery/)).getAttribute('href')).toBe('/dashboard?workspace=bakery');
  await find('button', 'Sign Out');
});
