import { errorTable, type ErrorCode } from '@app/contracts/errors';
import { refuse } from '../platform/http-edge/refuse.ts';

export type FieldIssue = { field: string; code: string; message: string };

export type RefusalDetails = {
  /** What is wrong with each field of a form. */
  issues?: FieldIssue[];
  retryAfterSeconds?: number;
};

/** Thrown inside the sign-in routes and answered as JSON: `{ error: { code, message, details } }`. */
export class AuthError extends Error {
  override name = 'AuthError';
  readonly code: ErrorCode;
  readonly details: RefusalDetails;
  constructor(code: ErrorCode, details: RefusalDetails = {}) {
    super(errorTable[code].message);
    this.code = code;
    this.details = details;
  }
}

export function answerRefusal({ code, details }: AuthError): Response {
  const { retryAfterSeconds } = details;
  return refuse(code, {
    ...(Object.keys(details).length > 0 && { details }),
    ...(retryAfterSeconds !== undefined && { headers: { 'retry-after': String(retryAfterSeconds) } }),
  });
}

export function answer(body: unknown, cookies: readonly string[] = []): Response {
  const headers = new Headers({ 'cache-control': 'no-store' });
  for (const cookie of cookies) headers.append('set-cookie', cookie);
  return Response.json(body, { headers });
}
