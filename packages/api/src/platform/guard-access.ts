import { ORPCError, os } from '@orpc/server';
import type { Access, RequestWork, EndpointMeta } from '@app/contracts/endpoint';
import { errorTable } from '@app/contracts/errors';
import { isReauthenticationRecent } from '@app/domain/auth/reauthentication';
import { findMissingPermission, type Caller } from '@app/domain/auth/caller';
import type { Permission } from '@app/domain/auth/permissions';
import { openScopes } from './request-scopes.ts';
import type { RequestContext, Session, SignedInContext } from './request-context.ts';

/**
 * Stands before every handler that is not public: 401 for strangers, 403 for people without the permission
 * that the contract names, without a second factor that their workspace asks for, or without a recent re-authentication where one is needed.
 */
export const guardAccess = os.$context<RequestContext>().middleware(async ({ context, procedure, next }) => {
  const { session, caller } = context;
  if (!session || !caller) throw new ORPCError('signed_out', errorTable.signed_out);
  // set by endpoint() for every contract
  const { access, work, needsReauthentication, isForSetUp } = procedure['~orpc'].meta as EndpointMeta;
  if (session.mustSetUpTwoFactor && !isForSetUp)
    throw new ORPCError('two_factor_needed', errorTable.two_factor_needed);
  const missing = findMissing(access, caller);
  if (missing) throw new ORPCError('FORBIDDEN', { message: sayMissing(missing) });
  if (needsReauthentication) requireReauthentication(context);
  return next({ context: openSignedInContext(context, session, work) });
});

/** For what is dangerous only with some inputs; an endpoint that always is says so in its contract. @throws without a recent re-authentication */
export function requireReauthentication({ session, clock }: Pick<RequestContext, 'session' | 'clock'>): void {
  if (!isReauthenticationRecent(session?.provenAt ?? null, clock()))
    throw new ORPCError('password_needed', errorTable.password_needed);
}

/** What somebody hears who may not do this. */
export function sayMissing(permission: Permission): string {
  return `You need the permission ${permission}.`;
}

/** The first permission that a caller would need and does not have. */
export function findMissing(access: Access, caller: Pick<Caller, 'permissions'>): Permission | undefined {
  if (access === 'public' || access === 'signed-in') return undefined;
  return findMissingPermission(caller, typeof access === 'string' ? [access] : access);
}

/** The person who is signed in, or the key that they gave to a program, which stands in the log with both names. */
export function callerOf({ user, key, workspaceId, permissions }: Session): Caller {
  const name = `${user.firstName} ${user.lastName}`.trim() || user.email;
  return key
    ? { kind: 'api-key', id: key.id, name: `${key.name} (${name})`, workspaceId, permissions }
    : { kind: 'person', id: user.id, name, workspaceId, permissions };
}

/** The context of whoever is signed in, whose changes are work of this kind. */
export function openSignedInContext(
  context: RequestContext,
  session: Session,
  changeWork: RequestWork,
): SignedInContext {
  const caller = callerOf(session);
  return { ...context, ...openScopes({ ...context, caller }, changeWork), session, caller };
}
