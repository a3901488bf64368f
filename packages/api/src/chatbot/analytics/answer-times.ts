import type { AiPurpose } from '@app/domain/chatbot/model/ai-models';
import type { ReadScope } from '../../platform/workspace-scope.ts';

/** The newest say how fast it is now. */
const MOST_ANSWERS = 5_000;

export type AnswerTimes = { answers: number; medianMs: number | null; slowestMs: number | null };

/** From the message of the customer to the first message of the bot that left: the median, and what nine of ten answers are faster than. */
export async function findAnswerTimes(scope: ReadScope, since: Date): Promise<AnswerTimes> {
  const { rows } = await scope.query<{ answers: number; median: number | null; slowest: number | null }>(
    `SELECT count(*)::int AS answers, percentile_cont(0.5) WITHIN GROUP (ORDER BY took)::float8 AS median,
            percentile_cont(0.9) WITHIN GROUP (ORDER BY took)::float8 AS slowest
       FROM (SELECT extract(epoch FROM min(o.sent_at) - m.occurred_at) * 1000 AS took
               FROM (SELECT message_id, flow_id FROM bot_answers WHERE workspace_id = $1 AND decided_at > $2
                      ORDER BY decided_at DESC LIMIT ${MOST_ANSWERS}) AS a
               JOIN messages m ON m.id = a.message_id AND m.workspace_id = $1
               JOIN flow_starts s ON s.workspace_id = $1 AND s.flow_id = a.flow_id AND s.source = 'bot/' || a.message_id
               JOIN flow_effects e ON e.run_id = s.run_id JOIN messages o ON o.id = e.message_id AND o.sent_at IS NOT NULL
              GROUP BY a.message_id, m.occurred_at) AS t WHERE took >= 0`,
    [scope.workspaceId, since],
  );
  const { answers = 0, median = null, slowest = null } = rows[0] ?? {};
  return { answers, medianMs: median && Math.round(median), slowestMs: slowest && Math.round(slowest) };
}

export type AiCost = { purpose: AiPurpose; calls: number; tokens: number; cost: number | null };

/** What calls to models were made for, and what they cost where prices are set: in millionths of the currency. */
export async function findAiCosts(scope: ReadScope, since: Date): Promise<AiCost[]> {
  const { rows } = await scope.query<
    Omit<AiCost, 'tokens' | 'cost'> & { tokens: string; cost: string | null }
  >(
    `SELECT purpose, count(*)::int AS calls, sum(input_tokens + output_tokens)::text AS tokens, sum(cost)::text AS cost FROM ai_calls
      WHERE workspace_id = $1 AND asked_at > $2 AND state IN ('begun', 'done', 'failed') GROUP BY purpose ORDER BY sum(input_tokens + output_tokens) DESC, purpose`,
    [scope.workspaceId, since],
  );
  return rows.map(({ tokens, cost, ...row }) => ({
    ...{ ...row, tokens: Number(tokens), cost: cost === null ? null : Number(cost) },
  }));
}
