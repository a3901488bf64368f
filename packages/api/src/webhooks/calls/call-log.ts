import type pg from 'pg';
import { writeArray } from '@app/delivery/sql-array';
import { newId } from '@app/database/new-id';
import type { ChannelKind } from '@app/domain/channels/channel-kind';
import { SHOWN_WEBHOOK_CALLS, type WebhookCallState } from '@app/domain/webhooks/webhook-call';
import type { ApiDependencies } from '../../platform/request-context.ts';
import type { UpkeepWork } from '../../platform/features/server-feature.ts';
import { storableText } from '../storable.ts';

type Noted = {
  kind: ChannelKind;
  workspaceId: string;
  at: Date;
  state: WebhookCallState;
  status: number;
  milliseconds: number;
  bytes: number;
  /** Of one that proved who calls. */
  body: Uint8Array | null;
};

/** Of one workspace between two writings: of more the last ones are kept. */
const MOST_AT_ONCE = 20;
const SOON_MS = 700;
const BUSY = 3;
const LATER_MS = 20_000;
/** A longer body is told by its size. */
const LONGEST_BODY = 8 * 1024;

/**
 * Keeps calls in memory and writes them in groups, behind their answers and never more often than somebody who looks would notice. What
 * is not written when the process ends is lost: these rows prove nothing, they help to look.
 */
export function createCallLog({ db, logger, stopping }: Pick<ApiDependencies, 'db' | 'logger' | 'stopping'>) {
  let waiting = new Map<string, Noted[]>();
  let timer: NodeJS.Timeout | undefined;
  let last = { calls: 0, at: 0 };

  async function write(): Promise<void> {
    timer = undefined;
    const calls = [...waiting.values()].flat();
    waiting = new Map();
    last = { calls: calls.length, at: performance.now() };
    if (stopping.aborted) return;
    try {
      await insertCalls(db.systemPool, calls);
    } catch (error) {
      logger.warn({ err: error }, 'calls of the platform could not be noted');
    }
  }

  return (call: Noted): void => {
    const { body } = call;
    const isShort = body !== null && body.byteLength <= LONGEST_BODY;
    const calls = waiting.get(call.workspaceId) ?? [];
    if (calls.length >= MOST_AT_ONCE) calls.shift();
    // The bytes may lie in a buffer that is used again.
    calls.push({ ...call, body: isShort ? new Uint8Array(body) : null });
    waiting.set(call.workspaceId, calls);
    timer ??= setTimeout(() => void write(), pauseBefore(last, performance.now())).unref();
  };
}

/** Behind a large group the next one is gathered for longer; a call that comes long after it is written soon. */
export function pauseBefore(last: { calls: number; at: number }, now: number): number {
  return last.calls > BUSY ? Math.max(SOON_MS, last.at + LATER_MS - now) : SOON_MS;
}

async function insertCalls(pool: pg.Pool, calls: readonly Noted[]): Promise<void> {
  await pool.query(
    `INSERT INTO webhook_calls (id, workspace_id, kind, at, state, status, milliseconds, bytes, outline)
     SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::timestamptz[], $5::text[], $6::integer[], $7::integer[], $8::integer[], $9::text[])`,
    [
      writeArray(calls.map(() => newId())),
      writeArray(calls.map(({ workspaceId }) => workspaceId)),
      writeArray(calls.map(({ kind }) => kind.name)),
      writeArray(calls.map(({ at }) => at.toISOString())),
      writeArray(calls.map(({ state }) => state)),
      writeArray(calls.map(({ status }) => status)),
      writeArray(calls.map(({ milliseconds }) => milliseconds)),
      writeArray(calls.map(({ bytes }) => bytes)),
      writeArray(calls.map(outlineOf)),
    ],
  );
}

function outlineOf({ kind, body }: Noted): string | null {
  if (body === null || !kind.webhooks.outline) return null;
  return storableText(kind.webhooks.outline(body));
}

/** Those that nobody is shown any more; the refused ones have places of their own, so that guesses push nothing out. */
export const forgetWebhookCalls: UpkeepWork = ({ db }) =>
  db.systemPool.query(
    `DELETE FROM webhook_calls WHERE id IN (
       SELECT id FROM (
         SELECT id, row_number() OVER (PARTITION BY workspace_id, status = 200 ORDER BY at DESC, id DESC) AS place FROM webhook_calls
       ) AS ordered WHERE place > $1)`,
    [SHOWN_WEBHOOK_CALLS],
  );
