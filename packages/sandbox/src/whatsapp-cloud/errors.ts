import { randomBytes } from 'node:crypto';
import { errorTable, failureDetails, throttlingCodes, transientCodes } from './error-table.ts';

export const knownErrorCodes: readonly number[] = Object.keys(errorTable).map(Number);

export interface GraphErrorOptions {
  details?: string;
  subcode?: number;
  type?: 'OAuthException' | 'GraphMethodException';
  message?: string;
  userTitle?: string;
  userMessage?: string;
  status?: number;
}

/** A refusal in the words of the platform. */
export class GraphError extends Error {
  override readonly name = 'GraphError';
  readonly code: number;
  readonly options: GraphErrorOptions;

  constructor(code: number, options: GraphErrorOptions = {}) {
    super(options.message ?? `(#${code}) ${errorTitle(code)}`);
    this.code = code;
    this.options = options;
  }

  status(throttleStatus: 400 | 429): number {
    if (this.options.status) return this.options.status;
    return throttlingCodes.has(this.code) ? throttleStatus : errorStatus(this.code);
  }

  toBody(traceId: string): { error: Record<string, unknown> } {
    const { details, subcode, type, userTitle, userMessage } = this.options;
    return {
      error: {
        message: this.message,
        type: type ?? 'OAuthException',
        code: this.code,
        ...(details === undefined ? {} : { error_data: { messaging_product: 'whatsapp', details } }),
        ...(subcode === undefined ? {} : { error_subcode: subcode }),
        ...(userTitle === undefined ? {} : { error_user_title: userTitle }),
        ...(userMessage === undefined ? {} : { error_user_msg: userMessage }),
        ...(transientCodes.has(this.code) ? { is_transient: true } : {}),
        fbtrace_id: traceId,
      },
    };
  }
}

export function errorTitle(code: number): string {
  return errorTable[code]?.[0] ?? (code >= 200 && code <= 299 ? 'API Permission' : 'Unknown error');
}

export function errorStatus(code: number): number {
  return errorTable[code]?.[1] ?? (code >= 200 && code <= 299 ? 403 : 400);
}

/** 23 characters beginning with A, what the platform's support asks for. */
export function newTraceId(): string {
  return `A${randomBytes(18).toString('base64url').slice(0, 22)}`;
}

/** The platform does not tell a missing node from one that the app may not see, nor from a call that it does not know. */
export function unknownNode(id: string, method = 'POST'): GraphError {
  return new GraphError(100, {
    subcode: 33,
    type: 'GraphMethodException',
    message: `Unsupported ${method.toLowerCase()} request. Object with ID '${id}' does not exist, cannot be loaded due to missing permissions, or does not support this operation. Please read the Graph API documentation at https://developers.facebook.com/docs/graph-api`,
  });
}

export function tooLarge(bytes: number): GraphError {
  return new GraphError(100, {
    message: `(#100) The request body is larger than ${bytes} bytes`,
    status: 413,
  });
}

/** The entry of `errors[]` in a failed status. */
export function statusError(code: number): Record<string, unknown> {
  const title = errorTitle(code);
  return {
    code,
    title,
    message: title,
    error_data: { details: failureDetails[code] ?? title },
    href: 'https://developers.facebook.com/docs/whatsapp/cloud-api/support/error-codes/',
  };
}
