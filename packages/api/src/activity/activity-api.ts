import { activityContract } from '@app/contracts/activity/activity-contract';
import { isPermitted } from '@app/domain/auth/is-permitted';
import { sayFact } from '../platform/facts/say-fact.ts';
import { implementEndpoints } from '../platform/implement-endpoints.ts';
import { findSubjects } from './find-subjects.ts';
import { recordClick, recordPresence, recordView } from './record-activity.ts';
import { findActivities, findMembers, findOnline, summariseActivities } from './activity-queries.ts';

const os = implementEndpoints(activityContract);

const DAY_MS = 24 * 3_600_000;

export const activityApi = os.router({
  list: os.list.handler(({ input, context }) =>
    context.read(async (scope) => {
      const { items, nextCursor } = await findActivities(scope, input);
      const mayReadUsers = isPermitted(scope.caller.permissions, 'users:read');
      const said = items.map(({ factType, values, subjectId, ...entry }) => ({
        ...sayWhat(factType, values, entry.description),
        ...{ entry, subjectId },
      }));
      const subjects = await findSubjects(scope, said);
      return {
        items: said.map(({ entry, fact, description }, index) => ({
          ...entry,
          ...{ fact, description },
          subject: subjects[index] ?? null,
          occurredAt: entry.occurredAt.toISOString(),
          ipAddress: mayReadUsers ? entry.ipAddress : null,
          userAgent: mayReadUsers ? entry.userAgent : null,
        })),
        nextCursor,
      };
    }),
  ),

  getSummary: os.getSummary.handler(({ context }) =>
    context.read(async (scope) => ({
      ...(await summariseActivities(scope, new Date(scope.clock().getTime() - DAY_MS))),
      users: await findMembers(scope),
    })),
  ),

  recordView: os.recordView.handler(({ input, context }) => {
    const userId = context.session.user.id;
    return context.change(async (scope) => {
      if (input.type === 'click') {
        await recordClick(scope, userId, input.element);
        return { recorded: true };
      }
      return { recorded: await recordView(scope, userId, input.page) };
    });
  }),

  listOnline: os.listOnline.handler(({ context }) =>
    context.read(async (scope) => {
      const people = await findOnline(scope);
      return {
        people: people.map((person) => ({ ...person, lastSeenAt: person.lastSeenAt.toISOString() })),
      };
    }),
  ),

  setPresence: os.setPresence.handler(({ input, context }) => {
    const userId = context.session.user.id;
    const isIdle = input.state === 'idle';
    return context.change(async (scope) => {
      await recordPresence(scope, userId, isIdle);
      return { state: input.state };
    });
  }),
});

/** An entry of a fact that is not in the catalogue any more is shown by the name that it had. */
function sayWhat(type: string | null, values: Record<string, unknown>, description: string | null) {
  const fact = sayFact(type, values);
  return { fact, description: fact ? null : (description ?? type) };
}
