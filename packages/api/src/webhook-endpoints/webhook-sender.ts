import { newId } from '@app/database/new-id';
import { webhookLimits } from '@app/domain/webhook-endpoints/webhook-rules';
import type { CallOutcome } from '@app/domain/network/outgoing-calls';
import { storableText } from '@app/domain/text/storable-text';
import type { BackgroundWorker } from '../platform/features/server-feature.ts';
import type { ApiDependencies } from '../platform/request-context.ts';
import { changeAsSystem } from '../platform/system-work.ts';
import { composeLineEvent } from './connector-lines.ts';
import { sendThrough } from './connector-sender.ts';
import { webhookHeaders } from './sign-webhook.ts';
import {
  beginAttempt,
  LEASE_SECONDS,
  settleAttempt,
  type AttemptResult,
  type BegunAttempt,
  type Leased,
} from './webhook-attempts.ts';

const LOOK_EVERY_MS = 1_000;
/** Endpoints that one process sends for at the same time. Each waits for its own receiver alone. */
const MOST_AT_ONCE = 200;
/** Nothing leaves without a signature, such as after the key of the installation was lost. */
const NOT_SIGNED = { outcome: 'not_sent', reason: 'invalid_request', retryAfterMs: null } as const;
/** Of the connections that all work in the background shares. */
const CONNECTIONS = 4;
/** Open pages hear at most so often that deliveries of a workspace changed. */
const TELL_EVERY_MS = 1_000;

/**
 * Sends what waits, for each endpoint in its order and at its rate, one call at a time. Endpoints are apart: one that is slow or fails holds up no other.
 * Any number of processes share the work: an endpoint belongs to one of them at a time, and to another one when that died.
 */
export const webhookSender: BackgroundWorker = (parts) => {
  const owner = newId();
  const stopping = new AbortController();
  const chains = new Map<string, Promise<void>>();
  const toldAt = new Map<string, number>();
  const inTurn = takeTurns(CONNECTIONS);

  async function look(): Promise<void> {
    const own = [...chains.keys()];
    await renewLeases(parts, owner, own);
    const room = MOST_AT_ONCE - chains.size;
    if (room <= 0) return;
    for (const lease of await takeLeases(parts, owner, own, room)) {
      const chain = sendAll(lease)
        .catch((error: unknown) =>
          parts.logger.warn({ err: error }, 'webhooks of an endpoint wait for a moment'),
        )
        .finally(() => chains.delete(lease.endpointId));
      chains.set(lease.endpointId, chain);
    }
  }

  /** Until nothing is due. */
  async function sendAll(lease: Leased): Promise<void> {
    let startedAt = 0;
    while (!stopping.signal.aborted) {
      const begun = await inWorkspace(lease, (scope) => beginAttempt(scope, lease, parts));
      if (!begun) return;
      await waitFor(startedAt + 1_000 / begun.perSecond - performance.now(), stopping.signal);
      startedAt = performance.now();
      const result = await send(lease, begun);
      await inWorkspace(lease, (scope) => settleAttempt(scope, lease, begun, result, Math.random()));
      emit(lease.workspaceId, begun.through ? 'integrations' : 'webhook-endpoints');
    }
  }

  async function send(lease: Leased, attempt: BegunAttempt): Promise<AttemptResult> {
    const { endpointId, workspaceId } = lease;
    const { through, body, url } = attempt;
    if (through)
      return sendThrough(parts, workspaceId, through.connection, () =>
        inWorkspace(lease, (scope) => composeLineEvent(scope, parts, through.connection, through.line)),
      );
    const requestHeaders = await signed(attempt).catch((error: unknown) => {
      parts.logger.error({ err: error, workspaceId, endpointId }, 'a webhook could not be signed');
      return null;
    });
    if (requestHeaders === null)
      return { ...readOutcome({ ...NOT_SIGNED, durationMs: 0, attempts: 0 }), requestHeaders: {} };
    const outcome = await parts.calls.call({
      ...{ service: `webhook:${endpointId}`, method: 'POST', url, body, headers: requestHeaders },
      ...{ timeoutMs: webhookLimits.timeoutMs, largestResponse: webhookLimits.storedResponse },
      signal: stopping.signal,
    });
    return { ...readOutcome(outcome), requestHeaders };
  }

  async function signed({ deliveryId: id, body, secrets }: BegunAttempt): Promise<Record<string, string>> {
    const opened = await Promise.all(secrets.map((sealed) => parts.secrets.open(sealed)));
    return webhookHeaders(opened, { id, at: parts.clock(), body });
  }

  function inWorkspace<Result>(
    { workspaceId }: Leased,
    work: Parameters<typeof changeAsSystem<Result>>[3],
  ): Promise<Result> {
    return inTurn(() => changeAsSystem(parts, 'outgoing-webhooks', workspaceId, work));
  }

  function emit(workspaceId: string, topic: 'integrations' | 'webhook-endpoints'): void {
    const now = performance.now();
    if (now - (toldAt.get(`${workspaceId} ${topic}`) ?? -TELL_EVERY_MS) < TELL_EVERY_MS) return;
    toldAt.set(`${workspaceId} ${topic}`, now);
    // The last change is told too, a moment later.
    const timer = setTimeout(() => void parts.liveEvents.publish(workspaceId, topic), TELL_EVERY_MS / 2);
    timer.unref();
  }

  let looking: Promise<void> | undefined;
  const timer = setInterval(() => {
    looking ??= look()
      .catch((error: unknown) =>
        parts.logger.warn({ err: error }, 'webhooks wait until the database answers'),
      )
      .finally(() => (looking = undefined));
  }, LOOK_EVERY_MS);
  return {
    async stop() {
      clearInterval(timer);
      stopping.abort();
      await looking;
      await Promise.all(chains.values());
    },
  };
};

