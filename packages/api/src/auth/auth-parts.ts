import type { ApiDependencies } from '../platform/request-context.ts';
import type { AttemptLimit } from '../platform/attempt-limit.ts';
import type { SessionReader } from './read-session.ts';
import type { SessionEngine } from './session-engine.ts';
import type { WorkQueue } from './work-queue.ts';

/** What the sign-in routes share. */
export type AuthParts = Pick<ApiDependencies, 'db' | 'clock' | 'liveEvents' | 'publicUrl' | 'isLocalOnly'> & {
  engine: SessionEngine;
  sessions: SessionReader;
  hashing: WorkQueue;
  signInLimit: AttemptLimit;
  signUpLimit: AttemptLimit;
  resetLimit: AttemptLimit;
};

export type Caller = { ipAddress: string | null; userAgent: string | null };
