import { ORPCError, os } from '@orpc/server';
import type { Access, ActWork, EndpointMeta } from '@app/contracts/endpoint';
import { errorTable } from '@app/contracts/errors';
import { findMissingPermission, type Caller } from '@app/domain/auth/caller';
import type { Permission } from '@app/domain/auth/permissions';
import { recordActivity } from './audit-log.ts';
import { openScopes } from './request-scopes.ts';
import type { RequestContext, Session, SignedInContext } from './request-context.ts';

/**
 * Stands before every handler that is not public: 401 for strangers, 403 for people without the permission
 * that the contract names.
 */
export const guardAccess = os.$context<RequestContext>().middleware(async ({ context, procedure, next }) => {
  const { session, caller } = context;
  if (!session || !caller) throw new ORPCError('signed_out', errorTable.signed_out);
  const { access, work } = procedure['~orpc'].meta as EndpointMeta; // set by endpoint() for every contract
  const missing = findMissing(access, caller);
  if (missing) throw new ORPCError('FORBIDDEN', { message: sayMissing(missing) });
  return performSignedIn(context, session, work, (signedIn) => next({ context: signedIn }));
});

/** What somebody hears who may not do this. */
export function sayMissing(permission: Permission): string {
  return `You need the permission ${permission}.`;
}

/** The first permission that a caller would need and does not have. */
export function findMissing(access: Access, caller: Pick<Caller, 'permissions'>): Permission | undefined {
  if (access === 'public' || access === 'signed-in') return undefined;
  return findMissingPermission(caller, typeof access === 'string' ? [access] : access);
}

/** The person who is signed in, as a caller. */
export function callerOf({ user, workspaceId, permissions }: Session): Extract<Caller, { kind: 'person' }> {
  const name = `${user.firstName} ${user.lastName}`.trim() || user.email;
  return { kind: 'person', id: user.id, name, workspaceId, permissions };
}

/** Performs in the context of the caller, and tells the browsers what it wrote into the audit log. */
export async function performSignedIn<Result>(
  context: RequestContext,
  session: Session,
  changeWork: ActWork,
  perform: (signedIn: SignedInContext) => Result | PromiseLike<Result>,
): Promise<Result> {
  let recorded = false;
  const { workspaceId } = session;
  const caller = callerOf(session);
  const { ipAddress, userAgent } = context;
  const actor = { workspaceId, userId: caller.id, userName: caller.name, ipAddress, userAgent };
  const signedIn: SignedInContext = {
    ...context,
    ...openScopes({ ...context, caller }, changeWork),
    session,
    caller,
    inWorkspace: (work) => context.db.inWorkspace(workspaceId, work),
    inWorkspaceFor: (kind, work) => context.db.inWorkspaceFor(kind, workspaceId, work),
    recordActivity: (tx, entry) => {
      recorded = true;
      return recordActivity(tx, actor, entry, context.clock());
    },
    afterCommit: async (work) => void (await work()),
    publish: (topic, payload) => context.liveEvents.publish(workspaceId, topic, payload),
  };
  const result = await perform(signedIn);
  if (recorded) await signedIn.publish('activities');
  return result;
}
