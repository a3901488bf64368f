import { spellingsOf } from '@app/domain/contacts/number-spellings';
import type { SendResult } from '@app/domain/messaging/channel-port';
import type { DeliveryError, RejectionAction } from '@app/domain/messaging/rejection';
import { decideErrorAction, findErrorRule } from './error-table.ts';
import { readGraphError } from './graph-error.ts';
import type { HttpExchange } from '../calls/http-transport.ts';
import { isRecord, type JsonRecord, listOf, parseJson } from './json-reading.ts';

/**
 * What one exchange proves about one message. Only a readable statement counts as a refusal: there is no idempotency key,
 * so everything that leaves a doubt is `unknown`.
 */
export function readSendResult(exchange: HttpExchange): SendResult {
  if (!exchange.ok) {
    return exchange.phase === 'before_send'
      ? { outcome: 'not_sent', reason: exchange.reason }
      : { outcome: 'unknown', reason: exchange.reason };
  }
  const { status } = exchange;
  const answer = parseJson(exchange.body.toString('utf8'));
  if (status >= 200 && status < 300) return readAcceptance(answer);

  const error = readGraphError(answer, status);
  if (error !== undefined) return readRejection(error, status);
  if (status >= 500) return { outcome: 'unknown', reason: 'server_error' };
  const plainAction = actionForPlainStatus(status);
  if (plainAction === undefined) return { outcome: 'unknown', reason: 'response_unreadable' };
  const plainError = { code: `http_${status}`, title: `HTTP status ${status}`, httpStatus: status };
  return { outcome: 'refused', error: plainError, action: plainAction };
}

function readAcceptance(answer: unknown): SendResult {
  const message = firstMessage(answer);
  const id = message?.['id'];
  if (typeof id !== 'string' || id === '') {
    return { outcome: 'unknown', reason: 'response_unreadable' };
  }
  const knownAs = readOtherId(answer);
  const accepted = { outcome: 'accepted', providerMessageId: id, ...(knownAs && { knownAs }) } as const;
  if (message?.['message_status'] === 'held_for_quality_assessment')
    return { ...accepted, hold: 'held_for_quality' };
  return message?.['message_status'] === 'paused' ? { ...accepted, hold: 'paused' } : accepted;
}

/** The answer repeats the number as it was sent and says by which one the platform knows the person; replies name that one. */
function readOtherId(answer: unknown): string | undefined {
  const contact = isRecord(answer) ? listOf(answer['contacts'])[0] : undefined;
  if (!isRecord(contact)) return undefined;
  const [sentTo, known] = [contact['input'], contact['wa_id']].map((value) =>
    typeof value === 'string' && /^\+?\d{5,15}$/.test(value) ? `+${value.replace('+', '')}` : undefined,
  );
  return sentTo && known && !spellingsOf(sentTo).includes(known) ? known : undefined;
}

function readRejection(graphError: DeliveryError & { transient: boolean }, status: number): SendResult {
  const { transient, ...error } = graphError;
  const rule = findErrorRule(error.code);
  const isCatchAll = rule === undefined || error.code === '1';
  // A listed code says at which check the platform stopped; the catch-all of a failing server says nothing of the kind.
  if (isCatchAll && (status >= 500 || (transient && rule === undefined && status !== 429))) {
    return { outcome: 'unknown', reason: 'server_error', error };
  }
  const action: RejectionAction =
    rule === undefined && status === 429 ? { kind: 'lower_rate' } : decideErrorAction(error.code);
  return { outcome: 'refused', error, action };
}

/** A 4xx without the Graph envelope comes from a gateway in front: it did not pass the message on, except perhaps with 408. */
function actionForPlainStatus(status: number): RejectionAction | undefined {
  if (status < 400 || status === 408 || status === 499) return undefined;
  if (status === 429) return { kind: 'lower_rate' };
  if (status === 401 || status === 403 || status === 404 || status === 407) {
    return { kind: 'stop_channel', blocks: 'everything' };
  }
  return { kind: 'fail' };
}

function firstMessage(answer: unknown): JsonRecord | undefined {
  const first = isRecord(answer) ? listOf(answer['messages'])[0] : undefined;
  return isRecord(first) ? first : undefined;
}
