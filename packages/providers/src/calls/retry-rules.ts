import type { CallResult, NotSentReason, OutgoingCall } from '@app/domain/network/outgoing-calls';

const FIRST_PAUSE_MS = 500;
/** What no later attempt of the same call changes. */
const FOR_GOOD: readonly NotSentReason[] = [
  ...(['invalid_address', 'address_refused', 'invalid_request', 'rate_limited', 'cancelled'] as const),
];

/** Whether another attempt may go well and cannot do anything twice that must be done once. */
export function mayTryAgain({ method = 'GET', retry }: OutgoingCall, result: CallResult): boolean {
  const mayRepeat = retry?.mayRepeat ?? ['GET', 'HEAD', 'PUT', 'DELETE'].includes(method);
  switch (result.outcome) {
    case 'ok':
      return false;
    case 'not_sent':
      return !FOR_GOOD.includes(result.reason);
    case 'unknown':
      return mayRepeat && result.reason !== 'cancelled';
    case 'rejected': {
      if (result.reason !== 'status') return false;
      const { status } = result.response;
      if (status === 429 || (status === 503 && result.retryAfterMs !== null)) return true;
      return mayRepeat && (status === 408 || status >= 500);
    }
  }
}

/** What the service asks for, else a pause that doubles, of which at least the half is waited: `chance` is from 0 to 1. */
export function pauseBefore(result: CallResult, attempts: number, chance: number): number {
  const asked = 'retryAfterMs' in result ? result.retryAfterMs : null;
  if (asked !== null) return asked;
  return FIRST_PAUSE_MS * 2 ** (attempts - 1) * (0.5 + chance / 2);
}
