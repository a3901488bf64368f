import { os } from '@orpc/server';
import type { RequestWork, EndpointMeta, Repeat } from '@app/contracts/endpoint';
import { callerKey } from '@app/domain/auth/caller';
import { hasLostRace } from '@app/database/query-error';
import { handleOutside } from './handle-outside.ts';
import { canonicalJson } from './canonical-json.ts';
import {
  claimRequest,
  holdRequest,
  isIdempotencyKey,
  storeAnswer,
  type IdempotentRequest,
} from './idempotency.ts';
import { readAnswer, refuseRequest, waitForFirst, type Answer } from './stored-answer.ts';
import type { RequestContext, SignedInContext } from './request-context.ts';
import { joinScopes } from './request-scopes.ts';
import { runAfterwards, type Afterwards } from './workspace-scope.ts';

/** How often an act is done anew that gave way to another transaction. */
const MOST_TRIES = 4;

/**
 * Stands before every handler and does an act once per key: whoever comes second, at the same time or later, hears the
 * first answer and changes nothing. What the contract calls keyed cannot be done without a key. See
 * docs/decisions/022-every-act-once.md.
 */
export const applyIdempotency = os
  .$context<RequestContext>()
  .middleware(async ({ context, procedure, path, next }, input, output) => {
    const { repeat, work } = procedure['~orpc'].meta as EndpointMeta; // set by endpoint() for every contract
    const request = readRequest(context, path.join('.'), repeat, input);
    if (!request) return next();
    if (repeat === 'keyed-outside') {
      const done = await handleOutside(
        context,
        request,
        work,
        async (watched) => (await next({ context: watched })).output,
      );
      return output(done.answer);
    }
    if (!context.caller) throw new Error(`${request.endpoint} is for visitors: it must be keyed-outside.`);
    // Behind the access guard the context is that of somebody signed in.
    const once = await handleInside(context as SignedInContext, request, work, async (joined) => {
      return (await next({ context: joined })).output;
    });
    return output(once.answer);
  });

/** Null for what is harmless to repeat, unless its caller names it all the same. */
function readRequest(
  { caller, secrets, idempotencyKey }: RequestContext,
  endpoint: string,
  repeat: Repeat | null,
  input: unknown,
): IdempotentRequest | null {
  if (repeat === null) return null;
  const isKeyed = typeof repeat === 'string';
  if (!isKeyed && !(repeat.honoursKey && idempotencyKey)) return null;
  if (!isIdempotencyKey(idempotencyKey)) throw refuseRequest('idempotency_key_required');
  return {
    workspaceId: caller?.workspaceId ?? null,
    caller: caller ? callerKey(caller) : 'visitor',
    endpoint,
    key: idempotencyKey,
    requestHash: secrets.fingerprint(canonicalJson(input) ?? ''),
  };
}

/** Key, change and answer in one transaction, on a connection of the act's kind of work. */
async function handleInside(
  context: SignedInContext,
  request: IdempotentRequest,
  work: RequestWork,
  perform: (joined: Partial<SignedInContext>) => Promise<unknown>,
): Promise<Answer> {
  const { db, caller, logger, requestId } = context;
  let afterwards: Afterwards = [];
  const once = await waitForFirst(() =>
    tryAgain(() => {
      afterwards = [];
      return db.inWorkspaceFor(work, caller.workspaceId, async (tx, client) => {
        if (!(await holdRequest(client, request))) return null;
        const claim = await claimRequest(client, request);
        if (claim.outcome !== 'claimed') return { answer: readAnswer(claim) };
        const answer = await perform(joinScopes(context, { work, afterwards, tx, client }));
        await storeAnswer(client, request, answer);
        return { answer };
      });
    }),
  );
  await runAfterwards(afterwards, logger, { requestId });
  return once;
}

/** Nothing is left of a transaction that gave way, so that the act is done anew. */
async function tryAgain<Result>(perform: () => Promise<Result>): Promise<Result> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await perform();
    } catch (error) {
      if (tries === MOST_TRIES || !hasLostRace(error)) throw error;
    }
  }
}
