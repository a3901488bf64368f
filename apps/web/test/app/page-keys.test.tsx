import type { AnyRouter } from '@tanstack/react-router';
import { defaultRolePermissions, type Permission } from '@app/domain/auth/permissions';
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { navigation } from '../../src/app/features.tsx';
import { followKeys, offeredKeys, offeredLetters, pageLetters } from '../../src/app/palette/page-keys.ts';
import { orpc } from '../../src/shared/api.ts';
import { loadMessages } from '../../src/shared/messages.ts';
import { queryClient } from '../../src/shared/query-client.ts';
import { notifyWithUndo } from '../../src/shared/undo.ts';
import { shownToasts } from '../../src/ui/toast.ts';
import { eventually, pressKey } from '../screen.tsx';

function signIn(permissions: readonly Permission[]): void {
  const key = orpc.auth.getSession.queryKey({ input: {} });
  queryClient.setQueryData(key, { user: { id: 'u' }, workspace: { id: 'w' }, permissions } as never);
}

beforeAll(() => loadMessages('ui', 'common', 'palette'));
const location: { pathname: string; search: object } = { pathname: '', search: {} };
let went: unknown[] = [];
let stop = () => {};
const router = {
  state: { location },
  navigate: async (to: unknown) => went.push(to),
} as unknown as AnyRouter;
beforeEach(() => {
  signIn(defaultRolePermissions.admin);
  went = [];
  Object.assign(location, { pathname: '/dashboard/contacts', search: { filter: 'tag:vip' } });
  stop = followKeys(router);
});
afterEach(() => {
  stop();
  queryClient.clear();
  for (const { id } of shownToasts.read()) shownToasts.dismiss(id);
});

function put(html: string): HTMLElement {
  document.body.innerHTML = html;
  return document.body;
}
const countPresses = (selector: string) => {
  let presses = 0;
  document.querySelector(selector)?.addEventListener('click', (event) => {
    event.preventDefault();
    presses += 1;
  });
  return () => presses;
};

test('each page of the sidebar has a letter of its own, and is listed for whoever may see it', () => {
  expect(Object.keys(pageLetters).toSorted()).toEqual(navigation.map(({ path }) => path).toSorted());
  expect(new Set(Object.values(pageLetters)).size).toBe(navigation.length);
  expect(offeredLetters()).toHaveLength(navigation.length);
});

test('G and a letter go there, C makes a new one and keeps the filters', () => {
  put('');
  for (const key of ['g', 't']) pressKey(key);
  pressKey('c');
  expect(went).toEqual([
    { to: '/dashboard/templates' },
    { to: '/dashboard/contacts', search: { filter: 'tag:vip', dialog: 'new' } },
  ]);
});

test.each([
  ['/dashboard/quick-replies', {}, { dialog: 'new' }],
  ['/dashboard/users', {}, { dialog: 'new' }],
  [
    '/dashboard/users',
    { tab: 'teams', search: 'north' },
    { tab: 'teams', search: 'north', teamDialog: 'new' },
  ],
  ['/dashboard/users', { tab: 'sessions' }, { tab: 'sessions', dialog: 'new' }],
])('C on %s with %o opens its form', (pathname, search, opened) => {
  put('');
  Object.assign(location, { pathname, search });
  pressKey('c');
  expect(went).toEqual([{ to: pathname, search: opened }]);
});

test('who may not create is not offered it, and the key does nothing', () => {
  signIn(defaultRolePermissions.viewer);
  put('');
  pressKey('c');
  expect(went).toEqual([]);
  const at = { pathname: '/dashboard/contacts', search: {} };
  expect(offeredKeys(at).some(([label]) => label === 'palette.newContact')).toBe(false);
});

