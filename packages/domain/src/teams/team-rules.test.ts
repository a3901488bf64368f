import { expect, test } from 'vitest';
import { cleanFeatures, findNextOwner, rightsIn, type TeamRole } from './team-rules.ts';

const open = { allowInvites: true, requireApproval: false };
const closed = { allowInvites: false, requireApproval: false };
const careful = { allowInvites: true, requireApproval: true };

test.each<[TeamRole | null, boolean, typeof open, Partial<ReturnType<typeof rightsIn>>]>([
  ['owner', false, closed, { mayManage: true, mayOwn: true, mayAdd: true, needsApproval: false }],
  ['admin', false, closed, { mayManage: true, mayOwn: false, mayAdd: true }],
  ['member', false, open, { mayManage: false, mayOwn: false, mayAdd: true, needsApproval: false }],
  ['member', false, closed, { mayManage: false, mayAdd: false }],
  ['member', false, careful, { mayAdd: true, needsApproval: true }],
  ['admin', false, careful, { mayAdd: true, needsApproval: false }],
  [null, false, open, { mayManage: false, mayAdd: false, mayJoin: true }],
  [null, false, closed, { mayJoin: false }],
  [null, false, careful, { mayJoin: true, needsApproval: true }],
  [null, true, closed, { mayManage: true, mayOwn: true, mayAdd: true, mayJoin: true }],
])('a %s (manages users: %s) under %o', (role, managesUsers, settings, rights) => {
  expect(rightsIn({ role, managesUsers }, settings)).toMatchObject(rights);
});

test('tags are kept once each', () => {
  expect(cleanFeatures([' Support ', 'support', '', 'VIP  line'])).toEqual(['Support', 'VIP line']);
});

test('the longest standing admin takes a team over, else the longest standing member', () => {
  const member = (role: TeamRole, day: number, isWaiting = false) => ({
    ...{ role, isWaiting },
    joinedAt: new Date(2026, 0, day),
  });
  expect(findNextOwner([member('member', 1), member('admin', 3), member('admin', 2)])).toEqual(
    member('admin', 2),
  );
  expect(findNextOwner([member('member', 5), member('member', 4), member('admin', 1, true)])).toEqual(
    member('member', 4),
  );
  expect(findNextOwner([member('owner', 1), member('admin', 2)])).toBeUndefined();
  expect(findNextOwner([])).toBeUndefined();
});
