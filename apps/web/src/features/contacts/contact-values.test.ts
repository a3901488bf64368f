import { expect, test } from 'vitest';
import { differingFields, mergeValues, type ContactValues } from './contact-values.ts';

const base: ContactValues = {
  name: 'Ann',
  phone: '+447911000001',
  email: 'ann@example.com',
  tags: ['vip'],
  status: 'active',
};

test('own changes go on top of what somebody else saved, and nothing else of theirs is lost', () => {
  const mine = { ...base, name: 'Anna', tags: ['vip', 'spring'] };
  const theirs = { ...base, email: 'new@example.com', status: 'blocked' as const, name: 'Annie' };
  expect(mergeValues(base, mine, theirs)).toEqual({
    name: 'Anna',
    phone: '+447911000001',
    email: 'new@example.com',
    tags: ['vip', 'spring'],
    status: 'blocked',
  });
});

test('tags differ by their content, not by their list', () => {
  expect(differingFields(base, { ...base, tags: ['vip'] })).toEqual([]);
  expect(differingFields(base, { ...base, tags: [], email: '' })).toEqual(['email', 'tags']);
});
