import type { BotSettings } from '@app/domain/chatbot/bot-settings';
import { resumeBotState } from '@app/domain/chatbot/bot-state';
import { decideAnswer } from '@app/domain/chatbot/decide-answer';
import { flowsOfSender, settingsOfSender } from '@app/domain/chatbot/sender-settings';
import { businessTimeBetween, type BusinessHours } from '@app/domain/conversations/teamwork/business-time';
import { z } from 'zod';
import { findTalkingRun, isAwaitedByWorkflow } from '../automation/bot-flows.ts';
import { lockBotState, writeBotState } from '../conversations/bot-states.ts';
import { defineJob } from '../platform/jobs/define-job.ts';
import type { Jobs } from '../platform/jobs/enqueue-job.ts';
import type { WorkspaceJobKind } from '../platform/jobs/job-kind.ts';
import type { WorkspaceScope } from '../platform/workspace-scope.ts';
import { findMessagingSettings } from '../settings/messaging-settings.ts';
import { applyDecision, findActiveFlows, isAnswered, type ActiveFlow } from './apply-decision.ts';
import { findArrived, lockContacts, type Arrived } from './arrived-messages.ts';
import { findAnswersFlow, findBotSettings } from './bot-settings.ts';
import { askModel, findModelStep } from './model/ask-model.ts';

export type AnswerOptions = {
  message: Arrived;
  /** How many facts or runs led to the message. */
  depth: number;
  /** Of the whole workspace; what the sender has of its own is applied here. */
  settings: BotSettings;
  flows: readonly ActiveFlow[];
  builtIn: { flowId: string; version: number };
  hours: BusinessHours | null;
  jobs: Jobs | undefined;
  /** How often a busy dialogue was waited for. */
  waited?: number;
};

/** Decides about one message and does what was decided. The contact is locked. */
export async function answerOne(
  scope: WorkspaceScope,
  { message, depth, settings: ofAll, flows: all, builtIn, hours, jobs, waited = 0 }: AnswerOptions,
): Promise<void> {
  const { conversationId, channelId, messageId } = message;
  const settings = settingsOfSender(ofAll, channelId);
  const flows = flowsOfSender(ofAll, channelId, all);
  const now = scope.clock();
  const found = await lockBotState(scope, conversationId);
  if (!found || (await isAnswered(scope, messageId))) return;
  const before = resumeBotState(found.state, now.getTime(), settings.resumeAfterHours);
  const talking = await findTalkingRun(scope, message);
  const decision = decideAnswer({
    ...{ settings, message, before, talking, flows, now: now.getTime() },
    wasTalking: found.state?.status === 'active',
    isOpen: isOpenAt(hours, message.writtenAt),
    isLate: waited > 0,
    isAwaited: await isAwaitedByWorkflow(scope, message),
    model: jobs ? await findModelStep(scope, { message, settings, since: before.since }) : { state: 'none' },
  });
  if ('later' in decision) return decideLater(scope, jobs, { messageId, depth, waited: waited + 1 });
  if (!('ask' in decision))
    return applyDecision(scope, decision, {
      ...{ message, settings, flows, builtIn, depth, talking, askedAt: now },
    });
  await askModel(scope, jobs!, { message, depth }); // without jobs no model is ready
  return writeBotState(scope, conversationId, decision.state);
}

function isOpenAt(hours: BusinessHours | null, at: number): boolean {
  return hours === null || businessTimeBetween(hours, at, at + 1) > 0;
}

const later = z.object({ messageId: z.uuid(), depth: z.number().int(), waited: z.number().int() });
type Later = z.infer<typeof later>;

/** A dialogue is busy for two minutes at most (`findTalkingRun`); with longer and longer pauses these are more than that. */
const MOST_WAITS = 20;
/** Most dialogues go on at once: the first times the job itself waits, as a job for later begins only when the queue is looked through. */
const SHORT_WAITS = 3;
const SHORT_PAUSE_MS = 300;
const LONGEST_PAUSE_S = 10;

async function decideLater(scope: WorkspaceScope, jobs: Jobs | undefined, payload: Later): Promise<void> {
  const { messageId, waited } = payload;
  if (!jobs || waited > MOST_WAITS) return;
  const pauseMs = waited > SHORT_WAITS ? Math.min(waited, LONGEST_PAUSE_S) * 1_000 : 0;
  const kind = botLaterAnswer as WorkspaceJobKind<Later>;
  await jobs.enqueue(scope, kind, `${messageId}/${waited}`, payload, {
    ...(pauseMs > 0 && { startAfter: new Date(scope.clock().getTime() + pauseMs) }),
  });
}

/** Decides about a message that came while a dialogue was busy, once that has gone on. */
export const botLaterAnswer = defineJob<Later>({
  ...{ name: 'bot-later-answer', as: 'facts', payload: later, repeat: 'once' },
  ...{ attempts: 5, pauseSeconds: 1, longestPauseSeconds: 10, timeoutSeconds: 30 },
  ...{ atOnce: 10, atOnceOfOne: 4, usefulSeconds: 900 },
  async run({ change, jobs }, { payload: { messageId, depth, waited } }) {
    if (waited <= SHORT_WAITS) await new Promise((resolve) => setTimeout(resolve, waited * SHORT_PAUSE_MS));
    await change(async (scope) => {
      const settings = await findBotSettings(scope);
      const builtIn = await findAnswersFlow(scope);
      const { businessHours: hours, consentWords } = await findMessagingSettings(scope);
      const [message] = await findArrived(scope, [messageId], consentWords);
      // Turned off, erased, or too old by now.
      if (!settings.isEnabled || !message || !builtIn) return;
      await lockContacts(scope, [message.contactId]);
      const flows = await findActiveFlows(scope);
      await answerOne(scope, { message, depth, settings, flows, builtIn, hours, jobs, waited });
    });
  },
});
