import type { Database } from '@app/database/database';
import type { ChannelKinds } from '@app/domain/channels/channel-kind';
import type { ConnectorKinds } from '@app/domain/integrations/connector-kind';
import type { Actor } from '@app/domain/auth/caller';
import type { FactType } from '@app/domain/events/fact-catalogue';
import type { Clock } from '../clock.ts';
import type { Jobs } from '../jobs/enqueue-job.ts';
import type { Logger } from '../logger.ts';
import type { ReadScope, WorkspaceScope } from '../workspace-scope.ts';

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
 * What a consumer writes in: the transaction that moves its cursor. It emits, sends and enqueues in a scope that names the fact which led to it,
 * so that a page mixes no chains.
 */
export type PageScope = ReadScope & {
  /** The same transaction, with this fact as the cause. Of several that lead to one thing together, the deepest. */
  causedBy(fact: StoredFact, ...others: readonly StoredFact[]): WorkspaceScope;
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
  /**
   * What becomes of facts at the depth limit, which may be those of a loop. `refuse`: they are logged and not handled; for consumers that start
   * something. `hear`: they are handled like others; for those that write down, or that look at each depth themselves (`isAtDepthLimit`).
   */
  atDepthLimit: 'refuse' | 'hear';
  /**
   * For what people wait for. `first`: reads the first fact after a pause before other consumers, and a row of facts in pages, as they do. `each`:
   * reads each fact at once, also in a row.
   */
  isPrompt?: 'first' | 'each';
  handle(
    scope: PageScope,
    facts: readonly StoredFact[],
    /** For what is told others once the transaction is committed. */
    parts: Pick<FactLogParts, 'db' | 'viewers' | 'jobs' | 'channelKinds' | 'connectorKinds'> &
      Partial<Pick<FactLogParts, 'logger'>>,
  ): Promise<void>;
};

/** What reading facts takes. */
export type FactLogParts = {
  db: Database;
  clock: Clock;
  logger: Logger;
  /** For what reaches beyond the database; without them nothing does. */
  jobs?: Jobs;
  /** For messages that follow from a fact; without them none is sent. */
  channelKinds?: ChannelKinds;
  /** For what services are called. */
  connectorKinds?: ConnectorKinds;
  /** Who looks at what, for what need not be told to them. */
  viewers?: {
    list(workspaceId: string): readonly { conversationId: string; people: readonly { id: string }[] }[];
  };
};
