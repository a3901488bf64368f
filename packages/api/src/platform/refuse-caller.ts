import { isPermitted, type Permission } from '@app/domain/auth/permissions';
import { refuse } from './refuse.ts';
import type { Session } from './request-context.ts';

/** For routes that are no endpoints of the contract: null for somebody signed in who may do all that is needed. */
export function refuseCaller(session: Session, ...needed: readonly Permission[]): Response | null {
  const missing = needed.find((permission) => !isPermitted(session.permissions, permission));
  return missing ? refuse('FORBIDDEN', { message: `You need the permission ${missing}.` }) : null;
}
