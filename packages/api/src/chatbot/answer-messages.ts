import { resumeBotState, type BotState } from '@app/domain/chatbot/bot-state';
import type { BotSettings } from '@app/domain/chatbot/bot-settings';
import { decideAnswer, type ActiveBotFlow, type BotAnswer } from '@app/domain/chatbot/decide-answer';
import { findKeyword } from '@app/domain/chatbot/match-keywords';
import { businessTimeBetween, type BusinessHours } from '@app/domain/conversations/teamwork/business-time';
import { addStarts } from '@app/flows/flow-starts';
import { runClasses } from '@app/flows/flow-host';
import { stopBotRuns } from '../automation/bot-flows.ts';
import { lockBotState, writeBotState } from '../conversations/bot-states.ts';
import type { FactConsumer, PageScope, StoredFact } from '../platform/facts/fact-consumer.ts';
import type { WorkspaceScope } from '../platform/workspace-scope.ts';
import { findMessagingSettings } from '../settings/messaging-settings.ts';
import { findArrived, lockContacts, type Arrived } from './arrived-messages.ts';
import { findAnswersFlow, findBotSettings } from './bot-settings.ts';

/**
 * Answers people who write. It decides and stores why, and starts a run of the flow engine that says it: unique by the message, so that it is said once
 * however often the message is told of.
 */
export const answerMessages: FactConsumer = {
  name: 'chatbot',
  order: 'none',
  atDepthLimit: 'refuse',
  types: ['messages.arrived'],
  async handle(page, facts) {
    const settings = await findBotSettings(page);
    if (!settings.isEnabled) return;
    const builtIn = await findAnswersFlow(page);
    if (!builtIn) return;
    const { businessHours, consentWords } = await findMessagingSettings(page);
    const arrived = await findArrived(page, idsArrived(facts), consentWords);
    if (arrived.length === 0) return;
    await lockContacts(
      page,
      arrived.map(({ contactId }) => contactId),
    );
    const flows = await findActiveFlows(page);
    for (const ofConversation of Map.groupBy(arrived, ({ conversationId }) => conversationId).values()) {
      const message = chooseMessage(settings, ofConversation);
      const fact = facts.find((one) => idsArrived([one]).includes(message.messageId))!; // its id was read from one of them
      await answer(page.causedBy(fact), { message, fact, settings, flows, builtIn, hours: businessHours });
    }
  },
};

type Flow = ActiveBotFlow & { version: number };

async function answer(
  scope: WorkspaceScope,
  {
    message,
    fact,
    settings,
    flows,
    builtIn,
    hours,
  }: {
    message: Arrived;
    fact: StoredFact;
    settings: BotSettings;
    flows: readonly Flow[];
    builtIn: { flowId: string; version: number };
    hours: BusinessHours | null;
  },
): Promise<void> {
  const { conversationId, contactId, channelId, messageId, writtenAt } = message;
  const now = scope.clock().getTime();
  const found = await lockBotState(scope, conversationId);
  if (!found || (await isAnswered(scope, messageId))) return;
  const before = resumeBotState(found.state, now);
  const decision = decideAnswer({
    ...{ settings, message, before, flows, now },
    wasTalking: found.state?.status === 'active',
    isOpen: hours === null || businessTimeBetween(hours, writtenAt, writtenAt + 1) > 0,
  });
  if ('silent' in decision) {
    if (decision.silent !== 'loop') return;
    await writeBotState(scope, conversationId, decision.state);
    await emitHandoff(scope, message, decision.state);
    return;
  }
  const { answer: chosen, state } = decision;
  if (state.status === 'waiting') await stopBotRuns(scope, { contactId, channelId, code: 'handed_over' });
  const flow = flows.find(({ id }) => id === chosen.flowId);
  const { flowId, version } = flow ? { flowId: flow.id, version: flow.version } : builtIn;
  await storeAnswer(scope, message, chosen, { flowId, name: flow?.name ?? null });
  if (state.status === 'waiting') await countHandoff(scope, message);
  await addStarts(scope, [
    {
      ...{ flowId, version, triggerId: 'begin', contactId, channelId, source: `bot/${messageId}` },
      values: {
        ...{ answer: chosen.text ?? '', keyword: chosen.keyword ?? '', text: message.text },
        ...{ channel_id: channelId, message_id: messageId },
      },
      ...{ class: runClasses.person, depth: fact.depth, at: new Date(writtenAt) },
      // Those of a flow say themselves when they come.
      notBefore: flow ? undefined : new Date(now + settings.responseDelay),
    },
  ]);
  await writeBotState(scope, conversationId, state);
  const contactIds = [contactId];
  await scope.emit({
    type: 'chatbot.answered',
    subject: conversationId,
    values: { contactIds, rule: chosen.rule },
  });
  await emitHandoff(scope, message, state);
}

