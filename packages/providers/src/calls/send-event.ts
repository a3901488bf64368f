import { problemOfCall } from '@app/domain/integrations/connector-kind';
import type { EventOutcome } from '@app/domain/integrations/event-connector';
import type { CallOutcome } from '@app/domain/network/outgoing-calls';
import { parseJson, recordOf, textOf } from './json-values.ts';

/** For one attempt: the lease of a line is longer. */
export const SEND_TIMEOUT_MS = 9_000;

/** What an attempt to send an event means where the vendor says no more than its status. A 400 or 422 concerns the event alone. */
export function outcomeOfSend(outcome: CallOutcome): EventOutcome {
  const problem = problemOfCall(outcome);
  // A page of HTML is of something between us and the service: whether the event arrived nobody knows.
  if (outcome.outcome === 'ok' && outcome.response.text().trimStart().startsWith('<'))
    return {
      ...{ outcome: 'failed', problem: 'response_unreadable', detail: null },
      ...{ retryAfterMs: null, isUnknown: true },
    };
  if (problem === null) return { outcome: 'sent' };
  const status = outcome.outcome === 'rejected' ? outcome.response.status : null;
  const detail = outcome.outcome === 'rejected' ? wordsOf(outcome.response.text()) : null;
  if (status === 400 || status === 413 || status === 422)
    return { outcome: 'refused', detail: detail ?? `HTTP ${status}` };
  return {
    ...{ outcome: 'failed', problem, detail },
    retryAfterMs: 'retryAfterMs' in outcome ? outcome.retryAfterMs : null,
    // A server that broke down in the middle may have taken it; one that says 503 did not begin.
    isUnknown:
      outcome.outcome === 'unknown' || status === 408 || (status !== null && status >= 500 && status !== 503),
  };
}

/** The service's own words: of JSON its sentence or code. A page of HTML, or JSON without either, says nothing to people. */
function wordsOf(text: string): string | null {
  const words = text.trim();
  if (words === '' || words.startsWith('<')) return null;
  if (!/^[{[]/.test(words)) return words.slice(0, 300);
  const { message, error, detail } = recordOf(parseJson(words));
  return (textOf(message) ?? textOf(error) ?? textOf(detail))?.slice(0, 300) ?? null;
}
