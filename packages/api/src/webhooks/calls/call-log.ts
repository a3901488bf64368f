import type pg from 'pg';
import { newId } from '@app/database/new-id';
import type { ChannelKind } from '@app/domain/channels/channel-kind';
import { SHOWN_WEBHOOK_CALLS, type WebhookCallState } from '@app/domain/webhooks/webhook-call';
import { storableText } from '@app/domain/text/storable-text';
import type { ApiDependencies } from '../../platform/request-context.ts';
import type { UpkeepWork } from '../../platform/features/server-feature.ts';

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
  /** Those that it was about, as far as it proved that. */
  channelIds: readonly string[];
  /** What it heard; null for what the platform does not look at. */
  answer: string | null;
};

/** Of one workspace between two writings: of more the last ones are kept. */
const MOST_AT_ONCE = 20;
const SOON_MS = 700;
const BUSY = 3;
const LATER_MS = 20_000;
/** A longer body is told by its size. */
const LONGEST_BODY = 8 * 1024;
/** Of an answer. */
const FIRST_CHARACTERS = 200;

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
    calls.push(
      isShort ? { ...call, body: standsAlone(body) ? body : new Uint8Array(body) } : { ...call, body: null },
    );
    waiting.set(call.workspaceId, calls);
    timer ??= setTimeout(() => void write(), pauseBefore(last, performance.now())).unref();
  };
}

/** Whether the bytes keep nothing else in memory: of thousands a second few are written, and copies of all would be garbage. */
function standsAlone(body: Uint8Array): boolean {
  return body.buffer.byteLength === body.byteLength;
}

/** Behind a large group the next one is gathered for longer; a call that comes long after it is written soon. */
export function pauseBefore(last: { calls: number; at: number }, now: number): number {
  return last.calls > BUSY ? Math.max(SOON_MS, last.at + LATER_MS - now) : SOON_MS;
}

async function insertCalls(pool: pg.Pool, calls: readonly Noted[]): Promise<void> {
  const rows = calls.map((call) => ({
    ...{ id: newId(), workspace_id: call.workspaceId, kind: call.kind.name, at: call.at.toISOString() },
    ...{ state: call.state, status: call.status, milliseconds: call.milliseconds, bytes: call.bytes },
    ...{ outline: outlineOf(call), channel_ids: call.channelIds },
    answer: call.answer === null ? null : storableText(call.answer.slice(0, FIRST_CHARACTERS)),
  }));
  await pool.query(
    `INSERT INTO webhook_calls (id, workspace_id, kind, at, state, status, milliseconds, bytes, outline, channel_ids, answer)
     SELECT id, workspace_id, kind, at, state, status, milliseconds, bytes, outline, channel_ids, answer
       FROM jsonb_to_recordset($1::jsonb) AS calls (id uuid, workspace_id uuid, kind text, at timestamptz, state text,
         status integer, milliseconds integer, bytes integer, outline text, channel_ids uuid[], answer text)`,
    [JSON.stringify(rows)],
  );
}

function outlineOf({ kind, body }: Noted): string | null {
  if (body === null || !kind.webhooks.outline) return null;
  return storableText(kind.webhooks.outline(body));
}

/** Those that nobody is shown any more. */
export const deleteWebhookCalls: UpkeepWork = ({ db }) =>
  db.systemPool.query(
    `DELETE FROM webhook_calls WHERE id IN (
       SELECT id FROM (
         SELECT id, row_number() OVER (PARTITION BY workspace_id, status = 200 ORDER BY at DESC, id DESC) AS place FROM webhook_calls
       ) AS ordered WHERE place > $1)`,
    [SHOWN_WEBHOOK_CALLS],
  );
