import { cleanText } from '../contacts/contact.ts';

export const teamRoles = ['owner', 'admin', 'member'] as const;
export type TeamRole = (typeof teamRoles)[number];

export const teamLimits = {
  name: 80,
  description: 300,
  members: 200,
  /** What a team may have at most unless somebody says otherwise. */
  usualMembers: 10,
  features: 12,
  feature: 30,
} as const;

export type TeamStanding = {
  /** Of the caller; null for who is no member, and for who still waits. */
  role: TeamRole | null;
  /** Changes people of the whole workspace. */
  managesUsers: boolean;
};

export type TeamSettings = { allowInvites: boolean; requireApproval: boolean };

/** What somebody may do in a team. Whoever manages users manages every team; a team manages itself through owners and admins. */
export function rightsIn(
  { role, managesUsers }: TeamStanding,
  { allowInvites, requireApproval }: TeamSettings,
) {
  const leads = managesUsers || role === 'owner' || role === 'admin';
  return {
    /** Settings, members, and who waits. */
    mayManage: leads,
    /** Roles of members, and the end of the team. */
    mayOwn: managesUsers || role === 'owner',
    mayAdd: leads || (allowInvites && role !== null),
    mayJoin: role === null && (allowInvites || managesUsers),
    /** Who comes by this person's word waits for somebody who leads. */
    needsApproval: requireApproval && !leads,
  };
}
export type TeamRights = ReturnType<typeof rightsIn>;

/** Feature tags as stored: empty ones dropped, of several that differ in case alone the first kept. */
export function cleanFeatures(features: readonly string[]): string[] {
  const kept = new Map<string, string>();
  for (const feature of features.map(cleanText))
    if (feature && !kept.has(feature.toLowerCase())) kept.set(feature.toLowerCase(), feature);
  return [...kept.values()];
}

/** Who owns a team when its last owner goes: the admin who is in it longest, else the member. */
export function findNextOwner<Member extends { role: TeamRole; isWaiting: boolean; joinedAt: Date }>(
  others: readonly Member[],
): Member | undefined {
  const members = others.filter(({ isWaiting }) => !isWaiting);
  if (members.some(({ role }) => role === 'owner')) return undefined;
  const rank = ({ role }: Member) => teamRoles.indexOf(role);
  return members.toSorted(
    (one, other) => rank(one) - rank(other) || one.joinedAt.getTime() - other.joinedAt.getTime(),
  )[0];
}
