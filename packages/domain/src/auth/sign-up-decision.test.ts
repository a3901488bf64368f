import { expect, test } from 'vitest';
import type { Role } from './permissions.ts';
import { decideCompanySignUp, decideSignUp, type SignUpPlace } from './sign-up-decision.ts';

const waits = (requestedRole: Role) => ({ role: 'viewer', isActive: false, requestedRole });
const gets = (role: Role) => ({ role, isActive: true, requestedRole: null });

test.each<[SignUpPlace, Role, object]>([
  ['empty', 'agent', gets('admin')],
  ['empty', 'admin', gets('admin')],
  ['sample', 'agent', gets('agent')],
  ['sample', 'viewer', gets('viewer')],
  ['sample', 'manager', waits('manager')],
  ['sample', 'admin', waits('admin')],
  ['workspace', 'viewer', waits('viewer')],
  ['workspace', 'agent', waits('agent')],
  ['workspace', 'admin', waits('admin')],
])('signing up to %s as %s', (place, wanted, decision) => {
  expect(decideSignUp(place, wanted)).toEqual(decision);
});

test.each<[SignUpPlace, Role | null, object]>([
  ['empty', 'viewer', gets('admin')],
  ['sample', null, waits('agent')],
  ['workspace', null, waits('agent')],
  ['workspace', 'manager', gets('manager')],
])('coming to %s by the company, whose rules give %s', (place, mapped, decision) => {
  expect(decideCompanySignUp(place, mapped)).toEqual(decision);
});
