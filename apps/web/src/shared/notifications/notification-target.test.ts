import { expect, test } from 'vitest';
import { paths } from '../paths.ts';
import { targetOf } from './notification-target.ts';

const told = { subject: null, values: {} };
const everything = () => true;

test('what was told leads to where it is looked at', () => {
  expect(targetOf({ ...told, kind: 'approval_asked' }, everything)).toEqual({
    ...{ to: paths.users, search: { status: 'waiting' } },
  });
  expect(targetOf({ ...told, kind: 'campaign_paused', subject: 'a' }, everything)).toEqual({
    to: paths.campaign('a'),
  });
  const done = { ...told, kind: 'long_act_done' } as const;
  expect(targetOf({ ...done, values: { act: 'contact_import' } }, everything)).toEqual({
    to: paths.contacts,
  });
  expect(targetOf({ ...done, values: { act: 'data_import' } }, everything)).toEqual({
    ...{ to: paths.settings, search: { tab: 'data' } },
  });
  expect(targetOf({ ...done, values: { act: 'contact_export' } }, everything)).toBeUndefined();
});

test('nobody is led to a page that is closed to them', () => {
  expect(targetOf({ ...told, kind: 'team_joined' }, everything)?.to).toBe(paths.users);
  expect(
    targetOf({ ...told, kind: 'team_joined' }, (permission) => permission !== 'users:read'),
  ).toBeUndefined();
});
