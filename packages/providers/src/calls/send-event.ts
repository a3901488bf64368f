import { problemOfCall } from '@app/domain/integrations/connector-kind';
import type { EventOutcome } from '@app/domain/integrations/event-connector';
import type { CallOutcome } from '@app/domain/network/outgoing-calls';

/** For one attempt: the lease of a line is longer. */
export const SEND_TIMEOUT_MS = 9_000;

/** What an attempt to send an event means where the vendor says no more than its status. A 400 or 422 concerns the event alone. */
export function outcomeOfSend(outcome: CallOutcome): EventOutcome {
  const problem = problemOfCall(outcome);
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

/** A page of HTML says nothing to people. */
function wordsOf(text: string): string | null {
  const words = text.trim().slice(0, 300);
  return words === '' || words.startsWith('<') ? null : words;
}
