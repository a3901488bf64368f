import { expect, test } from 'vitest';
import { decideCompanyRole, findCompanyRole, findCompanyTeams, readClaim } from './company-rules.ts';

const rules = {
  claim: 'groups',
  roles: { admin: ['it'], agent: ['support', 'sales'], viewer: ['*'] },
  teams: { Support: ['support'], Everybody: ['*'] },
};

test.each([
  [['it', 'support'], 'admin'],
  [['sales'], 'agent'],
  [['canteen'], 'viewer'],
  [[], 'viewer'],
  // A value counts as it is written.
  [['IT'], 'viewer'],
])('%j is the role %s', (values, role) => {
  expect(findCompanyRole(rules, values)).toBe(role);
});

test('values that no rule names give no role and no team', () => {
  const strict = { claim: 'groups', roles: { manager: ['leads'] }, teams: { Leads: ['leads'] } };
  expect(findCompanyRole(strict, ['staff'])).toBeNull();
  expect(findCompanyTeams(strict, ['staff'])).toEqual([]);
  expect(findCompanyTeams(rules, ['support'])).toEqual(['Support', 'Everybody']);
});

test.each([
  [{ current: 'viewer', mapped: 'admin', mappedBefore: null }, 'admin'],
  [{ current: 'admin', mapped: 'agent', mappedBefore: 'admin' }, 'agent'],
  // What people gave here stays; what the rules gave ends with them.
  [{ current: 'manager', mapped: null, mappedBefore: null }, 'manager'],
  [{ current: 'manager', mapped: null, mappedBefore: 'manager' }, 'viewer'],
] as const)('%j becomes %s', (role, next) => {
  expect(decideCompanyRole(role)).toBe(next);
});

test.each([
  [{ groups: ['a', 'b'] }, 'groups', ['a', 'b']],
  [{ groups: 'a' }, 'groups', ['a']],
  [{ realm_access: { roles: ['a', 7, null] } }, 'realm_access.roles', ['a']],
  [{ 'https://acme.test/roles': ['a'] }, 'https://acme.test/roles', ['a']],
  [{ groups: { a: true } }, 'groups', []],
  [{}, 'constructor.name', []],
])('of %j the claim %s holds %j', (claims, name, values) => {
  expect(readClaim(claims, name)).toEqual(values);
});
