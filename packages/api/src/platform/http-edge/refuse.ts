import { errorTable, type ErrorCode } from '@app/contracts/errors';

/** What every answer says that is no success. */
export type ErrorBody = { error: { code: ErrorCode; message: string; details?: object } };

type Particulars = {
  /** More than the table says, for instance which field is wrong. */
  message?: string | undefined;
  details?: object | undefined;
};

/** The one form of a refusal. */
export function describeRefusal(code: ErrorCode, { message, details }: Particulars = {}): ErrorBody {
  return { error: { code, message: message ?? errorTable[code].message, ...(details && { details }) } };
}

/** What passes by itself says when to ask again. */
export function headersOfError(code: ErrorCode): Record<string, string> {
  return code === 'server_busy' || code === 'too_many_streams' ? { 'retry-after': '5' } : {};
}

/** The same as an answer, for routes that are no endpoints of the contract. */
export function refuse(
  code: ErrorCode,
  { headers, ...particulars }: Particulars & { headers?: Record<string, string> } = {},
): Response {
  return Response.json(describeRefusal(code, particulars), {
    status: errorTable[code].status,
    headers: { 'cache-control': 'no-store', ...headersOfError(code), ...headers },
  });
}
