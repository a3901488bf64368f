import type { contract } from '@app/contracts/contract';
import type { Feature } from '@app/domain/features';
import type { Router } from '@orpc/server';
import type { FactConsumer } from '../facts/fact-consumer.ts';
import type { RunnableJobKind } from '../jobs/define-job.ts';
import type { RunEffect } from '@app/flows/flow-host';
import type { WorkspaceScope } from '../workspace-scope.ts';
import type { ApiDependencies, RequestContext, Session } from '../request-context.ts';
import type { PersonData } from '../person-data/person-data.ts';
import type { FileRoute } from '../http-edge/file-routes.ts';

/**
 * What one feature is on the server, said once: `export const contactsFeature = { … } satisfies ServerFeature`, with a line in
 * `features.ts`. What is not named, the feature does not have.
 */
export type ServerFeature = {
  name: Feature | 'platform';
  /** Its parts of the contract, under their names there. */
  router?: Partial<Router<typeof contract, RequestContext>>;
  /** Its addresses that carry a file or a stream. */
  files?(parts: FileParts): readonly FileRoute[];
  /** Who follows the facts. One that goes is deleted from its table by a migration. */
  consumers?: readonly FactConsumer[];
  /** What somebody leaves for later. Of a kind that goes, a migration takes out the jobs; the same holds for schedules. */
  jobs?: readonly RunnableJobKind[];
  /** What begins by itself and needs a pace of its own. */
  schedules?: readonly RunnableJobKind[];
  /**
   * Its tables with rows about contacts, and what it does with them; see docs/guides/person-data.md. Everything else about its tables is declared
   * in `packages/database/src/<feature>/<feature>-table-rules.ts`.
   */
  personData?: PersonData;
  /** What steps of flows ask of it, by the names of their effects. */
  flowEffects?(parts: FlowEffectParts): Readonly<Record<string, RunEffect<WorkspaceScope>>>;
  /** What runs all the time in a process that does the work in the background. */
  workers?: readonly BackgroundWorker[];
  /** What it does every now and then. */
  upkeep?: FeatureUpkeep;
};

/** Begins at once; `stop` resolves when nothing of it goes on. Any number of processes run it at the same time. */
export type BackgroundWorker = (parts: ApiDependencies) => { stop(): Promise<void> };

/** What effects of flows take of the product. */
export type FlowEffectParts = Pick<ApiDependencies, 'db' | 'channelKinds' | 'secrets' | 'jobs' | 'publicUrl'>;

/** One work that fails leaves the others alone, and is begun anew when it is next due. */
export type FeatureUpkeep = {
  /** Every half minute: what a process that died has left open, or what is kept for a short time. */
  often?: readonly UpkeepWork[];
  /** Every ten minutes: what nobody needs any more. */
  seldom?: readonly UpkeepWork[];
};
export type UpkeepWork = (parts: ApiDependencies) => Promise<unknown>;

/** What the files and streams of an API have beside the context of each request. */
export type FileParts = ApiDependencies & {
  readSession(request: Request, ipAddress: string | null): Promise<Session | null>;
};
