import type { AnyContractRouter } from '@orpc/contract';
import { implement, type ImplementerInternalWithMiddlewares } from '@orpc/server';
import { guardAccess } from './guard-access.ts';
import { applyIdempotency } from './apply-idempotency.ts';
import type { RequestContext, SignedInContext } from './request-context.ts';

type Chain = { use(step: typeof guardAccess | typeof applyIdempotency): Chain };

/**
 * Every handler of signed-in people stands behind the same three steps: who calls and what they may do, whether the input
 * is what the contract promises, and that an act is done once.
 */
export function implementEndpoints<Contract extends AnyContractRouter>(contract: Contract) {
  // Of a contract that is not known yet, the library's types cannot say what the steps make of it.
  const open = implement(contract, { initialInputValidationIndex: -1 }) as unknown as Chain;
  return open.use(guardAccess).use(applyIdempotency) as unknown as ImplementerInternalWithMiddlewares<
    Contract,
    RequestContext,
    SignedInContext
  >;
}
