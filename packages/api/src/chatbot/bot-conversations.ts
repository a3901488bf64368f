import type { botAnswer, botConversation } from '@app/contracts/chatbot/chatbot-contract';
import { bindTo } from '@app/database/bind-value';
import { personOf } from '@app/domain/auth/caller';
import { changeBotStatus, readBotState, type BotState, type BotStatus } from '@app/domain/chatbot/bot-state';
import type { z } from 'zod';
import { stopBotRuns } from '../automation/bot-flows.ts';
import { lockBotState, writeBotState } from '../conversations/bot-states.ts';
import {
  COLUMNS,
  JOINS,
  presentConversation,
  type ConversationRow,
} from '../conversations/conversations-queries.ts';
import { cutPage, readTimeCursor, timeKey } from '../platform/keyset.ts';
import type { ReadScope, WorkspaceScope } from '../platform/workspace-scope.ts';

export type BotConversation = z.infer<typeof botConversation>;
export type BotPart = Omit<BotConversation, 'conversation'>;
export type ShownAnswer = z.infer<typeof botAnswer>;

/** In which the bot has a part, whatever the inbox did with them. */
export async function listBotConversations(
  scope: ReadScope,
  { status, limit, cursor }: { status?: BotStatus | undefined; limit: number; cursor?: string | undefined },
): Promise<{ items: BotConversation[]; nextCursor: string | null }> {
  const values: unknown[] = [personOf(scope.caller), scope.workspaceId];
  const bind = bindTo(values);
  const conditions = ['c.workspace_id = $2', 'c.bot_state IS NOT NULL'];
  if (status) conditions.push(`c.bot_state->>'status' = ${bind(status, 'text')}`);
  const after = readTimeCursor(cursor);
  if (after)
    conditions.push(
      `(c.last_activity_at, c.id) < (${bind(after.key, 'timestamptz')}, ${bind(after.id, 'uuid')})`,
    );
  const { rows } = await scope.query<ConversationRow & { bot_state: unknown }>(
    `SELECT ${COLUMNS}, c.bot_state FROM conversations c ${JOINS} WHERE ${conditions.join(' AND ')}
      ORDER BY c.last_activity_at DESC, c.id DESC LIMIT ${bind(limit + 1, 'integer')}`,
    values,
  );
  const found = cutPage(rows, limit, ({ place: key, id }) => ({ key, id }));
  return {
    nextCursor: found.nextCursor,
    items: found.items.map((row) => ({
      conversation: presentConversation(row),
      ...presentState(readBotState(row.bot_state)!), // those without a state are not found
    })),
  };
}

export async function findBotPart(
  scope: ReadScope,
  conversationId: string,
): Promise<{ bot: BotPart | null } | 'conversation_not_found'> {
  const { rows } = await scope.query<{ bot_state: unknown }>(
    'SELECT bot_state FROM conversations WHERE workspace_id = $1 AND id = $2',
    [scope.workspaceId, conversationId],
  );
  if (!rows[0]) return 'conversation_not_found';
  const state = readBotState(rows[0].bot_state);
  return { bot: state && presentState(state) };
}

/** By a person: what the bot is about to say is not said any more, except where it is handed back. */
export async function setBotStatus(
  scope: WorkspaceScope,
  { conversationId, status }: { conversationId: string; status: BotStatus },
): Promise<{ bot: BotPart } | 'conversation_not_found'> {
  const { rows } = await scope.query<{ contact_id: string; channel_id: string }>(
    `SELECT k.id AS contact_id, c.channel_id FROM contacts k JOIN conversations c ON c.contact_id = k.id
      WHERE c.workspace_id = $1 AND c.id = $2 FOR NO KEY UPDATE OF k`,
    [scope.workspaceId, conversationId],
  );
  const [of] = rows;
  if (!of) return 'conversation_not_found';
  if (status !== 'active')
    await stopBotRuns(scope, { contactId: of.contact_id, channelId: of.channel_id, code: 'taken_over' });
  const found = await lockBotState(scope, conversationId);
  if (!found) return 'conversation_not_found';
  const state = changeBotStatus(found.state, status, scope.clock().getTime());
  if (state !== found.state) {
    await writeBotState(scope, conversationId, state);
    const contactIds = [found.contactId];
    await scope.emit({
      type: 'chatbot.status_changed',
      subject: conversationId,
      values: { contactIds, status, before: found.state?.status ?? null },
    });
  }
  return { bot: presentState(state) };
}

