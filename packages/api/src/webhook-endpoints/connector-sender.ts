import { databaseTrouble } from '@app/database/query-error';
import { needsPerson, type ConnectorProblem } from '@app/domain/integrations/connector-problems';
import type { ConnectorEvent, EventOutcome } from '@app/domain/integrations/event-connector';
import { wordsOf } from '../platform/connectors/words-of.ts';
import { openConnector } from '../platform/connectors/open-connector.ts';
import type { ApiDependencies } from '../platform/request-context.ts';
import type { LineConnection } from './connector-lines.ts';
import type { ToldThread } from './connector-threads.ts';
import type { AttemptResult } from './webhook-attempts.ts';

/**
 * One attempt through the connector of a line. What fails by itself is an answer too: an event that cannot be composed is over, credentials that cannot be
 * opened are for a person, and after a connector that throws nobody knows. `compose`: what is sent.
 */
export async function sendThrough(
  parts: Pick<ApiDependencies, 'calls' | 'secrets' | 'logger'>,
  workspaceId: string,
  { kind, credentials }: LineConnection,
  compose: () => Promise<ConnectorEvent | null>,
): Promise<AttemptResult> {
  const never = kind.events?.withoutAnswer === 'never';
  const startedAt = performance.now();
  let event: ConnectorEvent | null = null;
  let outcome: EventOutcome;
  let fault: EventOutcome = { outcome: 'refused', detail: 'event_not_composed' };
  try {
    event = await compose();
    // The person is gone, or was told of in an attempt whose answer was lost.
    if (event === null) return readLine({ outcome: 'skipped' }, { event, never, durationMs: 0 });
    if (never && event.mayBeThere) return lost();
    fault = failedBy('credentials_wrong', false);
    const connector = await openConnector(parts, kind, { workspaceId, credentials });
    fault = failedBy('response_unreadable', true);
    outcome = (await connector.events?.send(event)) ?? { outcome: 'skipped' };
  } catch (error) {
    if (databaseTrouble(error) !== undefined) throw error;
    parts.logger.error({ err: error, workspaceId, kind: kind.name }, 'an event could not be sent');
    outcome = fault;
  }
  return readLine(outcome, { event, never, durationMs: Math.round(performance.now() - startedAt) });
}

function failedBy(problem: ConnectorProblem, isUnknown: boolean): EventOutcome {
  return { outcome: 'failed', problem, detail: null, retryAfterMs: null, isUnknown };
}

const nothing = { isOver: false, isGone: false, needsPerson: false, thread: null };
const empty = {
  ...{ durationMs: 0, requestHeaders: {}, responseStatus: null, responseHeaders: null, responseBody: null },
  ...{ isResponseCut: false, retryAfterMs: null, isStopped: false, reason: null },
};

function lost(): AttemptResult {
  return { ...empty, outcome: 'unknown', reason: 'interrupted', line: { ...nothing, isOver: true } };
}

function readLine(
  outcome: EventOutcome,
  { event, never, durationMs }: { event: ConnectorEvent | null; never: boolean; durationMs: number },
): AttemptResult {
  const common = { ...empty, durationMs };
  switch (outcome.outcome) {
    case 'sent':
      return {
        ...{ ...common, outcome: 'ok' },
        line: { ...nothing, thread: event && threadOf(event, outcome.thread) },
      };
    case 'skipped':
      return { ...common, outcome: 'ok', reason: 'skipped', line: nothing };
    case 'refused':
      return {
        ...{ ...common, outcome: 'rejected', reason: 'refused', responseBody: wordsOf(outcome.detail) },
        line: { ...nothing, isOver: true },
      };
    case 'gone':
      return { ...common, outcome: 'rejected', reason: 'gone', line: { ...nothing, isGone: true } };
    case 'failed': {
      const { problem, detail, retryAfterMs, isUnknown } = outcome;
      return {
        ...{ ...common, outcome: isUnknown ? 'unknown' : 'rejected', reason: problem },
        ...{ responseBody: wordsOf(detail), retryAfterMs },
        line: { ...nothing, isOver: isUnknown && never, needsPerson: needsPerson.includes(problem) },
      };
    }
  }
}

function threadOf(
  { conversation, messages, occurredAt }: ConnectorEvent,
  told: { target: string; thread: string } | undefined,
): ToldThread | null {
  if (!conversation || !told) return null;
  return { conversationId: conversation.id, ...told, toldUntil: messages.at(-1)?.at ?? occurredAt };
}
