import type { InboundEvent } from '@app/domain/messaging/inbound-event';
import { storableText } from '@app/domain/text/storable-text';

/** JSON text of any value that a jsonb column takes. */
export function storableJson(value: unknown): string {
  const text = JSON.stringify(value) ?? 'null';
  // Both would stand there as escapes. To look at each part costs more than all the rest.
  if (!UNSTORABLE_ESCAPE.test(text)) return text;
  return JSON.stringify(value, (_, part) => (typeof part === 'string' ? storableText(part) : part));
}

const UNSTORABLE_ESCAPE = /\\u(?:0000|d[89a-f])/;

/** An event in the platform's own words, with what it says of the person beside it. */
export function storablePayload({ raw, contact }: Pick<InboundEvent, 'raw' | 'contact'>): string {
  const isObject = typeof raw === 'object' && raw !== null && !Array.isArray(raw);
  return storableJson(contact !== undefined && isObject ? { ...raw, _contact: contact } : raw);
}
