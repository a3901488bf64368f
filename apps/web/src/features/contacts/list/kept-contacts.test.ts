import { expect, test } from 'vitest';
import { findKeptContacts } from './kept-contacts.ts';

const ann = {
  name: 'Ann Lee',
  phone: '+447700900001',
  email: 'ann@example.com',
  tags: ['vip'],
  status: 'active' as const,
  language: 'de_AT',
  createdAt: '2026-01-02T00:00:00.000Z',
  lastMessageTime: null,
};
const zoe = {
  ...ann,
  name: 'Zoe',
  phone: '+447700900002',
  email: null,
  tags: [],
  status: 'blocked' as const,
  language: null,
  createdAt: '2026-01-01T00:00:00.000Z',
  lastMessageTime: '2026-01-03T00:00:00.000Z',
};

const find = (wanted: object) =>
  findKeptContacts([ann, zoe], { search: '', filter: 'all', sort: 'newest', ...wanted })?.map(
    ({ name }) => name,
  );

test.each([
  [{}, ['Ann Lee', 'Zoe']],
  [{ search: 'LEE' }, ['Ann Lee']],
  [{ search: 'nobody' }, []],
  [{ search: '7700 900-002' }, ['Zoe']],
  [{ search: '07700 900 002' }, ['Zoe']],
  [{ search: 'vip' }, ['Ann Lee']],
  [{ filter: 'blocked' }, ['Zoe']],
  [{ filter: 'language:de' }, ['Ann Lee']],
  [{ filter: 'language:de_CH' }, []],
  [{ filter: 'language:none' }, ['Zoe']],
  [{ filter: 'tag:vip' }, ['Ann Lee']],
  [{ search: 'e', filter: 'blocked' }, ['Zoe']],
  [{ sort: 'oldest' }, ['Zoe', 'Ann Lee']],
  [{ sort: 'name_desc' }, ['Zoe', 'Ann Lee']],
  [{ sort: 'last_message' }, ['Zoe', 'Ann Lee']],
])('%j finds %j on this device', (wanted, names) => {
  expect(find(wanted)).toEqual(names);
});

test('a segment is left to the server', () => {
  expect(find({ filter: 'segment:1' })).toBeUndefined();
});
