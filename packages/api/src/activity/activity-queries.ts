import { and, desc, eq, gte, inArray, like, or, sql, type SQL } from 'drizzle-orm';
import { activities, presenceStreams } from '@app/database/activity/activity-tables';
import { memberships, users } from '@app/database/auth/auth-tables';
import { containsPattern, escapeLike } from '@app/database/contains-pattern';
import { readableActivityResources } from '@app/domain/activity/activity-access';
import { ONLINE_WINDOW_MS, type ActivityType } from '@app/domain/activity/activity-rules';
import type { ValueFit } from '@app/domain/activity/fit-search';
import { personOf } from '@app/domain/auth/caller';
import type { AuditedFactType } from '@app/domain/events/fact-catalogue';
import { cutPage, readTimeCursor } from '../platform/keyset.ts';
import type { ReadScope } from '../platform/workspace-scope.ts';

/** The id of no user. */
const NOBODY = '00000000-0000-0000-0000-000000000000';

export type ActivityFilters = {
  search?: string | undefined;
  said?: readonly { type: string; values: readonly ValueFit[] }[] | undefined;
  type?: ActivityType | undefined;
  userId?: string | undefined;
  limit: number;
  cursor?: string | undefined;
};

/** What the caller may see of the log: entries about what they may read, and their own. */
export async function findActivities({ tx, workspaceId, caller }: ReadScope, filters: ActivityFilters) {
  const { search, said = [], type, userId, limit, cursor } = filters;
  const after = readTimeCursor(cursor);
  const conditions: (SQL | undefined)[] = [
    eq(activities.workspaceId, workspaceId),
    or(
      inArray(activities.resource, readableActivityResources(caller.permissions)),
      eq(activities.userId, personOf(caller) ?? NOBODY),
    ),
    search
      ? or(like(activities.searchText, containsPattern(search.toLowerCase())), ...said.map(isSaid))
      : undefined,
    type ? eq(activities.type, type) : undefined,
    userId ? eq(activities.userId, userId) : undefined,
    after
      ? sql`(${activities.occurredAt}, ${activities.id}) < (${after.key}::timestamptz, ${after.id}::uuid)`
      : undefined,
  ];
  const rows = await tx
    .select({
      id: activities.id,
      userId: activities.userId,
      userName: activities.userName,
      userAvatar: users.image,
      type: activities.type,
      resource: activities.resource,
      description: activities.description,
      factType: activities.factType,
      values: activities.values,
      subjectId: activities.subjectId,
      ipAddress: activities.ipAddress,
      userAgent: activities.userAgent,
      occurredAt: activities.occurredAt,
    })
    .from(activities)
    .leftJoin(users, eq(users.id, activities.userId))
    .where(and(...conditions))
    .orderBy(desc(activities.occurredAt), desc(activities.id))
    .limit(limit + 1);
  return cutPage(rows, limit, (row) => ({ key: row.occurredAt.toISOString(), id: row.id }));
}

/** The fact, with the values that its reader's sentence needs to hold the text. */
function isSaid({ type, values }: { type: string; values: readonly ValueFit[] }): SQL | undefined {
  return and(eq(activities.factType, type), ...values.map(isFit));
}

function isFit({ name, at, text }: ValueFit): SQL {
  const value = sql`lower(${spoken(sql`${activities.values}->${name}::text`)})`;
  if (at === 'whole') return sql`${value} = ${text}`;
  return like(value, at === 'start' ? `${escapeLike(text)}%` : `%${escapeLike(text)}`);
}

/** A value as its sentence has it; of a list, one behind the other. */
function spoken(value: SQL): SQL {
  const list = sql`jsonb_array_elements_text(CASE WHEN jsonb_typeof(${value}) = 'array' THEN ${value} END)`;
  return sql`coalesce((SELECT string_agg(item, ', ' ORDER BY place) FROM ${list} WITH ORDINALITY AS items (item, place)), ${value} #>> '{}')`;
}

export async function summariseActivities({ tx, workspaceId }: ReadScope, since: Date) {
  const count = (type: ActivityType) =>
    sql<number>`count(*) FILTER (WHERE ${activities.type} = ${type})`.mapWith(Number);
  const [figures] = await tx
    .select({
      logins: count('login'),
      created: count('create'),
      sent: count('send'),
      activeUsers: sql<number>`count(DISTINCT ${activities.userId})`.mapWith(Number),
    })
    .from(activities)
    .where(and(eq(activities.workspaceId, workspaceId), gte(activities.occurredAt, since)));
  return figures ?? { logins: 0, created: 0, sent: 0, activeUsers: 0 };
}

export function findMembers({ tx, workspaceId }: ReadScope) {
  return tx
    .select({ id: users.id, name: users.name })
    .from(memberships)
    .innerJoin(users, eq(users.id, memberships.userId))
    .where(eq(memberships.workspaceId, workspaceId))
    .orderBy(users.name)
    .limit(200);
}

/** When the person viewed something last. */
export async function readLastView(
  { tx, workspaceId }: ReadScope,
  userId: string,
  viewed: AuditedFactType,
): Promise<Date | null> {
  const [row] = await tx
    .select({ occurredAt: activities.occurredAt })
    .from(activities)
    .where(
      and(
        eq(activities.workspaceId, workspaceId),
        eq(activities.type, 'view'),
        eq(activities.userId, userId),
        eq(activities.factType, viewed),
      ),
    )
    .orderBy(desc(activities.occurredAt))
    .limit(1);
  return row?.occurredAt ?? null;
}

/** Everybody with an open event stream, by name. */
export async function findOnline({ tx, workspaceId, clock }: ReadScope) {
  const rows = await tx
    .select({
      id: users.id,
      name: users.name,
      avatar: users.image,
      role: memberships.role,
      isIdle: memberships.isIdle,
      lastSeenAt: sql<Date>`max(${presenceStreams.seenAt})`.mapWith(presenceStreams.seenAt),
    })
    .from(presenceStreams)
    .innerJoin(users, eq(users.id, presenceStreams.userId))
    .innerJoin(
      memberships,
      and(
        eq(memberships.userId, users.id),
        eq(memberships.workspaceId, presenceStreams.workspaceId),
        memberships.isActive,
      ),
    )
    .where(
      and(
        eq(presenceStreams.workspaceId, workspaceId),
        gte(presenceStreams.seenAt, new Date(clock().getTime() - ONLINE_WINDOW_MS)),
      ),
    )
    .groupBy(users.id, memberships.role, memberships.isIdle)
    .orderBy(users.name)
    .limit(200);
  return rows.map(({ isIdle, ...person }) => ({
    ...person,
    state: isIdle ? ('idle' as const) : ('active' as const),
  }));
}
