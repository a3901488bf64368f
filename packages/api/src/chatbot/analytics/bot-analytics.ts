import type { HandoffReason } from '@app/domain/chatbot/bot-state';
import type { AnswerRule } from '@app/domain/chatbot/decide-answer';
import type { ReadScope } from '../../platform/workspace-scope.ts';
import { findAiCosts, findAnswerTimes } from './answer-times.ts';
import { findDropOff } from './flow-drop-off.ts';
import { findModelOutcomes } from './model-outcomes.ts';

const DAY_MS = 86_400_000;
const MOST_QUESTIONS = 20;

/** What the bot did within the last days. A conversation is solved by it where none of its answers handed over. */
export async function readBotAnalytics(scope: ReadScope, days: number) {
  const since = new Date(scope.clock().getTime() - days * DAY_MS);
  const of = [scope.workspaceId, since];
  const { rows: counted } = await scope.query<{ conversations: number; solved: number }>(
    `SELECT count(*)::int AS conversations, (count(*) FILTER (WHERE NOT handed_over))::int AS solved FROM (
       SELECT bool_or(handoff IS NOT NULL) AS handed_over FROM bot_answers
        WHERE workspace_id = $1 AND decided_at > $2 GROUP BY contact_id, channel_id) AS c`,
    of,
  );
  const { rows: answers } = await scope.query<{ rule: AnswerRule; n: number }>(
    `SELECT rule, count(*)::int AS n FROM bot_answers WHERE workspace_id = $1 AND decided_at > $2 GROUP BY rule ORDER BY n DESC, rule`,
    of,
  );
  const { rows: handoffs } = await scope.query<{ reason: HandoffReason; n: number }>(
    `SELECT handoff AS reason, count(*)::int AS n FROM bot_answers
      WHERE workspace_id = $1 AND decided_at > $2 AND handoff IS NOT NULL GROUP BY handoff ORDER BY n DESC, handoff`,
    of,
  );
  const { rows: unanswered } = await scope.query<{ question: string; n: number; lastAt: Date }>(
    `SELECT left(lower(btrim(regexp_replace(m.text, '\\s+', ' ', 'g'))), 200) AS question, count(*)::int AS n, max(a.decided_at) AS "lastAt"
       FROM bot_answers a JOIN messages m ON m.id = a.message_id AND m.workspace_id = $1
      WHERE a.workspace_id = $1 AND a.decided_at > $2 AND a.rule IN ('ask_details', 'fallback') AND m.text ~ '\\S'
      GROUP BY 1 ORDER BY n DESC, "lastAt" DESC, question LIMIT ${MOST_QUESTIONS}`,
    of,
  );
  const { conversations = 0, solved = 0 } = counted[0] ?? {};
  return {
    ...{ conversations, solved, answers, handoffs },
    flows: await findDropOff(scope, since),
    outcomes: await findModelOutcomes(scope, since),
    times: await findAnswerTimes(scope, since),
    costs: await findAiCosts(scope, since),
    unanswered: unanswered.map(({ lastAt, ...row }) => ({ ...row, lastAt: lastAt.toISOString() })),
  };
}
