import type { RequestWork } from '@app/contracts/endpoint';
import type { Database, Work } from '@app/database/database';
import { ORPCError } from '@orpc/server';
import type pg from 'pg';
import {
  claimRequest,
  storeAnswer,
  keepUnknown,
  releaseRequest,
  showAlive,
  SIGN_OF_LIFE_EVERY_MS,
  type IdempotentRequest,
} from './idempotency.ts';
import { readAnswer, waitForFirst, type Answer } from './stored-answer.ts';
import type { RequestContext, SignedInContext } from './request-context.ts';
import { openScopes } from './request-scopes.ts';

/**
 * For acts that reach beyond the database: the key is committed before the effect, so that an act whose end nobody saw is
 * told as such and never done again by a machine. An act that failed before it left anything is no such act.
 */
export async function handleOutside(
  context: RequestContext,
  request: IdempotentRequest,
  work: RequestWork,
  perform: (watched: Partial<SignedInContext>) => Promise<unknown>,
): Promise<Answer> {
  const inOne = <Result>(work: (client: pg.PoolClient) => Promise<Result>) =>
    context.caller
      ? context.db.inWorkspace(context.caller.workspaceId, (_, client) => work(client))
      : context.db.inSystem((_, client) => work(client));
  const claimed: Answer = { answer: null };
  const first = await waitForFirst(async () => {
    const claim = await inOne((client) => claimRequest(client, request));
    if (claim.outcome === 'claimed') return claimed;
    return claim.outcome === 'under_way' ? null : { answer: readAnswer(claim) };
  });
  if (first !== claimed) return first;
  const watch = watchEffects(context, work);
  const { db, logger, requestId } = context;
  const signs = setInterval(() => {
    showAlive(db.systemPool, request).catch((error: unknown) =>
      logger.warn({ err: error, requestId }, 'an act gave no sign of life'),
    );
  }, SIGN_OF_LIFE_EVERY_MS);
  let answer: unknown;
  try {
    answer = await perform(watch.context);
  } catch (error) {
    const isRefused = error instanceof ORPCError && error.status < 500 && error.code !== 'outcome_unknown';
    const isUndone = isRefused || !watch.hasActed();
    await inOne((client) => (isUndone ? releaseRequest(client, request) : keepUnknown(client, request)));
    throw error;
  } finally {
    clearInterval(signs);
  }
  await inOne((client) => storeAnswer(client, request, answer));
  return { answer };
}

/**
 * Notices whether an act may have left something: a transaction that wrote and was about to commit, or any use of what
 * reaches outside, such as the mailer or a pool.
 */
function watchEffects(
  context: RequestContext,
  work: RequestWork,
): { context: Partial<SignedInContext>; hasActed(): boolean } {
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
  const { inWorkspace, inWorkspaceFor, inWorkspaceAtOneMoment, inSystem, inSystemWorkspace } = context.db;
  const transactions: Partial<Database> = {
    inWorkspace: (workspaceId, work) => inWorkspace(workspaceId, noticing(work)),
    inWorkspaceFor: (kind, workspaceId, work) => inWorkspaceFor(kind, workspaceId, noticing(work)),
    inWorkspaceAtOneMoment: (workspaceId, work) => inWorkspaceAtOneMoment(workspaceId, noticing(work)),
    inSystem: (work, limits) => inSystem(noticing(work), limits),
    inSystemWorkspace: (workspaceId, work) => inSystemWorkspace(workspaceId, noticing(work)),
  };
  const db = { ...watchedRest(context.db, watched), ...transactions } as Database;
  const { caller } = context;
  return {
    hasActed: () => acted,
    context: {
      db,
      ...(caller && openScopes({ ...context, db, caller }, work)),
      mailer: watched(context.mailer),
      messageSender: watched(context.messageSender),
      templatePlatform: watched(context.templatePlatform),
      mediaStore: watched(context.mediaStore),
    },
  };
}

function watchedRest(db: Database, watched: <Part extends object>(part: Part) => Part): Partial<Database> {
  const { systemPool, importPool, jobPool, close } = db;
  return {
    ...{ systemPool: watched(systemPool), importPool: watched(importPool), jobPool: watched(jobPool) },
    close,
  };
}
