import { newId } from '@app/database/new-id';
import type { Queries } from '@app/database/database';
import type { ActivityType } from '@app/domain/activity/activity-rules';
import { activities } from '@app/database/activity/activity-tables';

export type ActivityEntry = {
  type: ActivityType;
  /** The feature concerned, for instance `contacts`. */
  resource: string;
  /** One English sentence without secrets, for instance `Added contact Ann Lee`. */
  description: string;
  metadata?: Record<string, unknown>;
};

export type Actor = {
  workspaceId: string;
  userId: string | null;
  userName: string;
  ipAddress: string | null;
  userAgent: string | null;
};

/** Adds one entry to the workspace's audit log, in the transaction of the change itself. */
export async function recordActivity(
  tx: Queries,
  actor: Actor,
  entry: ActivityEntry,
  occurredAt: Date,
): Promise<void> {
  await tx
    .insert(activities)
    .values({ id: newId(), ...actor, ...entry, metadata: entry.metadata ?? {}, occurredAt });
}