/** Of all that somebody wrote at once, newest first, the last; a word that asks for people goes before it. */
function chooseMessage(settings: BotSettings, messages: readonly Arrived[]): Arrived {
  const asks = settings.autoHandoffEnabled
    ? messages.find(({ text }) => findKeyword(text, settings.handoffKeywords) !== null)
    : undefined;
  return asks ?? messages[0]!; // no group is empty
}

async function emitHandoff(
  scope: WorkspaceScope,
  { conversationId, contactId }: Arrived,
  { status, reason }: BotState,
): Promise<void> {
  if (status !== 'waiting' || reason === null) return;
  const values = { contactIds: [contactId], reason };
  await scope.emit({ type: 'chatbot.handed_over', subject: conversationId, values });
}

async function isAnswered(scope: WorkspaceScope, messageId: string): Promise<boolean> {
  const { rowCount } = await scope.query(
    'SELECT FROM bot_answers WHERE workspace_id = $1 AND message_id = $2',
    [scope.workspaceId, messageId],
  );
  return rowCount !== 0;
}

async function storeAnswer(
  scope: WorkspaceScope,
  { messageId, contactId, channelId }: Arrived,
  { rule, builtIn, keyword, intent, confidence, handoff }: BotAnswer,
  flow: { flowId: string; name: string | null },
): Promise<void> {
  await scope.query(
    `INSERT INTO bot_answers (message_id, workspace_id, contact_id, channel_id, rule, flow_id, flow_name, built_in, keyword, intent, confidence,
       handoff, decided_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)`,
    [
      ...[messageId, scope.workspaceId, contactId, channelId, rule, flow.flowId, flow.name, builtIn, keyword],
      ...[intent, confidence, handoff, scope.clock()],
    ],
  );
}

/** The flow that spoke last is the one that did not get further. */
async function countHandoff(scope: WorkspaceScope, { contactId, channelId }: Arrived): Promise<void> {
  await scope.query(
    `UPDATE bot_flows b SET handoffs = b.handoffs + 1 FROM (
       SELECT flow_id FROM bot_answers WHERE workspace_id = $1 AND contact_id = $2 AND channel_id = $3 AND rule = 'flow'
        ORDER BY decided_at DESC LIMIT 1) AS last
      WHERE b.workspace_id = $1 AND b.id = last.flow_id`,
    [scope.workspaceId, contactId, channelId],
  );
}

async function findActiveFlows(page: PageScope): Promise<Flow[]> {
  const { rows } = await page.query<Omit<Flow, 'trigger'> & Flow['trigger']>(
    `SELECT f.id, f.name, f.published AS version, b.trigger_type AS type, b.trigger_value AS value
       FROM bot_flows b JOIN flows f ON f.id = b.id
      WHERE b.workspace_id = $1 AND f.status = 'active' ORDER BY b.priority, b.id`,
    [page.workspaceId],
  );
  return rows.map(({ type, value, ...flow }) => ({ ...flow, trigger: { type, value } }));
}

function idsArrived(facts: readonly StoredFact[]): string[] {
  return facts.flatMap(({ values }) => (Array.isArray(values['messageIds']) ? values['messageIds'] : []));
}
