import { randomBytes } from 'node:crypto';

/** [title, HTTP status] by code. Throttling codes can be answered with 429 instead (behaviour `throttleStatus`). */
const errorTable: Record<number, readonly [string, number]> = {
  0: ['AuthException', 401],
  1: ['API Unknown', 400],
  2: ['API Service', 503],
  3: ['API Method', 500],
  4: ['API Too Many Calls', 400],
  10: ['Permission Denied', 403],
  17: ['User request limit reached', 429],
  33: ['Parameter value is not valid', 400],
  100: ['Invalid parameter', 400],
  104: ['Requires session', 401],
  190: ['Access token has expired', 401],
  200: ['API Permission', 403],
  368: ['Temporarily blocked for policies violations', 403],
  613: ['Calls to this api have exceeded the rate limit', 429],
  80007: ['Rate limit issues', 400],
  130403: ['Business has blocked this user', 403],
  130429: ['Rate limit hit', 400],
  130472: ["User's number is part of an experiment", 400],
  130497: ['Business account is restricted from messaging users in this country', 403],
  131000: ['Something went wrong', 500],
  131005: ['Access denied', 403],
  131008: ['Required parameter is missing', 400],
  131009: ['Parameter value is not valid', 400],
  131016: ['Service unavailable', 503],
  131021: ['Recipient cannot be sender', 400],
  131026: ['Message undeliverable', 400],
  131030: ['Recipient phone number not in allowed list', 400],
  131031: ['Account has been locked', 403],
  131037: ['Display name approval is needed before sending', 400],
  131042: ['Business eligibility payment issue', 400],
  131045: ['Incorrect certificate', 500],
  131047: ['Re-engagement message', 400],
  131048: ['Spam rate limit hit', 400],
  131049: ['This message was not delivered to maintain healthy ecosystem engagement', 400],
  131050: ['User has stopped marketing messages from this business', 400],
  131051: ['Unsupported message type', 400],
  131052: ['Media download error', 400],
  131053: ['Media upload error', 400],
  131055: ['Only marketing templates are supported on this endpoint', 400],
  131056: ['Pair rate limit hit', 400],
  131057: ['Account in maintenance mode', 503],
  131059: ['Paging cursor is stale', 400],
  131060: ['Message is unavailable right now', 400],
  131061: ['Template must be sent through the Marketing Messages API', 400],
  131062: ['Recipient not supported for this message', 400],
  131063: ['Marketing templates are disabled on Cloud API', 400],
  131064: ['Messaging capped because of template misclassification', 429],
  132000: ['Number of parameters does not match the expected number of params', 400],
  132001: ['Template name does not exist in the translation', 404],
  132005: ['Translated text too long', 400],
  132007: ['Template format character policy violated', 400],
  132008: ['Parameter value is not valid', 400],
  132012: ['Parameter format does not match format in the created template', 400],
  132015: ['Template is paused', 400],
  132016: ['Template is disabled', 400],
  132018: ['Template parameters failed validation', 400],
  132068: ['Flow is blocked', 400],
  132069: ['Flow is throttled', 400],
  133000: ['Incomplete deregistration', 500],
  133004: ['Server temporarily unavailable', 503],
  133005: ['Two step verification PIN mismatch', 400],
  133006: ['Phone number re-verification needed', 400],
  133008: ['Too many two step verification PIN guesses', 400],
  133009: ['Two step verification PIN guessed too fast', 400],
  133010: ['Phone number not registered', 400],
  133015: ['Please wait a few minutes before attempting to register this phone number', 400],
  133016: ['Account register deregister rate limit exceeded', 400],
  134011: ['Payments terms of service are not accepted', 400],
  134100: ['Only marketing messages are supported', 400],
  134101: ['Template is still syncing', 400],
  134102: ['Template is unavailable for use', 500],
  135000: ['Generic user error', 400],
  136024: ['Phone number is already verified', 400],
  136025: ['Verification code is wrong', 400],
  137000: ['Identity key hash does not match', 400],
  139100: ['Some users could not be blocked or unblocked', 400],
  139101: ['Block list limit reached', 400],
  139102: ['Block list was updated at the same time', 400],
  139103: ['Internal error of the block list', 500],
  139200: ['Direct Send access is blocked', 400],
  147001: ['Business username error', 400],
  200005: ['Template insights are not available', 400],
  200006: ['Template insights cannot be disabled', 400],
  200007: ['Template insights are not enabled', 400],
  2500: ['Unknown path components', 400],
  803: ['Some of the aliases you requested do not exist', 404],
};

const throttlingCodes = new Set([4, 80007, 130429, 131048, 131049, 131056]);
const transientCodes = new Set([1, 2, 4, 17, 613, 80007, 131016, 131057, 133004]);

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

export function unknownNode(id: string): GraphError {
  return new GraphError(100, {
    subcode: 33,
    type: 'GraphMethodException',
    message: `Unsupported request. Object with ID '${id}' does not exist, cannot be loaded due to missing permissions, or does not support this operation`,
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

const failureDetails: Record<number, string> = {
  130472: 'Message failed to send because this user is part of an experiment',
  131026:
    'Message undeliverable: the number may not be on WhatsApp, may use an old version, or has not accepted the terms',
  131042: 'Message failed to send because there were payment related errors',
  131047:
    'Message failed to send because more than 24 hours have passed since the customer last replied to this number',
  131049: 'Message was not delivered to keep the number of marketing messages per person low',
  131050: 'The recipient has chosen to stop receiving marketing messages from this business',
  131053: 'The media could not be fetched or processed',
  132015: 'The template was paused for low quality before this held message could be sent',
};
