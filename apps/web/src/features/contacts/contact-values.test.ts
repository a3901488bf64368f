import { expect, test } from 'vitest';
import { changesOf, differingFields, mergeValues, toValues, type ContactValues } from './contact-values.ts';

const base: ContactValues = {
  name: 'Ann',
  phone: '+447911000001',
  email: 'ann@example.com',
  language: 'de',
  tags: ['vip'],
  status: 'active',
  custom: { city: 'Leeds', size: '40' },
};

test('own changes go on top of what somebody else saved, and nothing else of theirs is lost', () => {
  const mine = { ...base, name: 'Anna', tags: ['vip', 'spring'], custom: { city: 'York', size: '40' } };
  const theirs = {
    ...base,
    email: 'new@example.com',
    status: 'blocked' as const,
    name: 'Annie',
    custom: { city: 'Hull', size: '41' },
  };
  expect(mergeValues(base, mine, theirs)).toEqual({
    name: 'Anna',
    phone: '+447911000001',
    email: 'new@example.com',
    language: 'de',
    tags: ['vip', 'spring'],
    status: 'blocked',
    custom: { city: 'York', size: '41' },
  });
});

test('what is sent of the custom fields is what differs', () => {
  const contact = {
    ...base,
    id: 'c1',
    lastMessage: null,
    lastMessageTime: null,
    optedOutAt: null,
    customFields: { size: 40.5, member: false },
    createdAt: '',
    updatedAt: '',
    version: 1,
  };
  const fields = [{ key: 'size' }, { key: 'member' }, { key: 'city' }];
  const values = toValues(contact, fields);
  expect(values.custom).toEqual({ size: '40.5', member: 'no', city: '' });
  expect(changesOf(values, contact)).toEqual({});
  const changed = { ...values, custom: { size: ' 40.5 ', member: '', city: 'Leeds' } };
  expect(changesOf(changed, contact)).toEqual({ customFields: { member: '', city: 'Leeds' } });
});

test('tags differ by their content, not by their list', () => {
  expect(differingFields(base, { ...base, tags: ['vip'] })).toEqual([]);
  expect(differingFields(base, { ...base, tags: [], email: '' })).toEqual(['email', 'tags']);
});
