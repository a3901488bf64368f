import { ORPCError, os } from '@orpc/server';
import type { EndpointMeta, Repeat } from '@app/contracts/endpoint';
import { errorTable } from '@app/contracts/errors';
import { giveTime, type Queries } from '@app/database/database';
import type pg from 'pg';
import { canonicalJson } from './canonical-json.ts';
import { claimAct, keepAnswer, keepUnknown, releaseAct, type Act, type Claim } from './idempotency.ts';
import type { RequestContext, SignedInContext } from './request-context.ts';

/** How long a second press waits for the first one when that reaches beyond the database. */
const WAITS_MS = 20_000;
const LOOKS_EVERY_MS = 150;

type Refusal = Extract<
  keyof typeof errorTable,
  'idempotency_key_required' | 'idempotency_key_reused' | 'idempotency_answer_gone' | 'outcome_unknown'
>;
type Answer = { answer: unknown };

/**
 * Stands before every handler and does an act once per key: whoever comes second, at the same time or later, hears the
 * first answer and changes nothing. What the contract calls keyed cannot be done without a key. See
 * docs/decisions/022-every-act-once.md.
 */
export const keepOnce = os
  .$context<RequestContext>()
  .middleware(async ({ context, procedure, path, next }, input, output) => {
    const { repeat } = procedure['~orpc'].meta as EndpointMeta; // set by endpoint() for every contract
    const act = readAct(context, path.join('.'), repeat, input);
    if (!act) return next();
    if (repeat === 'keyed-outside') {
      const done = await actOutside(context, act, async () => (await next()).output);
      return output(done.answer);
    }
    const { db, session } = context;
    if (!session) throw new Error(`${act.endpoint} is for visitors: it must be keyed-outside.`);
    const afterwards: (() => Promise<unknown>)[] = [];
    const once = await db.inWorkspace(session.workspaceId, async (tx, client) => {
      const claim = await claimAct(client, act);
      if (claim.outcome !== 'claimed') return { answer: readAnswer(claim) };
      const joined = joinTransaction(context as SignedInContext, afterwards, tx, client);
      const result = await next({ context: joined });
      await keepAnswer(client, act, result.output);
      return { answer: result.output };
    });
    for (const work of afterwards)
      await work().catch((error: unknown) =>
        context.logger.warn(
          { err: error, requestId: context.requestId },
          'what follows a saved change failed',
        ),
      );
    return output(once.answer);
  });

/** Null for what is harmless to repeat, unless its caller names it all the same. */
function readAct(
  { session, secrets, idempotencyKey }: RequestContext,
  endpoint: string,
  repeat: Repeat | null,
  input: unknown,
): Act | null {
  if (repeat === null) return null;
  const isKeyed = typeof repeat === 'string';
  if (!isKeyed && !(repeat.honoursKey && idempotencyKey)) return null;
  if (!/^[\x21-\x7e]{8,200}$/.test(idempotencyKey ?? '')) throw refuse('idempotency_key_required');
  return {
    workspaceId: session?.workspaceId ?? null,
    caller: session ? `${session.workspaceId}/${session.user.id}` : 'visitor',
    endpoint,
    key: idempotencyKey!, // it matched
    requestHash: secrets.fingerprint(canonicalJson(input) ?? ''),
  };
}

/** The handler's transactions become part of the one that holds the key; what tells others waits for its commit. */
function joinTransaction(
  context: SignedInContext,
  afterwards: (() => Promise<unknown>)[],
  tx: Queries,
  client: pg.PoolClient,
): Partial<SignedInContext> {
  return {
    inWorkspace: (work) => work(tx, client),
    // It stays on its connection, and gets the time of its kind.
    inWorkspaceFor: async (kind, work) => {
      await giveTime(client, kind);
      return work(tx, client);
    },
    afterCommit: async (work: () => Promise<unknown>) => void afterwards.push(work),
    publish: async (...event: Parameters<SignedInContext['publish']>) =>
      void afterwards.push(() => context.publish(...event)),
  };
}

/**
 * For acts that reach beyond the database: the key is committed before the effect, so that an act whose end nobody saw is
 * told as such and never done again by a machine.
 */
async function actOutside(
  context: RequestContext,
  act: Act,
  perform: () => Promise<unknown>,
): Promise<Answer> {
  const inOne = <Result>(work: (client: pg.PoolClient) => Promise<Result>) =>
    context.session
      ? context.db.inWorkspace(context.session.workspaceId, (_, client) => work(client))
      : context.db.inSystem((_, client) => work(client));
  const until = performance.now() + WAITS_MS;
  for (;;) {
    const claim = await inOne((client) => claimAct(client, act));
    if (claim.outcome === 'claimed') break;
    const isUnderWay = claim.outcome === 'begun' && claim.sinceMs < WAITS_MS && performance.now() < until;
    if (!isUnderWay) return { answer: readAnswer(claim) };
    await new Promise((resolve) => setTimeout(resolve, LOOKS_EVERY_MS));
  }
  let answer: unknown;
  try {
    answer = await perform();
  } catch (error) {
    const isRefused = error instanceof ORPCError && error.status < 500 && error.code !== 'outcome_unknown';
    await inOne((client) => (isRefused ? releaseAct(client, act) : keepUnknown(client, act)));
    throw error;
  }
  await inOne((client) => keepAnswer(client, act, answer));
  return { answer };
}

function readAnswer(claim: Claim): unknown {
  switch (claim.outcome) {
    case 'answered':
      return claim.answer;
    case 'reused':
      throw refuse('idempotency_key_reused');
    case 'answer_gone':
      throw refuse('idempotency_answer_gone');
    default:
      throw refuse('outcome_unknown');
  }
}

function refuse(code: Refusal) {
  return new ORPCError(code, errorTable[code]);
}
