import { actorPermissions, systemCaller, type Caller, type SystemPart } from '@app/domain/auth/caller';
import type { z } from 'zod';
import type { ApiDependencies, RequestScopes } from '../request-context.ts';
import { readPermissions } from '../operations/starter-rights.ts';
import { changeAsSystem, openScopesOf } from '../system-work.ts';
import { JobGivenUp } from './job-failure.ts';
import type { Job, JobOutcome, JobRules, SystemJobKind, WorkspaceJobKind } from './job-kind.ts';

/** What the product can run; how its payload looks only its own work knows. */
export type RunnableJobKind = JobRules & {
  /** For what begins by itself: the time from one run to the next, in all processes together. */
  everySeconds: number | null;
  /** For that: so long after the start of a process it begins in any case. */
  afterStartSeconds: number | null;
  perform(parts: ApiDependencies, job: Job<unknown>): Promise<JobOutcome | void>;
};

/** `payload` holds ids and values, never a secret and never a sentence: whoever reads the table reads it. */
type Definition<Payload, Parts> = JobRules & {
  payload: z.ZodType<Payload>;
  run(parts: Parts, job: Job<Payload>): Promise<JobOutcome | void>;
};

/**
 * A job in one workspace: what it changes there, it changes in the name of a part of the product (`as`), or of the caller that left it, with
 * the permissions that this one has by then. Every fact, message and job of it names what led to it.
 */
export function defineJob<Payload>({
  run,
  ...kind
}: Definition<Payload, ApiDependencies & RequestScopes> & {
  as: SystemPart | 'caller';
}): WorkspaceJobKind<Payload> & RunnableJobKind {
  return {
    ...kind,
    ...{ everySeconds: null, afterStartSeconds: null },
    async perform(parts, job) {
      if (job.workspaceId === null) throw new JobGivenUp('workspace_missing');
      const caller = await callerOfJob(parts, kind.as, job);
      const scopes = openScopesOf(parts, caller, job.cause);
      return run({ ...parts, ...scopes }, { ...job, payload: check(kind.payload, job.payload) });
    },
  };
}

/** A job that crosses workspaces or belongs to none: its SQL names the workspace wherever there is one. */
export function defineSystemJob<Payload>({
  run,
  ...kind
}: Definition<Payload, ApiDependencies>): SystemJobKind<Payload> & RunnableJobKind {
  return {
    ...kind,
    as: 'all-workspaces',
    ...{ everySeconds: null, afterStartSeconds: null },
    perform: async (parts, job) => run(parts, { ...job, payload: check(kind.payload, job.payload) }),
  };
}

/** Work that begins by itself, at the start of the product if it is due and then at this pace, in one process at a time. */
export function every(
  everySeconds: number,
  schedule: Pick<JobRules, 'name' | 'timeoutSeconds'> & {
    afterStartSeconds?: number;
    run(parts: ApiDependencies, signal: AbortSignal): Promise<JobOutcome | void>;
  },
): RunnableJobKind {
  const { name, timeoutSeconds, afterStartSeconds = null, run } = schedule;
  return {
    ...{ name, timeoutSeconds, everySeconds, afterStartSeconds },
    repeat: 'while-open',
    // The second one is for a process that dies over the first.
    attempts: 2,
    pauseSeconds: 1,
    longestPauseSeconds: 1,
    atOnce: 1,
    perform: (parts, { signal }) => run(parts, signal),
  };
}

async function callerOfJob(
  parts: ApiDependencies,
  as: SystemPart | 'caller',
  { workspaceId, from }: Pick<Job<unknown>, 'workspaceId' | 'from'>,
): Promise<Caller> {
  if (workspaceId === null) throw new JobGivenUp('workspace_missing');
  if (as !== 'caller') return systemCaller(as, workspaceId);
  if (!from) throw new JobGivenUp('caller_missing');
  if (from.kind === 'system') return systemCaller(from.part, workspaceId);
  if (from.kind !== 'person' && from.kind !== 'api-key')
    return { ...from, permissions: actorPermissions[from.kind] };
  const permissions = await changeAsSystem(parts, 'upkeep', workspaceId, (scope) =>
    readPermissions(scope, from),
  );
  return { ...from, permissions: permissions ?? [] };
}

function check<Payload>(shape: z.ZodType<Payload>, given: unknown): Payload {
  const { success, data } = shape.safeParse(given);
  if (!success) throw new JobGivenUp('payload_invalid');
  return data;
}
