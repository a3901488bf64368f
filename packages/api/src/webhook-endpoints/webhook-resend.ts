import { findOpenOperations, type StoredOperation } from '../platform/operations/operation-rows.ts';
import type { SteppingKind } from '../platform/operations/step-operation.ts';
import type { ReadScope } from '../platform/workspace-scope.ts';
import { wakeSender } from './enqueue-deliveries.ts';
import { hostOf } from './webhook-endpoints-queries.ts';

export type ResendWish = {
  endpointId: string;
  which: 'failed' | 'all';
  from: string | null;
  to: string;
  /** Nobody named an end: `to` is the time of the request. */
  isUntilNow: boolean;
};

const AT_ONCE = 1_000;
/** What waits is sent anyway, and what names an erased person has no body any more. `$1` to `$5` are workspace, endpoint, which, from and to. */
const CHOSEN = `workspace_id = $1 AND endpoint_id = $2 AND body IS NOT NULL
  AND (status = 'failed' OR $3 = 'all' AND status IN ('delivered', 'cancelled'))
  AND ($4::timestamptz IS NULL OR created_at >= $4) AND created_at < $5::timestamptz`;
const valuesOf = (scope: ReadScope, { endpointId, which, from, to }: ResendWish) => [
  ...[scope.workspaceId, endpointId, which, from, to],
];

export async function countToResend(scope: ReadScope, wish: ResendWish): Promise<number> {
  const { rows } = await scope.query<{ n: number }>(
    `SELECT count(*)::int AS n FROM webhook_deliveries WHERE ${CHOSEN}`,
    valuesOf(scope, wish),
  );
  return rows[0]?.n ?? 0;
}

/** A resend of the same deliveries that is not over: a second request for it, such as from another tab, gets this one, and nothing is sent twice. */
export async function findSameResend(
  scope: ReadScope,
  wish: ResendWish,
): Promise<StoredOperation | undefined> {
  const open = await findOpenOperations(scope, webhookResend.name);
  return open
    .map((operation) => ({ operation, before: wishOf(operation) }))
    .find(
      ({ before }) =>
        before.endpointId === wish.endpointId &&
        before.which === wish.which &&
        before.from === wish.from &&
        before.isUntilNow === wish.isUntilNow &&
        (wish.isUntilNow || before.to === wish.to),
    )?.operation;
}

/** Puts deliveries beside the line again, in their order and each under its id: new events do not wait for them. */
export const webhookResend = {
  name: 'webhook-resend',
  async step(scope, operation) {
    const wish = wishOf(operation);
    const now = scope.clock();
    await wakeSender(scope, scope.workspaceId, [{ endpoint_id: wish.endpointId, is_manual: false }], now);
    const after = typeof operation.resume['lineNo'] === 'string' ? operation.resume['lineNo'] : '0';
    // One microsecond apart, so that they are sent in their order.
    const { rows } = await scope.query<{ line_no: string }>(
      `WITH chosen AS (SELECT id, line_no, row_number() OVER (ORDER BY line_no) AS place FROM webhook_deliveries
          WHERE ${CHOSEN} AND line_no > $6 ORDER BY line_no LIMIT ${AT_ONCE})
       UPDATE webhook_deliveries d SET status = 'waiting', is_in_line = false, first_attempt_at = NULL, settled_at = NULL,
              next_attempt_at = $7::timestamptz + chosen.place * interval '1 microsecond'
         FROM chosen WHERE d.workspace_id = $1 AND d.id = chosen.id RETURNING d.line_no`,
      [...valuesOf(scope, wish), after, now],
    );
    const last = rows.reduce(
      (most, row) => (BigInt(row.line_no) > most ? BigInt(row.line_no) : most),
      BigInt(after),
    );
    return { done: rows.length, resume: { lineNo: String(last) }, isOver: rows.length < AT_ONCE };
  },
  async onEnd(scope, { operation }) {
    const { endpointId } = wishOf(operation);
    const { rows } = await scope.query<{ url: string }>(
      'SELECT url FROM webhook_endpoints WHERE workspace_id = $1 AND id = $2',
      [scope.workspaceId, endpointId],
    );
    const [endpoint] = rows;
    const count = Number(operation.done);
    if (!endpoint || count === 0) return;
    const values = { host: hostOf(endpoint.url), count };
    await scope.emit({ type: 'webhook_endpoint.resent', subject: endpointId, values });
  },
} satisfies SteppingKind;

function wishOf({ wish }: StoredOperation): ResendWish {
  return wish as ResendWish; // as `resendMany` stored it
}
