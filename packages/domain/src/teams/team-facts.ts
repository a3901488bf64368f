import { defineFact } from '../events/fact-definition.ts';
import { oneOf, text } from '../events/fact-values.ts';
import { teamRoles } from './team-rules.ts';

const common = {
  version: 1,
  subject: 'team',
  live: [{ topic: 'teams' }],
  forWebhooks: false,
} as const;
const about = { ...common, values: { team: text } } as const;
const aboutMember = { ...common, values: { team: text, name: text } } as const;
const made = { type: 'create', resource: 'teams' } as const;
const changed = { type: 'update', resource: 'teams' } as const;
const gone = { type: 'delete', resource: 'teams' } as const;

/** `team` is the name of the team, `name` that of the person. */
export const teamFacts = {
  'team.created': defineFact({ ...about, audit: made }),
  'team.updated': defineFact({ ...about, audit: changed }),
  'team.deleted': defineFact({ ...about, audit: gone }),
  'team.member_added': defineFact({
    ...common,
    version: 2,
    values: { ...aboutMember.values, userId: text },
    audit: changed,
  }),
  /** Waits for somebody who leads the team. */
  'team.member_asked': defineFact({ ...aboutMember, audit: changed }),
  'team.member_removed': defineFact({ ...aboutMember, audit: changed }),
  'team.member_left': defineFact({ ...about, audit: changed }),
  'team.member_role_changed': defineFact({
    ...common,
    values: { team: text, name: text, role: oneOf(teamRoles) },
    audit: changed,
  }),
};
