import type { OwnPassword, Session } from '../platform/request-context.ts';

/** Sign-in as the rest of the API sees it. */
export type Authentication = {
  /** Answers `/api/auth/*`. */
  handle(request: Request, ipAddress: string | null): Promise<Response>;
  /** The caller's session with role and permissions, or null for strangers, deactivated people, and in a workspace that is none of theirs. */
  readSession(request: Request): Promise<Session | null>;
  /** The same in the workspace that the caller is in the longest, whichever the request names. */
  readSessionElsewhere(request: Request): Promise<Session | null>;
  ownPassword: OwnPassword;
};
