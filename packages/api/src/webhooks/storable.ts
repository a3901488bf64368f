import type { InboundEvent } from '@app/domain/messaging/inbound-event';

/** PostgreSQL stores neither NUL nor half surrogate pairs; both become the replacement character. */
export function storableText(text: string): string {
  return text.replaceAll('\0', '\ufffd').toWellFormed();
}

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
