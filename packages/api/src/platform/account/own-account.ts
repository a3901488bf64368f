import { ORPCError } from '@orpc/server';
import { errorTable } from '@app/contracts/errors';
import type pg from 'pg';
import type { Session, SignedInContext } from '../request-context.ts';
import { changeAcrossWorkspaces } from '../system-work.ts';
import type { WorkspaceScope } from '../workspace-scope.ts';

/** One transaction over what belongs to the caller as a person: its SQL names `userId`, and finds nothing of anybody else by it. */
export type OwnAccount = {
  userId: string;
  client: pg.PoolClient;
  /** Tells in the caller's name, in the workspace that they work in. */
  emit: WorkspaceScope['emit'];
  now: Date;
};

/**
 * For what people have as a person and not in a workspace: password, second factor, passkeys, profile. Such rows are guarded from
 * every workspace, so this crosses them; handlers of a workspace's data do without. One at a time for each person, and none for a session that
 * ended while it waited: a reset of the password is the last word.
 */
export function changeOwnAccount<Result>(
  context: SignedInContext,
  work: (account: OwnAccount) => Promise<Result>,
): Promise<Result> {
  const { session, caller, ipAddress, userAgent } = context;
  return changeAcrossWorkspaces(context, 'sign-in', async ({ client, scopeOf }) => {
    await refuseEndedSession(client, session);
    const { emit } = scopeOf({ caller, origin: { ipAddress, userAgent } });
    return work({ userId: session.user.id, client, emit, now: context.clock() });
  });
}

/** To look at what belongs to the caller as a person: nobody waits for it, and it waits for nobody. */
export function readOwnAccount<Result>(
  { db, session, clock }: Pick<SignedInContext, 'db' | 'session' | 'clock'>,
  work: (account: Pick<OwnAccount, 'userId' | 'client' | 'now'>) => Promise<Result>,
): Promise<Result> {
  return db.inSystem((_, client) => work({ userId: session.user.id, client, now: clock() }));
}

/** The person first, as a reset of the password locks them, then the session, which nobody ends before this is over. */
async function refuseEndedSession(client: pg.PoolClient, { id, user }: Session): Promise<void> {
  await client.query('SELECT FROM users WHERE id = $1 FOR NO KEY UPDATE', [user.id]);
  const { rowCount } = await client.query(
    'SELECT FROM sessions WHERE id = $1 AND ended_at IS NULL FOR NO KEY UPDATE',
    [id],
  );
  if (rowCount !== 1) throw new ORPCError('signed_out', errorTable.signed_out);
}
