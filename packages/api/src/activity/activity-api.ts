import { activityContract, type activityEntry } from '@app/contracts/activity/activity-contract';
import { VIEW_EVERY_MS } from '@app/domain/activity/activity-rules';
import { isPermitted } from '@app/domain/auth/permissions';
import { isAudited, isFactType, readDefinition } from '@app/domain/events/fact-catalogue';
import type { z } from 'zod';
import { implementEndpoints } from '../platform/implement-endpoints.ts';
import {
  findActivities,
  findMembers,
  findOnline,
  forgetOldViews,
  readLastView,
  setIdle,
  summariseActivities,
} from './activity-queries.ts';

type Entry = z.infer<typeof activityEntry>;
type SaidValues = NonNullable<Entry['fact']>['values'];

const os = implementEndpoints(activityContract);

const DAY_MS = 24 * 3_600_000;
/** Timers of browsers are not exact, and several tabs of one person count once. */
const SOONEST_NEXT_VIEW_MS = VIEW_EVERY_MS - 5_000;

const VIEW_DESCRIPTIONS = { dashboard: 'Viewed dashboard' } as const;

export const activityApi = os.router({
  list: os.list.handler(async ({ input, context }) => {
    const { workspaceId, permissions } = context.session;
    const { items, nextCursor } = await context.inWorkspace((tx) => findActivities(tx, workspaceId, input));
    const mayReadUsers = isPermitted(permissions, 'users:read');
    return {
      items: items.map(({ factType, values, ...entry }) => ({
        ...entry,
        ...sayWhat(factType, values, entry.description),
        occurredAt: entry.occurredAt.toISOString(),
        ipAddress: mayReadUsers ? entry.ipAddress : null,
        userAgent: mayReadUsers ? entry.userAgent : null,
      })),
      nextCursor,
    };
  }),

  getSummary: os.getSummary.handler(({ context }) => {
    const { workspaceId } = context.session;
    const since = new Date(context.clock().getTime() - DAY_MS);
    return context.inWorkspace(async (tx) => ({
      ...(await summariseActivities(tx, workspaceId, since)),
      users: await findMembers(tx, workspaceId),
    }));
  }),

  recordView: os.recordView.handler(({ input, context }) => {
    const { workspaceId, user } = context.session;
    const description = input.type === 'click' ? `Clicked ${input.element}` : VIEW_DESCRIPTIONS[input.page];
    return context.inWorkspace(async (tx) => {
      const last = input.type === 'click' ? null : await readLastView(tx, workspaceId, user.id, description);
      if (last && context.clock().getTime() - last.getTime() < SOONEST_NEXT_VIEW_MS)
        return { recorded: false };
      await context.recordActivity(tx, { type: 'view', resource: input.page, description });
      await forgetOldViews(tx, workspaceId);
      return { recorded: true };
    });
  }),

  listOnline: os.listOnline.handler(async ({ context }) => {
    const { workspaceId } = context.session;
    const people = await context.inWorkspace((tx) => findOnline(tx, workspaceId, context.clock()));
    return {
      people: people.map((person) => ({ ...person, lastSeenAt: person.lastSeenAt.toISOString() })),
    };
  }),

  setPresence: os.setPresence.handler(async ({ input, context }) => {
    const { workspaceId, user } = context.session;
    const hasChanged = await context.inWorkspace((tx) =>
      setIdle(tx, workspaceId, user.id, input.state === 'idle'),
    );
    if (hasChanged) await context.publish('presence');
    return { state: input.state };
  }),
});

/** An entry of a fact that is not in the catalogue any more is shown by the name that it had. */
function sayWhat(type: string | null, values: Record<string, unknown>, description: string | null) {
  if (type === null || !isFactType(type) || !isAudited(type))
    return { fact: null, description: description ?? type };
  const { personal = [] } = readDefinition(type);
  const erased = Object.fromEntries(personal.map((name) => [name, null]));
  // They were checked against the catalogue when the fact was told.
  return { fact: { type, values: { ...erased, ...values } as SaidValues }, description: null };
}
