import { createHash } from 'node:crypto';
import type { InboundEvent } from '@app/domain/messaging/inbound-event';

/** The events of one body, up to a limit: a body of three million bytes can hold a million elements that say nothing. */
export class EventList {
  readonly events: InboundEvent[] = [];
  readonly #most: number;

  constructor(most: number) {
    this.#most = most;
  }

  get length(): number {
    return this.events.length;
  }

  push(event: InboundEvent): void {
    if (this.events.length >= this.#most) throw new TooManyEvents();
    this.events.push(isLong(event.dedupKey) ? { ...event, dedupKey: shorten(event.dedupKey) } : event);
  }
}

export class TooManyEvents extends Error {
  override name = 'TooManyEvents';
}

/** An index takes no key of any length. */
function isLong(key: string): boolean {
  return key.length > 400;
}

function shorten(key: string): string {
  return `${key.slice(0, 60)}:${createHash('sha256').update(key).digest('base64url')}`;
}
