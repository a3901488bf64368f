import type pg from 'pg';
import type { SignedInContext } from '../request-context.ts';
import { changeAcrossWorkspaces } from '../system-work.ts';
import type { WorkspaceScope } from '../workspace-scope.ts';

/** One transaction over what belongs to the caller as a person: its SQL names `userId`, and finds nothing of anybody else by it. */
export type OwnAccount = {
  userId: string;
  client: pg.PoolClient;
  /** Tells in the caller's name, in the workspace that they work in. */
  tell: WorkspaceScope['tell'];
  now: Date;
};

/**
 * For what people have as a person and not in a workspace: password, second factor, passkeys, profile. Such rows are guarded from
 * every workspace, so this crosses them; handlers of a workspace's data do without.
 */
export function changeOwnAccount<Result>(
  context: SignedInContext,
  work: (account: OwnAccount) => Promise<Result>,
): Promise<Result> {
  const { session, caller, ipAddress, userAgent } = context;
  return changeAcrossWorkspaces(context, 'sign-in', ({ client, scopeOf }) => {
    const { tell } = scopeOf({ caller, origin: { ipAddress, userAgent } });
    return work({ userId: session.user.id, client, tell, now: context.clock() });
  });
}
