import type { BotSettings } from '@app/domain/chatbot/bot-settings';
import { findKeyword } from '@app/domain/chatbot/match-keywords';
import { assignsByItself } from '@app/domain/conversations/inbox-settings';
import { lockConversations } from '../conversations/bot-states.ts';
import { findInboxSettings } from '../conversations/teamwork/inbox-settings.ts';
import type { FactConsumer, StoredFact } from '../platform/facts/fact-consumer.ts';
import type { Jobs } from '../platform/jobs/enqueue-job.ts';
import type { WorkspaceScope } from '../platform/workspace-scope.ts';
import { findMessagingSettings } from '../settings/messaging-settings.ts';
import { answerOne } from './answer-one.ts';
import { findActiveFlows } from './apply-decision.ts';
import { findArrived, type Arrived } from './arrived-messages.ts';
import { findAnswersFlow, findBotSettings } from './bot-settings.ts';

type Page = Parameters<FactConsumer['handle']>[0];

/**
 * Answers people who write. It decides and stores why, and starts a run of the flow engine that says it: unique by the message, so that it is said once
 * however often the message is told of. Where a model has to be asked, a job does so and decides with what comes of it.
 */
export const answerMessages: FactConsumer = {
  name: 'chatbot',
  order: 'none',
  atDepthLimit: 'refuse',
  types: ['messages.arrived'],
  // Whoever wrote waits for the answer.
  isPrompt: 'first',
  async handle(page, facts, { jobs }) {
    const settings = await findBotSettings(page);
    if (!settings.isEnabled) return;
    await answerAll(page, facts, settings, jobs);
    await leaveToPeople(page.causedBy(facts[0]!), idsArrived(facts)); // no page is empty
  },
};

async function answerAll(
  page: Page,
  facts: readonly StoredFact[],
  settings: BotSettings,
  jobs: Jobs | undefined,
): Promise<void> {
  const builtIn = await findAnswersFlow(page);
  if (!builtIn) return;
  const { businessHours: hours, consentWords } = await findMessagingSettings(page);
  const arrived = await findArrived(page, idsArrived(facts), consentWords);
  if (arrived.length === 0) return;
  await lockConversations(
    page,
    arrived.map(({ conversationId }) => conversationId),
  );
  const flows = await findActiveFlows(page);
  for (const ofConversation of Map.groupBy(arrived, ({ conversationId }) => conversationId).values()) {
    const message = chooseMessage(settings, ofConversation);
    const fact = facts.find((one) => idsArrived([one]).includes(message.messageId))!; // its id was read from one of them
    const { depth } = fact;
    await answerOne(page.causedBy(fact), { message, depth, settings, flows, builtIn, hours, jobs });
  }
}

/** Of all that somebody wrote at once, newest first, the last; a word that asks for people goes before it. */
function chooseMessage(settings: BotSettings, messages: readonly Arrived[]): Arrived {
  const asks = settings.autoHandoffEnabled
    ? messages.find(({ text }) => findKeyword(text, settings.handoffKeywords) !== null)
    : undefined;
  return asks ?? messages[0]!; // no group is empty
}

/**
 * While the bot is on, a conversation that opens is not assigned before the bot has seen it (`autoAssignConversations`). What it has no part in, and what
 * was only told that the business is closed, is named here.
 */
async function leaveToPeople(scope: WorkspaceScope, messageIds: readonly string[]): Promise<void> {
  if (!assignsByItself(await findInboxSettings(scope))) return;
  const { rows } = await scope.query<{ id: string; contact_id: string }>(
    `SELECT DISTINCT c.id, c.contact_id FROM messages m JOIN conversations c ON c.contact_id = m.contact_id AND c.channel_id = m.channel_id
      WHERE m.workspace_id = $1 AND m.id = ANY ($2::uuid[]) AND c.status = 'open' AND c.assignee_id IS NULL AND NOT c.awaits_assignee
        AND (c.bot_state->>'status' IS DISTINCT FROM 'active' OR c.bot_state->>'closedSaidAt' IS NOT NULL)
      ORDER BY c.id`,
    [scope.workspaceId, messageIds],
  );
  if (rows.length === 0) return;
  await scope.emit({
    ...{ type: 'chatbot.left_to_people', subject: null },
    values: {
      conversationIds: rows.map(({ id }) => id),
      contactIds: [...new Set(rows.map(({ contact_id: id }) => id))],
    },
  });
}

function idsArrived(facts: readonly StoredFact[]): string[] {
  return facts.flatMap(({ values }) => (Array.isArray(values['messageIds']) ? values['messageIds'] : []));
}
