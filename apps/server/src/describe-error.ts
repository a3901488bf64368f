import { QueryError, withoutValues } from '@app/database/query-error';

const DEEPEST_CAUSE = 4;

/** What a log says of an error: named parts only, because libraries hang what was sent or read on their errors. */
export function describeError(given: unknown, depth = 0): unknown {
  const error = withoutValues(given);
  if (!(error instanceof Error)) return { type: typeof error };
  const { name, message, stack, cause } = error;
  const code = 'code' in error && ['string', 'number'].includes(typeof error.code) ? error.code : undefined;
  return {
    type: name,
    message,
    ...(code !== undefined && { code }),
    ...(error instanceof QueryError && { constraint: error.constraint, statement: error.statement }),
    stack,
    ...(cause !== undefined && depth < DEEPEST_CAUSE && { cause: describeError(cause, depth + 1) }),
  };
}
