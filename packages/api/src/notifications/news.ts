import type { NotificationKind } from '@app/domain/notifications/notification-kinds';
import type { StoredFact } from '../platform/facts/fact-consumer.ts';
import type { ReadScope } from '../platform/workspace-scope.ts';

export type News = {
  kind: NotificationKind;
  /** Null for everybody who may hear of it. */
  userIds: readonly (string | null | undefined)[] | null;
  subject: string | null;
  values: Record<string, string | number>;
};

/** Who has a conversation on a screen at the moment. */
export type LookingAt = (conversationId: string) => readonly string[];
export type Find = (
  scope: ReadScope,
  fact: StoredFact,
  looking: LookingAt,
  /** What people call a service, by the name of its kind. */
  titleOf: (kind: string) => string,
) => News | null | Promise<News | null>;
