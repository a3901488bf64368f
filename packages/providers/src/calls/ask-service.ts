import { problemOfCall, type ConnectorCall } from '@app/domain/integrations/connector-kind';
import type { ConnectorProblem } from '@app/domain/integrations/connector-problems';
import type { Reply } from '@app/domain/integrations/contact-connector';
import type { CallOutcome, OutgoingCall } from '@app/domain/network/outgoing-calls';
import { unreadable, USUAL_PAUSE_MS } from './expected-answer.ts';
import { clockAheadOf } from './within-second.ts';

/** What went wrong beyond the status: the vendor's words, what they mean, and how long it asks to wait. Null for what says nothing more. */
export type ReadProblem = (
  outcome: CallOutcome,
) => { detail?: string | null; problem?: ConnectorProblem; retryAfterMs?: number } | null;

/** What a service answered. `clockAheadMs`: by how much its clock is ahead of ours, to tell which side edited last. */
export type Answer = {
  body: unknown;
  headers: Readonly<Record<string, string>>;
  status: number;
  clockAheadMs: number;
};

/** One call that answers with JSON. `mayRepeat`: the same request twice does no harm. */
export async function askService(
  call: ConnectorCall,
  request: Omit<OutgoingCall, 'service' | 'limit' | 'retry'> & { mayRepeat?: boolean },
  readProblem: ReadProblem = () => null,
): Promise<Reply<Answer>> {
  const { mayRepeat = true, ...rest } = request;
  const askedAt = Date.now();
  const outcome = await call({
    ...rest,
    timeoutMs: 20_000,
    largestResponse: 8 * 1024 * 1024,
    retry: { attempts: 3, mayRepeat, longestPauseMs: 5_000 },
  });
  const answeredAt = Date.now();
  const byStatus = problemOfCall(outcome);
  if (byStatus === null && outcome.outcome === 'ok') {
    const { status, headers, body } = outcome.response;
    const read = body.byteLength === 0 ? null : outcome.response.json();
    // A page of HTML in place of an answer.
    if (read === undefined) return unreadable;
    const clockAheadMs = clockAheadOf(headers, askedAt, answeredAt);
    return { ok: true, value: { body: read, headers, status, clockAheadMs } };
  }
  const said = readProblem(outcome);
  const problem = said?.problem ?? byStatus;
  const asked = 'retryAfterMs' in outcome ? outcome.retryAfterMs : null;
  const isPassing = problem === 'service_busy' || problem === 'service_away';
  return {
    ...{ ok: false, problem: problem ?? 'service_away', detail: said?.detail?.slice(0, 300) ?? null },
    retryAfterMs: asked ?? said?.retryAfterMs ?? (isPassing ? USUAL_PAUSE_MS : null),
  };
}
