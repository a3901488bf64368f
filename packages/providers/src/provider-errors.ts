import type { NotSentReason, UnknownReason } from '@app/domain/messaging/channel-port';
import type { DeliveryError } from '@app/domain/messaging/rejection';

/** The vendor answered and said no. Holds no token and no phone number. */
export class ProviderRejected extends Error {
  readonly code: string;
  readonly subcode: string | undefined;
  readonly httpStatus: number;
  readonly retryable: boolean;
  readonly title: string;
  readonly details: string | undefined;
  readonly traceId: string | undefined;

  constructor(error: DeliveryError, httpStatus: number, retryable: boolean) {
    super(`The provider refused with code ${error.code}: ${error.details ?? error.title}`);
    this.name = 'ProviderRejected';
    this.code = error.code;
    this.subcode = error.subcode;
    this.httpStatus = httpStatus;
    this.retryable = retryable;
    this.title = error.title;
    this.details = error.details;
    this.traceId = error.traceId;
  }
}

/** No readable answer came. `before_send`: nothing left this machine; `after_send`: the vendor may have acted. */
export class ProviderUnreachable extends Error {
  readonly phase: 'before_send' | 'after_send';
  readonly reason: NotSentReason | UnknownReason;

  constructor(phase: 'before_send' | 'after_send', reason: NotSentReason | UnknownReason) {
    super(`The provider could not be reached: ${reason}`);
    this.name = 'ProviderUnreachable';
    this.phase = phase;
    this.reason = reason;
  }
}
