import type { Database, Work } from '@app/database/database';
import { ORPCError } from '@orpc/server';
import type pg from 'pg';
import { claimAct, keepAnswer, keepUnknown, releaseAct, type Act } from './idempotency.ts';
import { readAnswer, WAITS_MS, waitForFirst, type Answer } from './kept-answer.ts';
import type { RequestContext, SignedInContext } from './request-context.ts';

/**
 * For acts that reach beyond the database: the key is committed before the effect, so that an act whose end nobody saw is
 * told as such and never done again by a machine. An act that failed before it left anything is no such act.
 */
export async function actOutside(
  context: RequestContext,
  act: Act,
  perform: (watched: Partial<SignedInContext>) => Promise<unknown>,
): Promise<Answer> {
  const inOne = <Result>(work: (client: pg.PoolClient) => Promise<Result>) =>
    context.session
      ? context.db.inWorkspace(context.session.workspaceId, (_, client) => work(client))
      : context.db.inSystem((_, client) => work(client));
  const claimed: Answer = { answer: null };
  const begun = performance.now();
  const first = await waitForFirst(async () => {
    const claim = await inOne((client) => claimAct(client, act));
    if (claim.outcome === 'claimed') return claimed;
    const isUnderWay =
      claim.outcome === 'begun' && claim.sinceMs < WAITS_MS && performance.now() - begun < WAITS_MS;
    return isUnderWay ? null : { answer: readAnswer(claim) };
  });
  if (first !== claimed) return first;
  const watch = watchEffects(context);
  let answer: unknown;
  try {
    answer = await perform(watch.context);
  } catch (error) {
    const isRefused = error instanceof ORPCError && error.status < 500 && error.code !== 'outcome_unknown';
    const isUndone = isRefused || !watch.hasActed();
    await inOne((client) => (isUndone ? releaseAct(client, act) : keepUnknown(client, act)));
    throw error;
  }
  await inOne((client) => keepAnswer(client, act, answer));
  return { answer };
}

/**
 * Notices whether an act may have left something: a transaction that wrote and was about to commit, or any use of what
 * reaches outside, such as the mailer or a pool.
 */
function watchEffects(context: RequestContext): { context: Partial<SignedInContext>; hasActed(): boolean } {
  let acted = false;
  const noticing =
    <Result>(work: Work<Result>): Work<Result> =>
    async (tx, client) => {
      const result = await work(tx, client);
      const { rows } = await client.query<{ wrote: boolean }>(
        'SELECT pg_current_xact_id_if_assigned() IS NOT NULL AS wrote',
      );
      acted ||= rows[0]?.wrote !== false;
      return result;
    };
  const watched = <Part extends object>(part: Part): Part =>
    new Proxy(part, {
      get(target, name) {
        acted = true;
        const value: unknown = Reflect.get(target, name);
        return typeof value === 'function' ? value.bind(target) : value;
      },
    });
  const { inWorkspace, inWorkspaceFor, inSystem } = context.db;
  const transactions: Partial<Database> = {
    inWorkspace: (workspaceId, work) => inWorkspace(workspaceId, noticing(work)),
    inWorkspaceFor: (kind, workspaceId, work) => inWorkspaceFor(kind, workspaceId, noticing(work)),
    inSystem: (work) => inSystem(noticing(work)),
  };
  const { workspaceId } = context.session ?? {};
  return {
    hasActed: () => acted,
    context: {
      db: { ...watchedRest(context.db, watched), ...transactions } as Database,
      mailer: watched(context.mailer),
      messageSender: watched(context.messageSender),
      templatePlatform: watched(context.templatePlatform),
      mediaStore: watched(context.mediaStore),
      ...(workspaceId !== undefined && {
        inWorkspace: (work) => inWorkspace(workspaceId, noticing(work)),
        inWorkspaceFor: (kind, work) => inWorkspaceFor(kind, workspaceId, noticing(work)),
      }),
    },
  };
}

function watchedRest(db: Database, watched: <Part extends object>(part: Part) => Part): Partial<Database> {
  return { systemPool: watched(db.systemPool), importPool: watched(db.importPool), close: db.close };
}
