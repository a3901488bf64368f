import type { Session } from '../request-context.ts';

/** Whoever signed out, was deactivated, is in that workspace no more, or may do other things since is not the one who came. */
export function isSameSession(now: Session | null, { id, workspaceId, role, permissions }: Session): boolean {
  return (
    now?.id === id &&
    now.workspaceId === workspaceId &&
    now.role === role &&
    now.permissions.join() === permissions.join()
  );
}
