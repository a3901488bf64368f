import { beforeEach, expect, test, vi } from 'vitest';
import { readOfflineCopies, saveOfflineCopy } from '../../src/shared/offline/offline-copy.ts';

/** A document of a tab: what was in the memory of the one before is gone. */
async function openDocument(address: string) {
  history.replaceState(null, '', address);
  vi.resetModules();
  return import('../../src/shared/workspaces/tab-workspace.ts');
}

beforeEach(() => {
  localStorage.clear();
  sessionStorage.clear();
});

const acme = { userId: 'ann', workspaceId: 'acme' };
const other = { userId: 'ann', workspaceId: 'other' };

test('a first tab names nothing until the server has said where it is, and stays there after a reload', async () => {
  const first = await openDocument('/dashboard');
  expect(first.workspaceHeader()).toEqual({});
  expect(first.inWorkspace('/api/events?age=1')).toBe('/api/events?age=1');
  first.noteArrival(acme);
  expect(first.workspaceHeader()).toEqual({ 'x-workspace': 'acme' });
  expect(first.inWorkspace('/api/events?age=1')).toBe('/api/events?age=1&workspace=acme');
  expect(first.inWorkspace('/api/avatars/1')).toBe('/api/avatars/1?workspace=acme');
  expect(first.inWorkspace('data:image/png')).toBe('data:image/png');
  expect((await openDocument('/dashboard')).placeHere()).toEqual(acme);
});

test('a link leads into another one, leaves the address, and outlives a reload before any answer', async () => {
  (await openDocument('/dashboard')).noteArrival(acme);
  const there = await openDocument('/dashboard/inbox?tab=all&workspace=other#last');
  expect(location.href).toMatch(/\/dashboard\/inbox\?tab=all#last$/);
  expect(there.workspaceHere()).toBe('other');
  expect(there.placeHere()).toBeUndefined();
  expect((await openDocument('/dashboard')).workspaceHere()).toBe('other');
});

test('a new tab begins where the last one was, and another one stays where it is', async () => {
  (await openDocument('/dashboard')).noteArrival(acme);
  sessionStorage.clear();
  const second = await openDocument('/dashboard?workspace=other');
  second.noteArrival(other);
  expect(second.placeHere()).toEqual(other);
  sessionStorage.clear();
  expect((await openDocument('/dashboard')).placeHere()).toEqual(other);
  sessionStorage.setItem('workspace', 'acme:ann');
  expect((await openDocument('/dashboard')).placeHere()).toEqual(acme);
});

test('a sign-in keeps the place of the same person, and takes that of another one', async () => {
  (await openDocument('/dashboard')).noteArrival(other);
  const signIn = await openDocument('/login');
  signIn.noteArrival(acme);
  expect(signIn.placeHere()).toEqual(other);
  signIn.noteArrival({ ...acme, userId: 'bob' });
  expect(signIn.placeHere()).toEqual({ userId: 'bob', workspaceId: 'acme' });
  signIn.clearPlace();
  expect((await openDocument('/dashboard')).workspaceHere()).toBeUndefined();
});

test('what a removed member had of one workspace goes, and nothing of another', async () => {
  const { clearWorkspaceCopies } = await import('../../src/shared/offline/offline-copy.ts');
  for (const record of ['data', 'activities', 'session'] as const)
    for (const workspace of ['acme', 'other']) saveOfflineCopy(record, [workspace], `${workspace}:ann`);
  clearWorkspaceCopies('acme');
  for (const record of ['data', 'activities', 'session'] as const)
    expect(readOfflineCopies(record)).toEqual([['other']]);
});
