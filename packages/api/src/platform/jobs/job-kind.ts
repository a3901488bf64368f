import type { SystemPart } from '@app/domain/auth/caller';
import type { Caller } from '@app/domain/auth/caller';
import type { Cause } from '@app/domain/events/fact-cause';
import type { z } from 'zod';

/**
 * What a second enqueue of one key does. `once`: nothing, for a day after the first is done. `while-open`: nothing while the
 * first waits or runs; afterwards it is a new job, also in the place of one that failed for good. `in-order`: it waits until the first has ended well, and behind one that
 * failed for good until that one is started again. `while-waiting`: nothing while the first waits; once that runs it may have read what was there before, so that the
 * second one waits until it has ended, well or not.
 */
export type JobRepeat = 'once' | 'while-open' | 'while-waiting' | 'in-order';

export type JobRules = {
  /** For ever, together with `repeat`: jobs wait under it. */
  name: string;
  repeat: JobRepeat;
  /** How often it is tried in all before it has failed for good. */
  attempts: number;
  /** The pause before the second attempt; it doubles from then on. */
  pauseSeconds: number;
  longestPauseSeconds: number;
  /** For one attempt. */
  timeoutSeconds: number;
  /** How many of them one process runs at a time. */
  atOnce: number;
  /** So long after it was left it is still of use. Later it is not run, also not for an operator, and what it carries goes. */
  usefulSeconds?: number;
  /** And how many of one workspace, so that it leaves room for others. */
  atOnceOfOne?: number;
};

/**
 * A kind of job as those see it who leave one. It belongs to the workspace of the scope, and runs in the name of `as`: a part of the
 * product, or, with `caller`, of the one that left it.
 */
export type WorkspaceJobKind<Payload> = JobRules & { as: SystemPart | 'caller'; payload: z.ZodType<Payload> };
/** One that crosses workspaces, or belongs to none. */
export type SystemJobKind<Payload> = JobRules & { as: 'all-workspaces'; payload: z.ZodType<Payload> };

/** One job as its work sees it. Work must bear to be done twice: after a crash nobody knows how far it came. */
export type Job<Payload> = {
  /** The same for every attempt. */
  id: string;
  payload: Payload;
  /** Null for a job that belongs to no workspace. */
  workspaceId: string | null;
  /** What led to it, and who left it where it runs in that name. Permissions are not among what is known of them. */
  cause: Cause | null;
  from: Caller | null;
  /** Aborted when the time is up, the process stops, or another process took the job over. */
  signal: AbortSignal;
};

/** What is kept of a job that ended well: ids and figures. */
export type JobOutcome = Record<string, string | number | boolean | null>;