type AnswerRow = {
  message_id: string;
  contact_id: string;
  rule: ShownAnswer['rule'];
  flow_id: string | null;
  flow_name: string | null;
  built_in: string | null;
  keyword: string | null;
  intent: string | null;
  confidence: number | null;
  handoff: ShownAnswer['handoff'];
  model: ShownAnswer['model'];
  question: string | null;
  written_at: Date;
  decided_at: Date;
  place: string;
  answers: { messageId: string; text: string }[] | null;
};

/** The newest first, of one conversation or of all. What a run sent is known as long as runs are kept; the reason stays. */
export async function listBotAnswers(
  scope: ReadScope,
  {
    conversationId,
    limit,
    cursor,
  }: { conversationId?: string | undefined; limit: number; cursor?: string | undefined },
): Promise<{ items: ShownAnswer[]; nextCursor: string | null } | 'conversation_not_found'> {
  if (conversationId && typeof (await findBotPart(scope, conversationId)) === 'string')
    return 'conversation_not_found';
  const values: unknown[] = [scope.workspaceId];
  const bind = bindTo(values);
  const conditions = ['a.workspace_id = $1'];
  if (conversationId)
    conditions.push(
      `(m.contact_id, m.channel_id) = (SELECT c.contact_id, c.channel_id FROM conversations c WHERE c.workspace_id = $1 AND c.id = ${bind(conversationId, 'uuid')})`,
    );
  const after = readTimeCursor(cursor);
  if (after)
    conditions.push(
      `(a.decided_at, a.message_id) < (${bind(after.key, 'timestamptz')}, ${bind(after.id, 'uuid')})`,
    );
  const { rows } = await scope.query<AnswerRow>(
    `SELECT a.message_id, m.contact_id, a.rule, a.flow_id, a.flow_name, a.built_in, a.keyword, a.intent, a.confidence, a.handoff, a.model,
            m.text AS question, m.occurred_at AS written_at, a.decided_at, ${timeKey('a.decided_at')} AS place,
            (SELECT jsonb_agg(jsonb_build_object('messageId', o.id, 'text', coalesce(o.text, '')) ORDER BY e.visit, e.number)
               FROM flow_effects e JOIN messages o ON o.id = e.message_id
              WHERE e.workspace_id = $1 AND e.run_id = coalesce(a.run_id, (
                      SELECT s.run_id FROM flow_starts s WHERE s.flow_id = a.flow_id AND s.source = 'bot/' || a.message_id AND s.workspace_id = $1))
                AND (a.run_id IS NULL OR e.asked_at >= a.decided_at) AND e.asked_at < coalesce((
                      SELECT min(n.decided_at) FROM bot_answers n
                       WHERE n.workspace_id = $1 AND n.contact_id = a.contact_id AND n.run_id = e.run_id AND n.decided_at > a.decided_at), 'infinity')) AS answers
       FROM bot_answers a JOIN messages m ON m.id = a.message_id AND m.workspace_id = $1
      WHERE ${conditions.join(' AND ')} ORDER BY a.decided_at DESC, a.message_id DESC LIMIT ${bind(limit + 1, 'integer')}`,
    values,
  );
  const found = cutPage(rows, limit, ({ place: key, message_id: id }) => ({ key, id }));
  return { items: found.items.map(presentAnswer), nextCursor: found.nextCursor };
}

function presentAnswer(row: AnswerRow): ShownAnswer {
  return {
    ...{ messageId: row.message_id, contactId: row.contact_id, rule: row.rule, builtIn: row.built_in },
    flow:
      ['flow', 'run'].includes(row.rule) && row.flow_id !== null
        ? { id: row.flow_id, name: row.flow_name ?? '' }
        : null,
    ...{ keyword: row.keyword, intent: row.intent, confidence: row.confidence, handoff: row.handoff },
    model: row.model,
    question: row.question ?? '',
    writtenAt: row.written_at.toISOString(),
    decidedAt: row.decided_at.toISOString(),
    answers: row.answers ?? [],
  };
}

function presentState({ status, reason, since, handedOverAt, handoff }: BotState): BotPart {
  const isWaiting = status === 'waiting';
  return {
    ...{ status, reason: isWaiting ? reason : null, since: new Date(since).toISOString() },
    handoff: isWaiting && handoff ? { ...handoff, at: new Date(handedOverAt ?? since).toISOString() } : null,
  };
}
