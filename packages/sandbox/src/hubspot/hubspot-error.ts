import { randomUUID } from 'node:crypto';
import type { JsonObject } from '../core/json.ts';

/** An error as the vendor sends it. */
export class HubspotError extends Error {
  readonly status: number;
  readonly body: JsonObject;
  readonly headers: Record<string, string>;

  constructor(status: number, category: string, message: string, more: JsonObject = {}) {
    super(message);
    const { retryAfter, ...rest } = more;
    this.status = status;
    this.headers = typeof retryAfter === 'string' ? { 'retry-after': retryAfter } : {};
    this.body = { status: 'error', message, correlationId: randomUUID(), category, ...rest };
  }
}

export const notFound = (): HubspotError => new HubspotError(404, 'OBJECT_NOT_FOUND', 'resource not found');
export const invalid = (message: string): HubspotError => new HubspotError(400, 'VALIDATION_ERROR', message);
