import type { Database } from '@app/database/database';
import type { Actor } from '@app/domain/auth/caller';
import type { FactType } from '@app/domain/events/fact-catalogue';
import type { Clock } from '../clock.ts';
import type { Jobs } from '../jobs/enqueue-job.ts';
import type { Logger } from '../logger.ts';
import type { WorkspaceScope } from '../workspace-scope.ts';

/** A fact as it is stored. Its type is of the catalogue, unless it was told by a newer version of the product. */
export type StoredFact = {
  id: number;
  workspaceId: string;
  type: string;
  version: number;
  subjectKind: string;
  subject: string | null;
  actor: Actor;
  values: Record<string, unknown>;
  occurredAt: string;
  /** How many facts or runs led to it. */
  depth: number;
};

/**
 * Somebody who follows the facts. `handle` hears each at least once, those of one workspace together and in order, in the
 * transaction that moves its cursor: what it writes in its scope happens once, what it does elsewhere must bear a second time.
 * What reaches beyond the database is a job that it leaves there.
 */
export type FactConsumer = {
  /** For ever: the cursor is kept under it. */
  name: string;
  /** Whether later facts of a subject wait for one that could not be handled. */
  order: 'subject' | 'none';
  /** Null for all. */
  types: readonly FactType[] | null;
  handle(
    scope: WorkspaceScope,
    facts: readonly StoredFact[],
    /** For what is told others once the transaction is committed. */
    parts: Pick<FactLogParts, 'db' | 'viewers' | 'jobs'>,
  ): Promise<void>;
};

/** What reading facts takes. */
export type FactLogParts = {
  db: Database;
  clock: Clock;
  logger: Logger;
  /** For what reaches beyond the database; without them nothing does. */
  jobs?: Jobs;
  /** Who looks at what, for what need not be told to them. */
  viewers?: {
    list(workspaceId: string): readonly { conversationId: string; people: readonly { id: string }[] }[];
  };
};
