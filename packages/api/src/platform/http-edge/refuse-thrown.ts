import { errorTable, type ErrorCode } from '@app/contracts/errors';
import type { EndpointMeta } from '@app/contracts/endpoint';
import { ORPCError, ValidationError } from '@orpc/server';
import type { StandardHandleResult } from '@orpc/server/standard';
import type { RequestContext } from '../request-context.ts';
import { classifyError } from './classify-error.ts';
import { describeRefusal, headersOfError } from './refuse.ts';

/**
 * Around every endpoint of the contract, by its own address and by that of the typed client: what was thrown leaves in the
 * one form of a refusal, under a code of the table.
 */
export async function refuseThrown({
  next,
}: {
  next: () => Promise<StandardHandleResult>;
}): Promise<StandardHandleResult> {
  try {
    return await next();
  } catch (error) {
    const { code, message, details } = classifyThrown(error);
    const body = describeRefusal(code, { message, details });
    const headers = headersOfError(code);
    return { matched: true, response: { status: errorTable[code].status, headers, body } };
  }
}

/** Around every handler: an error that is no declared refusal is a bug; it is logged with its request id and stays inside. */
export async function reportBugs<Result>({
  context,
  next,
}: {
  context: RequestContext;
  next: () => Promise<Result>;
}): Promise<Result> {
  try {
    return await next();
  } catch (error) {
    if (error instanceof ORPCError && error.status < 500) throw error;
    const { logger, requestId, storage } = context;
    storage?.note(error);
    logger.error({ err: error, requestId }, 'request failed');
    const code = classifyError(error);
    throw new ORPCError(code, { ...errorTable[code], data: { requestId } });
  }
}

/** Around every handler: what the contract does not promise to programs is for people alone, whoever may call it besides. */
export async function refuseKeys<Result>({
  context,
  procedure,
  next,
}: {
  context: RequestContext;
  procedure: { '~orpc': { meta: object } };
  next: () => Promise<Result>;
}): Promise<Result> {
  const { forKeys } = procedure['~orpc'].meta as EndpointMeta; // set by endpoint() for every contract
  if (context.session?.key && !forKeys)
    throw new ORPCError('api_key_not_accepted', errorTable.api_key_not_accepted);
  return next();
}

type Judged = { code: ErrorCode; message?: string; details?: object | undefined };

function classifyThrown(error: unknown): Judged {
  // Handlers throw nothing else past `reportBugs`: it is the request that could not be read.
  if (!(error instanceof ORPCError)) return { code: 'body_malformed' };
  if (isErrorCode(error.code))
    return { code: error.code, message: error.message, details: asDetails(error.data) };
  if (error.cause instanceof ValidationError) return describeIssues(error.cause);
  if (error.code === 'METHOD_NOT_SUPPORTED') return { code: 'method_not_allowed' };
  return { code: error.status < 500 ? 'body_malformed' : 'internal' };
}

/** Nobody reads more than these of a list whose every row is wrong. */
const MOST_ISSUES = 50;

/** Bad input names the fields that are wrong. */
function describeIssues(error: ValidationError): Judged {
  const issues = error.issues.slice(0, MOST_ISSUES).map((issue) => ({
    field: (issue.path ?? []).map((part) => String(typeof part === 'object' ? part.key : part)).join('.'),
    message: issue.message,
  }));
  const message = issues.map(({ field, message: text }) => (field ? `${field}: ${text}` : text)).join('; ');
  return { code: 'invalid_input', message, details: { issues } };
}

function isErrorCode(code: string): code is ErrorCode {
  return Object.hasOwn(errorTable, code);
}

function asDetails(data: unknown): object | undefined {
  return typeof data === 'object' && data !== null ? data : undefined;
}
