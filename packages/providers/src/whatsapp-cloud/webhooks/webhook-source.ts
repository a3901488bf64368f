import { createHash } from 'node:crypto';
import type { ChannelProblem, UnknownEvent } from '@app/domain/messaging/inbound-event';
import { readWebhookError } from '../graph-error.ts';

/** Where an event came from: one `changes[]` element and its surroundings. */
export type WebhookSource = {
  field: string;
  wabaId: string;
  phoneNumberId: string | null;
  displayPhoneNumber: string | null;
  /** `entry[].time` in milliseconds, 0 when missing. */
  entryTime: number;
};

export const emptySource: WebhookSource = {
  field: '',
  wabaId: '',
  phoneNumberId: null,
  displayPhoneNumber: null,
  entryTime: 0,
};

/** An event for something that is kept but not understood. Its key is a digest of the content. */
export function unknownEvent(
  source: WebhookSource,
  reason: UnknownEvent['reason'],
  raw: unknown,
): UnknownEvent {
  return {
    type: 'unknown',
    dedupKey: managementKey(source, raw),
    occurredAt: source.entryTime,
    account: source.wabaId,
    address: source.phoneNumberId,
    field: source.field,
    reason,
    raw,
  };
}

/** Errors that stand beside or in place of messages, and belong to none of them. */
export function problemEvent(source: WebhookSource, errors: readonly unknown[]): ChannelProblem {
  return {
    type: 'channel_problem',
    dedupKey: managementKey(source, { errors }),
    occurredAt: source.entryTime,
    account: source.wabaId,
    address: source.phoneNumberId,
    errors: errors.map(readWebhookError),
    raw: { errors },
  };
}

/** Key of an event without an id of its own: field, account, time and content. */
export function managementKey(source: WebhookSource, value: unknown): string {
  const digest = createHash('sha256')
    .update(JSON.stringify(value) ?? '')
    .digest('base64url')
    .slice(0, 22);
  return `${source.field}:${source.wabaId}:${source.entryTime}:${digest}`;
}

/** An event for a body that could not be taken apart at all. */
export function textEvent(text: string): UnknownEvent {
  return unknownEvent(emptySource, 'unexpected_shape', text);
}
