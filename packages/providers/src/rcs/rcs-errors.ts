import { codeOf } from '@app/domain/channel-kinds/kind-codes';
import type { DeliveryError, RejectionAction } from '@app/domain/messaging/rejection';
import { recordOf, textOf } from '../calls/json-values.ts';

const fail: RejectionAction = { kind: 'fail' };
const stopAll: RejectionAction = { kind: 'stop_channel', blocks: 'everything' };

/** What the engine does with each status that says no. What is not here leaves a doubt: 500 and 503 say nothing about the message. */
const actions: Readonly<Record<string, RejectionAction>> = {
  INVALID_ARGUMENT: fail,
  FAILED_PRECONDITION: fail,
  UNAUTHENTICATED: stopAll,
  PERMISSION_DENIED: fail,
  NOT_FOUND: { kind: 'unreachable' },
  RESOURCE_EXHAUSTED: { kind: 'lower_rate' },
  invalid_grant: stopAll,
  invalid_scope: stopAll,
  key_unreadable: stopAll,
  agent_revoked: stopAll,
  agent_suspended: stopAll,
  agent_unlaunched: { kind: 'stop_channel', blocks: 'campaigns' },
};

export function actionOf(code: string): RejectionAction | undefined {
  return Object.hasOwn(actions, code) ? actions[code] : undefined;
}

/** The error as it is stored. What the platform writes about it may name secrets and numbers, and is left out. */
export function errorOf(code: string, httpStatus?: number): DeliveryError {
  return {
    ...{ code: codeOf({ kind: 'rcs', code }), title: code },
    ...(httpStatus !== undefined && { httpStatus }),
  };
}

/** The status word of the platform's envelope, else the one that stands for the HTTP status. */
export function statusOf(body: unknown, httpStatus: number): string {
  const word = textOf(recordOf(recordOf(body)['error'])['status']);
  if (word !== null && /^[A-Z_]{3,40}$/.test(word)) return word;
  return byHttpStatus[httpStatus] ?? (httpStatus >= 500 ? 'INTERNAL' : 'INVALID_ARGUMENT');
}

const byHttpStatus: Readonly<Record<number, string>> = {
  400: 'INVALID_ARGUMENT',
  401: 'UNAUTHENTICATED',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  409: 'ALREADY_EXISTS',
  429: 'RESOURCE_EXHAUSTED',
  503: 'UNAVAILABLE',
};