test('no letter acts in a field, while a dialog is open, or while another form is', () => {
  put('<input />').querySelector('input')?.focus();
  for (const key of ['g', 't', 'c']) pressKey(key);
  put('<div role="dialog"></div>');
  for (const key of ['g', 't', 'c']) pressKey(key);
  put('');
  for (const search of [{ dialog: 'edit' }, { form: 'new' }, { teamDialog: 'view' }]) {
    location.search = search;
    pressKey('c');
  }
  expect(went).toEqual([]);
});

test('Ctrl+Enter presses what the form is for, once, and nothing where several could be meant', () => {
  put('<form><textarea></textarea><button type="submit">Save</button></form>');
  const saves = countPresses('button');
  document.querySelector('textarea')?.focus();
  pressKey('Enter', { ctrlKey: true });
  pressKey('Enter', { ctrlKey: true, repeat: true });
  expect(saves()).toBe(1);
  document.querySelector('button')?.setAttribute('aria-disabled', 'true');
  pressKey('Enter', { metaKey: true });
  expect(saves()).toBe(1);
  put(
    '<form><input /><button data-variant="primary">A</button><button data-variant="primary">B</button></form>',
  );
  const either = countPresses('button');
  document.querySelector('input')?.focus();
  pressKey('Enter', { ctrlKey: true });
  expect(either()).toBe(0);
});

test('Ctrl+Enter where Save cannot be pressed says why, and goes to the first field that is empty', async () => {
  const said = () => shownToasts.read().map(({ title }) => title);
  put(
    '<form><label>Name<input required value="Ana" /></label><label>Phone<input id="phone" aria-required="true" /></label>' +
      '<label>Reason<textarea required></textarea></label><button type="submit" disabled>Save</button></form>',
  );
  document.querySelector('input')?.focus();
  pressKey('Enter', { ctrlKey: true });
  expect(document.activeElement?.id).toBe('phone');
  await eventually(() => expect(said()).toEqual(['Still needed: Phone and Reason']));
  put(
    '<form><input /><p id="why">Nothing was changed.</p><button type="submit" disabled aria-describedby="why">Save</button></form>',
  );
  document.querySelector('input')?.focus();
  pressKey('Enter', { ctrlKey: true });
  await eventually(() => expect(said()).toContain('Nothing was changed.'));
});

test('Ctrl+Enter in a dialog presses its button, never one of the page or of the dialog below', () => {
  put(
    '<form><button type="submit" id="page">Save</button></form>' +
      '<div role="dialog"><button data-variant="primary" id="below">A</button></div>' +
      '<div role="dialog"><button data-variant="primary" id="top">B</button></div>',
  );
  const [page, below, top] = ['#page', '#below', '#top'].map(countPresses);
  pressKey('Enter', { ctrlKey: true });
  expect([page?.(), below?.(), top?.()]).toEqual([0, 0, 1]);
});

test('Ctrl+Z takes the newest back that can be, once, and never in a field', () => {
  const undone: string[] = [];
  for (const name of ['first', 'second']) notifyWithUndo(name, async () => undone.push(name));
  put('<input />').querySelector('input')?.focus();
  pressKey('z', { ctrlKey: true });
  expect(undone).toEqual([]);
  put('');
  for (let press = 0; press < 3; press += 1) pressKey('z', { metaKey: true });
  expect(undone).toEqual(['second', 'first']);
});

test('Ctrl+Z acts over an open dialog too, but not in a field of it', () => {
  const undone: string[] = [];
  notifyWithUndo('Not a duplicate', async () => undone.push('it'));
  put('<div role="dialog"><input /><button>Close</button></div>').querySelector('input')?.focus();
  pressKey('z', { ctrlKey: true });
  expect(undone).toEqual([]);
  document.querySelector('button')?.focus();
  pressKey('z', { ctrlKey: true });
  expect(undone).toEqual(['it']);
});

test('keys that came before their file count in their order', () => {
  stop();
  stop = followKeys(router, [
    new KeyboardEvent('keydown', { key: 'g' }),
    new KeyboardEvent('keydown', { key: 'm' }),
  ]);
  expect(went).toEqual([{ to: '/dashboard/campaigns' }]);
});
