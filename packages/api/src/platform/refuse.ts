import { errorTable, type ErrorCode } from '@app/contracts/errors';

/** The one form of a refusal, for routes that are no endpoints of the contract. */
export function refuse(
  code: ErrorCode,
  { details, headers }: { details?: Record<string, unknown>; headers?: Record<string, string> } = {},
): Response {
  const { status, message } = errorTable[code];
  return Response.json(
    { error: { code, message, ...(details && { details }) } },
    { status, headers: { 'cache-control': 'no-store', ...headers } },
  );
}
