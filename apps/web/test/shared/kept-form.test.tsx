import { beforeEach, expect, test } from 'vitest';
import { useState } from 'react';
import { openKeptForm, useKeptForm, useOpenedForm } from '../../src/shared/actions/kept-form.ts';
import { orpc } from '../../src/shared/api.ts';
import { clearOfflineCopies } from '../../src/shared/offline/offline-copy.ts';
import { queryClient } from '../../src/shared/query-client.ts';
import { eventually, find, show, type } from '../screen.tsx';

beforeEach(() => localStorage.clear());

const empty = { name: '', people: [] as string[] };

function Form() {
  const kept = useOpenedForm('campaign', empty);
  const [values, setValues] = useState(kept.found?.values ?? empty);
  useKeptForm(kept, values, values !== empty);
  return (
    <input
      aria-label="Name"
      value={values.name}
      onChange={(event) => setValues({ ...values, name: event.target.value })}
    />
  );
}

test('what is typed is there again, under the same key, until it is saved or given up', async () => {
  show(<Form />);
  type(await find('textbox', 'Name'), 'Spring');
  await eventually(() => expect(openKeptForm('campaign', empty).found?.values.name).toBe('Spring'));
  const again = openKeptForm('campaign', empty);
  expect(openKeptForm('campaign', empty).key).toBe(again.key);
  again.forget();
  const anew = openKeptForm('campaign', empty);
  expect([anew.found, anew.key === again.key]).toEqual([undefined, false]);
});

test('a page that goes keeps what was typed a moment before', async () => {
  show(<Form />);
  type(await find('textbox', 'Name'), 'Summer');
  dispatchEvent(new Event('pagehide'));
  expect(openKeptForm('campaign', empty).found?.values.name).toBe('Summer');
});

test('the version is that of when typing began', () => {
  openKeptForm('template:1', empty, { version: 3 }).keep({ ...empty, name: 'Mine' });
  expect(openKeptForm('template:1', empty, { version: 5 }).version).toBe(3);
});

test('what another version of the product kept, or a damaged one, is no form', () => {
  openKeptForm('campaign', { title: '' }).keep({ title: 'Old' });
  expect(openKeptForm('campaign', empty).found).toBeUndefined();
  for (const key of Object.keys(localStorage)) localStorage.setItem(key, '{"key":');
  expect(openKeptForm('campaign', empty).found).toBeUndefined();
});

test.each([
  ['a key that is none', '{"key":5,"version":null,"found":{"at":1,"values":{"name":"","people":[]}}}'],
  ['a version that is none', '{"key":"k","version":"x","found":{"at":1,"values":{"name":"","people":[]}}}'],
  ['a time that is none', '{"key":"k","version":1,"found":{"at":"never","values":{"name":"","people":[]}}}'],
  ['an object for a list', '{"key":"k","version":1,"found":{"at":1,"values":{"name":"","people":{}}}}'],
  ['nothing for a list', '{"key":"k","version":1,"found":{"at":1,"values":{"name":"","people":null}}}'],
])('%s is no form', (_, stored) => {
  openKeptForm('campaign', empty).keep({ ...empty, name: 'Mine' });
  for (const key of Object.keys(localStorage)) localStorage.setItem(key, stored);
  expect(openKeptForm('campaign', empty).found).toBeUndefined();
});

test('after a sign-out a form that is still open keeps nothing', () => {
  const session = orpc.auth.getSession.queryKey({ input: {} });
  queryClient.setQueryData(session, { user: { id: 'ann' }, workspace: { id: 'acme' } } as never);
  const kept = openKeptForm('campaign', empty);
  kept.keep({ ...empty, name: 'Secret' });
  queryClient.removeQueries({ queryKey: session });
  clearOfflineCopies();
  kept.keep({ ...empty, name: 'Secret' });
  expect(Object.keys(localStorage)).toEqual([]);
});

test('a tab that begins anew is not forgotten by the one before', () => {
  const before = openKeptForm('campaign', empty);
  before.keep({ ...empty, name: 'Before' });
  before.forget();
  openKeptForm('campaign', empty).keep({ ...empty, name: 'After' });
  before.forget();
  expect(openKeptForm('campaign', empty).found?.values.name).toBe('After');
});
