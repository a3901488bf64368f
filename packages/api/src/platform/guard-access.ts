import { ORPCError, os } from '@orpc/server';
import type { Access, EndpointMeta } from '@app/contracts/endpoint';
import { errorTable } from '@app/contracts/errors';
import { isPermitted, type Permission } from '@app/domain/auth/permissions';
import { recordActivity } from './audit-log.ts';
import type { RequestContext, Session, SignedInContext } from './request-context.ts';

/**
 * Stands before every handler that is not public: 401 for strangers, 403 for people without the permission
 * that the contract names.
 */
export const guardAccess = os.$context<RequestContext>().middleware(async ({ context, procedure, next }) => {
  const { session } = context;
  if (!session) throw new ORPCError('signed_out', errorTable.signed_out);
  const { access } = procedure['~orpc'].meta as EndpointMeta; // set by endpoint() for every contract
  const missing = findMissing(access, session);
  if (missing) throw new ORPCError('FORBIDDEN', { message: `You need the permission ${missing}.` });
  const signedIn = openSignedInContext(context, session);
  const result = await next({ context: signedIn.context });
  if (signedIn.hasRecorded()) await signedIn.context.publish('activities');
  return result;
});

/** The first permission that somebody signed in would need and does not have. */
export function findMissing(access: Access, { permissions }: Session): Permission | undefined {
  if (access === 'public' || access === 'signed-in') return undefined;
  const wanted = typeof access === 'string' ? [access] : access;
  return wanted.find((permission) => !isPermitted(permissions, permission));
}

/** The caller's context, for routes that are no contract endpoints and check the permission themselves. */
export function openSignedInContext(context: RequestContext, session: Session) {
  let recorded = false;
  const { user, workspaceId } = session;
  const actor = {
    workspaceId,
    userId: user.id,
    userName: `${user.firstName} ${user.lastName}`.trim() || user.email,
    ipAddress: context.ipAddress,
    userAgent: context.userAgent,
  };
  const signedIn: SignedInContext = {
    ...context,
    session,
    inWorkspace: (work) => context.db.inWorkspace(workspaceId, work),
    inWorkspaceFor: (kind, work) => context.db.inWorkspaceFor(kind, workspaceId, work),
    recordActivity: (tx, entry) => {
      recorded = true;
      return recordActivity(tx, actor, entry, context.clock());
    },
    afterCommit: async (work) => void (await work()),
    publish: (topic, payload) => context.liveEvents.publish(workspaceId, topic, payload),
  };
  return { context: signedIn, hasRecorded: () => recorded };
}
