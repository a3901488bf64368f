import { resumeBotState } from '@app/domain/chatbot/bot-state';
import type { BotSettings } from '@app/domain/chatbot/bot-settings';
import { decideAnswer } from '@app/domain/chatbot/decide-answer';
import { flowsOfSender, settingsOfSender } from '@app/domain/chatbot/sender-settings';
import { findKeyword } from '@app/domain/chatbot/match-keywords';
import { businessTimeBetween, type BusinessHours } from '@app/domain/conversations/teamwork/business-time';
import { lockBotState, writeBotState } from '../conversations/bot-states.ts';
import { findTalkingRun } from '../automation/bot-flows.ts';
import type { FactConsumer, StoredFact } from '../platform/facts/fact-consumer.ts';
import type { Jobs } from '../platform/jobs/enqueue-job.ts';
import type { WorkspaceScope } from '../platform/workspace-scope.ts';
import { findMessagingSettings } from '../settings/messaging-settings.ts';
import { applyDecision, findActiveFlows, isAnswered, type ActiveFlow } from './apply-decision.ts';
import { findArrived, lockContacts, type Arrived } from './arrived-messages.ts';
import { findAnswersFlow, findBotSettings } from './bot-settings.ts';
import { askModel, findModelStep } from './model/ask-model.ts';

/**
 * Answers people who write. It decides and stores why, and starts a run of the flow engine that says it: unique by the message, so that it is said once
 * however often the message is told of. Where a model has to be asked, a job does so and decides with what comes of it.
 */
export const answerMessages: FactConsumer = {
  name: 'chatbot',
  order: 'none',
  atDepthLimit: 'refuse',
  types: ['messages.arrived'],
  async handle(page, facts, { jobs }) {
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
      const { channelId } = message;
      const fact = facts.find((one) => idsArrived([one]).includes(message.messageId))!; // its id was read from one of them
      await answer(page.causedBy(fact), {
        ...{ message, fact, builtIn, jobs, hours: businessHours },
        settings: settingsOfSender(settings, channelId),
        flows: flowsOfSender(settings, channelId, flows),
      });
    }
  },
};

async function answer(
  scope: WorkspaceScope,
  {
    message,
    fact: { depth },
    settings,
    flows,
    builtIn,
    hours,
    jobs,
  }: {
    message: Arrived;
    fact: StoredFact;
    settings: BotSettings;
    flows: readonly ActiveFlow[];
    builtIn: { flowId: string; version: number };
    hours: BusinessHours | null;
    jobs: Jobs | undefined;
  },
): Promise<void> {
  const { conversationId, messageId } = message;
  const now = scope.clock();
  const found = await lockBotState(scope, conversationId);
  if (!found || (await isAnswered(scope, messageId))) return;
  const before = resumeBotState(found.state, now.getTime(), settings.resumeAfterHours);
  const talking = await findTalkingRun(scope, message);
  const decision = decideAnswer({
    ...{ settings, message, before, talking, flows, now: now.getTime() },
    wasTalking: found.state?.status === 'active',
    isOpen: isOpenAt(hours, message.writtenAt),
    model: jobs ? await findModelStep(scope, { message, settings, since: before.since }) : { state: 'none' },
  });
  if (!('ask' in decision))
    return applyDecision(scope, decision, {
      message,
      settings,
      flows,
      builtIn,
      depth,
      talking,
      askedAt: now,
    });
  await askModel(scope, jobs!, { message, depth }); // without jobs no model is ready
  return writeBotState(scope, conversationId, decision.state);
}

export function isOpenAt(hours: BusinessHours | null, at: number): boolean {
  return hours === null || businessTimeBetween(hours, at, at + 1) > 0;
}

/** Of all that somebody wrote at once, newest first, the last; a word that asks for people goes before it. */
function chooseMessage(settings: BotSettings, messages: readonly Arrived[]): Arrived {
  const asks = settings.autoHandoffEnabled
    ? messages.find(({ text }) => findKeyword(text, settings.handoffKeywords) !== null)
    : undefined;
  return asks ?? messages[0]!; // no group is empty
}

function idsArrived(facts: readonly StoredFact[]): string[] {
  return facts.flatMap(({ values }) => (Array.isArray(values['messageIds']) ? values['messageIds'] : []));
}