/** Renews leases that are half over. An attempt through a connector may make several calls, one after the other, and the endpoint must stay with this process meanwhile. */
async function renewLeases({ db }: ApiDependencies, owner: string, own: readonly string[]): Promise<void> {
  if (own.length === 0) return;
  await db.systemPool.query(
    `UPDATE webhook_endpoints SET lease_until = now() + $2 * interval '1 second' WHERE lease_owner = $1 AND id = ANY ($3::uuid[])
        AND lease_until < now() + $2 * interval '0.5 seconds'`,
    [owner, LEASE_SECONDS, own],
  );
}

/** Takes the lease of endpoints that are due and have no valid lease. Endpoints for which this process already sends are left out, even if their lease has ended. */
async function takeLeases(
  { db, clock }: ApiDependencies,
  owner: string,
  own: readonly string[],
  most: number,
): Promise<Leased[]> {
  const { rows } = await db.systemPool.query<{ workspace_id: string; id: string }>(
    `UPDATE webhook_endpoints e SET lease_owner = $1, lease_until = now() + $2 * interval '1 second'
       FROM (SELECT workspace_id, id FROM webhook_endpoints
              WHERE next_due_at <= $3 AND (lease_until IS NULL OR lease_until < now()) AND id <> ALL ($5::uuid[])
              ORDER BY next_due_at LIMIT $4 FOR UPDATE SKIP LOCKED) AS due
      WHERE e.workspace_id = due.workspace_id AND e.id = due.id RETURNING e.workspace_id, e.id`,
    [owner, LEASE_SECONDS, clock(), most, own],
  );
  return rows.map(({ workspace_id: workspaceId, id: endpointId }) => ({ workspaceId, endpointId, owner }));
}

function readOutcome(outcome: CallOutcome): Omit<AttemptResult, 'requestHeaders'> {
  const response = 'response' in outcome ? outcome.response : null;
  const reason = 'reason' in outcome ? outcome.reason : null;
  return {
    outcome: outcome.outcome,
    reason:
      outcome.outcome === 'rejected' && reason === 'status' ? `http_${outcome.response.status}` : reason,
    durationMs: outcome.durationMs,
    responseStatus: response?.status ?? null,
    responseHeaders: response ? { ...response.headers } : null,
    responseBody: response ? storableText(response.text()) : null,
    isResponseCut: response ? !response.isComplete : false,
    retryAfterMs: 'retryAfterMs' in outcome ? outcome.retryAfterMs : null,
    isStopped: reason === 'cancelled',
  };
}

/** At most so many at the same time, the others in the order in which they came. */
function takeTurns(most: number) {
  let open = 0;
  const waiting: (() => void)[] = [];
  return async <Result>(work: () => Promise<Result>): Promise<Result> => {
    if (open < most) open += 1;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else open -= 1;
    }
  };
}

function waitFor(ms: number, signal: AbortSignal): Promise<void> {
  if (ms <= 0 || signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const over = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', over);
      resolve();
    };
    const timer = setTimeout(over, ms);
    signal.addEventListener('abort', over);
  });
}
