import { errorTable, type ErrorCode } from '@app/contracts/errors';

type Particulars = {
  /** More than the table says, for instance which field is wrong. */
  message?: string;
  details?: Record<string, unknown>;
  headers?: Record<string, string>;
};

/** The one form of a refusal, for routes that are no endpoints of the contract. */
export function refuse(code: ErrorCode, { details, headers, ...given }: Particulars = {}): Response {
  const { status, message } = { ...errorTable[code], ...given };
  return Response.json(
    { error: { code, message, ...(details && { details }) } },
    { status, headers: { 'cache-control': 'no-store', ...headers } },
  );
}
