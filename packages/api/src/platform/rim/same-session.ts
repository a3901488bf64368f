import type { Session } from '../request-context.ts';

/** Whoever signed out, was deactivated, or may do other things since is not the one who came. */
export function isSameSession(now: Session | null, { id, role, permissions }: Session): boolean {
  return now?.id === id && now.role === role && now.permissions.join() === permissions.join();
}
