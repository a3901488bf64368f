/** The error statuses of the platform that have an HTTP status of their own. */
const statuses = {
  INVALID_ARGUMENT: 400,
  UNAUTHENTICATED: 401,
  PERMISSION_DENIED: 403,
  NOT_FOUND: 404,
  ALREADY_EXISTS: 409,
  RESOURCE_EXHAUSTED: 429,
  INTERNAL: 500,
  UNAVAILABLE: 503,
} as const;

export type RcsStatus = keyof typeof statuses;

/** An answer in the envelope that all of the platform's errors have. */
export class RcsError extends Error {
  readonly status: RcsStatus;

  constructor(status: RcsStatus, message: string) {
    super(message);
    this.status = status;
  }

  get code(): (typeof statuses)[RcsStatus] {
    return statuses[this.status];
  }

  toBody(): object {
    return { error: { code: this.code, message: this.message, status: this.status } };
  }
}
