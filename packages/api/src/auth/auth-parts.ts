import type { AttemptLimit } from '../platform/http-edge/attempt-limit.ts';
import type { ApiDependencies } from '../platform/request-context.ts';
import type { KnownDevices } from './known-devices.ts';
import type { PasswordHasher } from './passwords/password-hasher.ts';
import type { SessionReader } from './sessions/read-session.ts';
import type { SessionEngine } from './sessions/session-engine.ts';
import type { WorkQueue } from './work-queue.ts';

/** What the sign-in routes share. */
export type AuthParts = Pick<
  ApiDependencies,
  | 'db'
  | 'clock'
  | 'facts'
  | 'logger'
  | 'jobs'
  | 'publicUrl'
  | 'isLocalOnly'
  | 'secrets'
  | 'confirmsAddresses'
  | 'companyProvider'
> & {
  /** Cookies travel over https only. */
  isSecure: boolean;
  engine: SessionEngine;
  sessions: SessionReader;
  devices: KnownDevices;
  hashing: WorkQueue;
  passwords: PasswordHasher;
  signInLimit: AttemptLimit;
  /** Of the block of addresses that a provider gives to one customer. */
  signInSiteLimit: AttemptLimit;
  signUpLimit: AttemptLimit;
  passkeyLimit: AttemptLimit;
  companyLimit: AttemptLimit;
  resetLimit: AttemptLimit;
  resetMailLimit: AttemptLimit;
};
