import type { BotState, HandoffSummary } from '@app/domain/chatbot/bot-state';
import { BUILT_IN_INTENT } from '@app/domain/chatbot/built-in-answers';
import { addStarts } from '@app/flows/flow-starts';
import { runClasses } from '@app/flows/flow-host';
import { chooseLanguage } from '@app/domain/text/interface-language';
import { lockBotState, lockConversations, writeBotState } from '../../conversations/bot-states.ts';
import type { FactConsumer, StoredFact } from '../../platform/facts/fact-consumer.ts';
import type { Jobs } from '../../platform/jobs/enqueue-job.ts';
import type { WorkspaceJobKind } from '../../platform/jobs/job-kind.ts';
import type { ReadScope, WorkspaceScope } from '../../platform/workspace-scope.ts';
import { setBotStatus } from '../bot-conversations.ts';
import { findAnswersFlow, findBotSettings } from '../bot-settings.ts';
import { findWriter } from '../model/write-text.ts';
import { findWaitText } from './expected-wait.ts';
import { readFlowAnswers } from './flow-answers.ts';
import { botHandoffSummary } from './summarize-handoff.ts';

/**
 * What follows when the bot hands a conversation over, by a rule or by a flow, and when people resolve it: what agents have to know is written into it, a model is asked to put it
 * into words where one is ready, and a customer of a flow hears how long it takes. The other texts of a handoff say so themselves.
 */
export const followHandoffs: FactConsumer = {
  name: 'chatbot-handoffs',
  order: 'none',
  atDepthLimit: 'refuse',
  types: ['chatbot.handed_over', 'conversation.status_changed', 'conversations.changed'],
  async handle(page, facts, { jobs }) {
    await lockConversations(page, facts.flatMap(conversationsOf));
    for (const fact of facts)
      await (fact.type === 'chatbot.handed_over'
        ? follow(page.causedBy(fact), fact, jobs)
        : endTalks(page.causedBy(fact), fact));
  },
};

/** Whom a fact is about: those handed over, or those that were resolved. */
function conversationsOf({ type, subject, values }: StoredFact): string[] {
  const { status, change = 'status', conversationIds = [subject] } = values;
  if (type === 'chatbot.handed_over') return subject === null ? [] : [subject];
  return status === 'resolved' && change === 'status' && Array.isArray(conversationIds)
    ? conversationIds.filter((id) => typeof id === 'string')
    : [];
}

/** What a person resolved is over for the bot, too: the next message of the customer begins anew. */
async function endTalks(scope: WorkspaceScope, fact: StoredFact): Promise<void> {
  const { rows } = await scope.query<{ id: string }>(
    `SELECT id FROM conversations WHERE workspace_id = $1 AND id = ANY ($2::uuid[]) AND bot_state->>'status' = 'waiting'`,
    [scope.workspaceId, conversationsOf(fact)],
  );
  for (const { id } of rows) await setBotStatus(scope, { conversationId: id, status: 'resolved' });
}

async function follow(
  scope: WorkspaceScope,
  { id, subject, depth, values }: StoredFact,
  jobs: Jobs | undefined,
): Promise<void> {
  if (subject === null) return;
  const found = await lockBotState(scope, subject);
  // It was handed back meanwhile, or a fact of before is heard again.
  if (found?.state?.status !== 'waiting' || found.state.handoff) return;
  const { contactId, channelId, state } = found;
  // Of these no answer says it yet: they stand with the last one.
  if (values['reason'] === 'flow' || values['reason'] === 'loop')
    await scope.query(
      `UPDATE bot_answers SET handoff = $4 WHERE workspace_id = $1 AND handoff IS NULL AND message_id = (
         SELECT message_id FROM bot_answers WHERE workspace_id = $1 AND contact_id = $2 AND channel_id = $3 ORDER BY decided_at DESC, message_id LIMIT 1)`,
      [scope.workspaceId, contactId, channelId, values['reason']],
    );
  const handoff = await describeHandoff(scope, { contactId, channelId, state });
  await writeBotState(scope, subject, { ...state, handoff });
  const settings = await findBotSettings(scope);
  if (jobs && typeof (await findWriter(scope, settings)) !== 'string')
    await jobs.enqueue(scope, botHandoffSummary as WorkspaceJobKind<object>, `${subject}/${id}`, {
      ...{ conversationId: subject, handedOverAt: state.handedOverAt },
    });
  if (values['reason'] === 'flow') await tellWait(scope, { id, depth, contactId, channelId });
}

/** By rules alone: the last words of the customer, and what is known of this talk with the bot. */
export async function describeHandoff(
  scope: ReadScope,
  {
    contactId,
    channelId,
    state: { since },
  }: { contactId: string; channelId: string; state: Pick<BotState, 'since'> },
): Promise<HandoffSummary> {
  const of = [scope.workspaceId, contactId, channelId];
  const { rows: said } = await scope.query<{ text: string }>(
    `SELECT left(m.text, 500) AS text FROM messages m WHERE m.workspace_id = $1 AND m.contact_id = $2 AND m.channel_id = $3
        AND m.direction = 'in' AND is_said(m) AND m.text ~ '\\S' ORDER BY m.occurred_at DESC, m.id DESC LIMIT 1`,
    of,
  );
  const { rows: answers } = await scope.query<{
    intent: string | null;
    entities: { name: string; value: string }[] | null;
  }>(
    `SELECT nullif(a.intent, '${BUILT_IN_INTENT}') AS intent, a.model->'entities' AS entities FROM bot_answers a
      WHERE a.workspace_id = $1 AND a.contact_id = $2 AND a.channel_id = $3 AND a.decided_at >= $4
      ORDER BY a.decided_at DESC LIMIT 50`,
    [...of, new Date(since)],
  );
  // Of several values with one name the last is what holds.
  const values = new Map<string, string>(await readFlowAnswers(scope, { contactId, channelId, since }));
  for (const { name, value } of answers.flatMap(({ entities }) => entities ?? []))
    if (!values.has(name)) values.set(name, value);
  return {
    question: said[0]?.text ?? '',
    intent: answers.find(({ intent }) => intent !== null)?.intent ?? null,
    values: [...values].slice(0, 20).map(([name, value]) => ({ name, value })),
    text: null,
  };
}

/** The flow has said its words; this comes after them. */
async function tellWait(
  scope: WorkspaceScope,
  { id, depth, contactId, channelId }: { id: number; depth: number; contactId: string; channelId: string },
): Promise<void> {
  const builtIn = await findAnswersFlow(scope);
  if (!builtIn) return;
  const { rows } = await scope.query<{ language: string | null; workspace: string | null }>(
    `SELECT k.language, w.language AS workspace FROM contacts k JOIN workspaces w ON w.id = k.workspace_id
      WHERE k.workspace_id = $1 AND k.id = $2 AND k.status <> 'blocked' AND k.opted_out_at IS NULL`,
    [scope.workspaceId, contactId],
  );
  const [contact] = rows;
  if (!contact) return;
  const language = chooseLanguage([contact.language?.replaceAll('_', '-'), contact.workspace]);
  const answer = await findWaitText(scope, await findBotSettings(scope), language);
  if (answer === null) return;
  await addStarts(scope, [
    {
      ...{ ...builtIn, triggerId: 'begin', contactId, channelId, source: `bot/handoff/${id}` },
      values: { answer, keyword: '', text: '', channel_id: channelId },
      ...{ class: runClasses.person, depth, at: scope.clock() },
    },
  ]);
}
