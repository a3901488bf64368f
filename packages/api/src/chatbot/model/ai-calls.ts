import type { AiPurpose, AiReply, AiUsage } from '@app/domain/chatbot/model/ai-models';
import type { ApiDependencies } from '../../platform/request-context.ts';
import type { ReadScope } from '../../platform/workspace-scope.ts';
import type { StoredAiConnection } from './ai-connections.ts';

const DAY_MS = 86_400_000;

export type AiUsageOfDay = { calls: number; tokens: number; cost: number | null };

/** Of the last 24 hours. */
export async function readUsage(scope: ReadScope): Promise<AiUsageOfDay> {
  const { rows } = await scope.query<{ calls: number; tokens: string; cost: string | null }>(
    `SELECT count(*)::int AS calls, coalesce(sum(input_tokens + output_tokens), 0)::text AS tokens, sum(cost)::text AS cost
       FROM ai_calls WHERE workspace_id = $1 AND asked_at > $2 AND state IN ('begun', 'done', 'failed')`,
    [scope.workspaceId, new Date(scope.clock().getTime() - DAY_MS)],
  );
  const { calls = 0, tokens = '0', cost = null } = rows[0] ?? {};
  return { calls, tokens: Number(tokens), cost: cost === null ? null : Number(cost) };
}

/** Answers of a model in one conversation since then. */
export async function countAnswers(
  scope: ReadScope,
  { contactId, channelId, since }: { contactId: string; channelId: string; since: Date },
): Promise<number> {
  const { rows } = await scope.query<{ n: number }>(
    `SELECT count(*)::int AS n FROM ai_calls WHERE workspace_id = $1 AND contact_id = $2 AND channel_id = $3 AND asked_at >= $4
        AND purpose IN ('answer', 'flow')`,
    [scope.workspaceId, contactId, channelId, since],
  );
  return rows[0]?.n ?? 0;
}

/** Commit this before the call leaves. */
export async function storeAiCall(
  scope: ReadScope,
  {
    id,
    purpose,
    state,
    contactId = null,
    channelId = null,
    model = null,
  }: {
    id: string;
    purpose: AiPurpose;
    state: 'asked' | 'begun';
    contactId?: string | null;
    channelId?: string | null;
    model?: string | null;
  },
): Promise<void> {
  await scope.query(
    `INSERT INTO ai_calls (id, workspace_id, purpose, contact_id, channel_id, state, model, asked_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
     ON CONFLICT DO NOTHING`,
    [id, scope.workspaceId, purpose, contactId, channelId, state, model, scope.clock()],
  );
}

export async function settleAiCall(
  scope: ReadScope,
  id: string,
  {
    state,
    problem = null,
    usage = { inputTokens: 0, outputTokens: 0 },
    cost = null,
    durationMs = null,
  }: {
    state: 'done' | 'failed' | 'unused';
    problem?: string | null;
    usage?: AiUsage;
    cost?: number | null;
    durationMs?: number | null;
  },
): Promise<void> {
  // The contact first, as everybody does: who erases it takes its id out of its calls.
  await scope.query(
    `SELECT FROM contacts WHERE workspace_id = $1 AND id = (SELECT contact_id FROM ai_calls WHERE workspace_id = $1 AND id = $2)
        FOR NO KEY UPDATE`,
    [scope.workspaceId, id],
  );
  await scope.query(
    `UPDATE ai_calls SET state = $3, problem = $4, input_tokens = $5, output_tokens = $6, cost = $7, duration_ms = $8, ended_at = $9
      WHERE workspace_id = $1 AND id = $2 AND state IN ('asked', 'begun')`,
    [
      ...[scope.workspaceId, id, state, problem, usage.inputTokens, usage.outputTokens],
      ...[cost, durationMs, scope.clock()],
    ],
  );
}

/** The same for every outcome of a call. */
export async function settleReply(
  scope: ReadScope,
  id: string,
  reply: AiReply<unknown>,
  prices: Pick<StoredAiConnection, 'price_in' | 'price_out'>,
): Promise<void> {
  if (!reply.ok)
    return settleAiCall(scope, id, {
      state: 'failed',
      problem: reply.problem,
      durationMs: reply.durationMs,
    });
  const { usage, durationMs } = reply;
  return settleAiCall(scope, id, { state: 'done', usage, cost: costOf(usage, prices), durationMs });
}

/** No job is of use for longer (`usefulSeconds`): a call that is open after this has lost its process. */
const LOST_MS = 30 * 60_000;

/** Calls whose process died, of all workspaces. Nobody knows what they cost. */
export async function settleLostCalls({ db, clock }: Pick<ApiDependencies, 'db' | 'clock'>): Promise<void> {
  const now = clock();
  await db.systemPool.query(
    `UPDATE ai_calls SET state = CASE state WHEN 'begun' THEN 'failed' ELSE 'unused' END,
            problem = CASE state WHEN 'begun' THEN 'interrupted' END, ended_at = $1
      WHERE state IN ('asked', 'begun') AND asked_at < $2`,
    [now, new Date(now.getTime() - LOST_MS)],
  );
}

/** In millionths of the currency, rounded up; null where the workspace entered no prices. */
export function costOf(
  { inputTokens, outputTokens }: AiUsage,
  { price_in, price_out }: Pick<StoredAiConnection, 'price_in' | 'price_out'>,
): number | null {
  if (price_in === null || price_out === null) return null;
  return Math.ceil((inputTokens * Number(price_in) + outputTokens * Number(price_out)) / 1_000_000);
}
