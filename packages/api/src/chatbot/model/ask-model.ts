import { resumeBotState } from '@app/domain/chatbot/bot-state';
import type { BotSettings } from '@app/domain/chatbot/bot-settings';
import { settingsOfSender } from '@app/domain/chatbot/sender-settings';
import { decideAnswer, type ModelStep } from '@app/domain/chatbot/decide-answer';
import type { AiConnection, AiModels, AiReply, ModelAnswer } from '@app/domain/chatbot/model/ai-models';
import { buildPrompt, type ModelSource } from '@app/domain/chatbot/model/build-prompt';
import { checkModelAnswer, type CheckedAnswer } from '@app/domain/chatbot/model/check-model-answer';
import { z } from 'zod';
import { lockBotState } from '../../conversations/bot-states.ts';
import { defineJob } from '../../platform/jobs/define-job.ts';
import type { Jobs } from '../../platform/jobs/enqueue-job.ts';
import type { WorkspaceJobKind } from '../../platform/jobs/job-kind.ts';
import type { ReadScope, WorkspaceScope } from '../../platform/workspace-scope.ts';
import { findMessagingSettings } from '../../settings/messaging-settings.ts';
import { applyDecision, findActiveFlows, isAnswered } from '../apply-decision.ts';
import { findArrived, lockContacts, type Arrived } from '../arrived-messages.ts';
import { findAnswersFlow, findBotSettings } from '../bot-settings.ts';
import { searchKnowledge } from '../knowledge/search-knowledge.ts';
import { countAnswers, readUsage, settleAiCall, settleReply, storeAiCall } from './ai-calls.ts';
import {
  findAiConnection,
  noteAiProblem,
  openAiConnection,
  type StoredAiConnection,
} from './ai-connections.ts';
import { describeModel, noAnswer, type AnswerModel } from './answer-model.ts';
import { readTalk } from './read-talk.ts';

/** A customer reads a few sentences; the rest is the form around them. */
export const MOST_TOKENS = 900;

/** Whether a model can be asked: one is connected, and neither the budget of the day nor that of the conversation is used up. */
export async function findModelStep(
  scope: ReadScope,
  {
    message: { contactId, channelId },
    settings,
    since,
  }: { message: Pick<Arrived, 'contactId' | 'channelId'>; settings: BotSettings; since: number },
): Promise<ModelStep> {
  const connection = await findAiConnection(scope);
  if (!connection?.is_enabled) return { state: 'none' };
  const { tokens } = await readUsage(scope);
  if (tokens >= settings.modelTokensPerDay) return { state: 'none' };
  const asked = await countAnswers(scope, { contactId, channelId, since: new Date(since) });
  return { state: asked < settings.modelAnswersPerConversation ? 'ready' : 'none' };
}

const payload = z.object({ messageId: z.uuid(), depth: z.number().int() });
type Payload = z.infer<typeof payload>;

/** In the transaction of the decision: a job asks the model. */
export async function askModel(
  scope: WorkspaceScope,
  jobs: Jobs,
  { message: { messageId, contactId, channelId }, depth }: { message: Arrived; depth: number },
): Promise<void> {
  await storeAiCall(scope, { id: messageId, purpose: 'answer', state: 'asked', contactId, channelId });
  await jobs.enqueue(scope, botModelAnswer as WorkspaceJobKind<Payload>, messageId, { messageId, depth });
}

/**
 * Asks the model between two transactions. The first one commits that the call begins: one that finds this done by a process that died makes no second
 * call and decides without an answer. The second one decides anew, as people may have taken over meanwhile, and stores the answer once.
 */
export const botModelAnswer = defineJob<Payload>({
  ...{ name: 'bot-model-answer', as: 'facts', payload, repeat: 'once' },
  ...{ attempts: 5, pauseSeconds: 1, longestPauseSeconds: 30, timeoutSeconds: 150 },
  ...{ atOnce: 20, atOnceOfOne: 10, usefulSeconds: 900 },
  async run({ change, read, aiModels, secrets }, { payload: asked, workspaceId, signal }) {
    const begun = await change((scope) => begin(scope, asked.messageId));
    if (begun === null) return { outcome: 'none' };
    if (begun.state === 'ask') {
      const { connection } = begun;
      const opened = await openAiConnection(workspaceId ?? '', connection, secrets);
      const vector = await embedQuestion(aiModels, opened, connection, begun.question, signal);
      const found = await read((scope) => searchKnowledge(scope, begun.question, vector));
      const sources = found.map((part, place) => ({ ...part, id: `s${place + 1}` }));
      const prompt = buildPrompt({ ...begun, sources });
      const { model } = connection;
      const reply = await aiModels.answer(opened, { ...prompt, model, mostTokens: MOST_TOKENS, signal });
      // The process stops: the next one finds that it had begun.
      if (!reply.ok && reply.problem === 'cancelled' && signal.aborted) throw new Error('stopped');
      await change((scope) => finish(scope, asked, { ...begun, sources, reply }));
      return { outcome: reply.ok ? 'answered' : reply.problem };
    }
    await change((scope) => finish(scope, asked, null));
    return { outcome: 'interrupted' };
  },
});

type Asking = Omit<Parameters<typeof buildPrompt>[0], 'sources'> & {
  connection: StoredAiConnection;
  question: string;
};
type Source = ModelSource & { knowledgeId: string };

async function begin(
  scope: WorkspaceScope,
  messageId: string,
): Promise<({ state: 'ask' } & Asking) | { state: 'interrupted' } | null> {
  const { rows } = await scope.query<{ state: string }>(
    `SELECT state FROM ai_calls WHERE workspace_id = $1 AND id = $2 AND purpose = 'answer' FOR UPDATE`,
    [scope.workspaceId, messageId],
  );
  const state = rows[0]?.state;
  if (state === 'begun') return { state: 'interrupted' };
  if (state !== 'asked') return null;
  const [connection, settings, talk] = [
    await findAiConnection(scope),
    await findBotSettings(scope),
    await readTalk(scope, messageId),
  ];
  if (!connection?.is_enabled || !talk) return { state: 'interrupted' };
  await scope.query(`UPDATE ai_calls SET state = 'begun', model = $3 WHERE workspace_id = $1 AND id = $2`, [
    scope.workspaceId,
    messageId,
    connection.model,
  ]);
  const { businessFacts: facts, masksPersonalData: masks } = settingsOfSender(settings, talk.channelId);
  const { business, messages, question } = talk;
  const today = scope.clock().toISOString().slice(0, 10);
  return { state: 'ask', connection, business, facts, messages, masks, today, question };
}

/** Decides with what came of it; null for a call that nobody knows anything of. */
async function finish(
  scope: WorkspaceScope,
  { messageId, depth }: Payload,
  asked: (Asking & { sources: readonly Source[]; reply: AiReply<ModelAnswer> }) | null,
): Promise<void> {
  const checked =
    asked?.reply.ok === true
      ? checkModelAnswer(asked.reply.value, {
          ...{ sources: asked.sources, facts: asked.facts, question: asked.question },
          ...{ talk: asked.messages, today: asked.today },
        })
      : null;
  if (checked && asked) checked.sources = namedEntries(checked.sources, asked.sources);
  if (asked) {
    await settleReply(scope, messageId, asked.reply, asked.connection);
    await noteAiProblem(scope, asked.reply.ok ? null : asked.reply.problem);
  } else await settleAiCall(scope, messageId, { state: 'failed', problem: 'interrupted' });
  const model = asked
    ? describeModel(asked.connection, asked.reply, checked)
    : noAnswer((await findAiConnection(scope))?.model ?? '', 'interrupted');
  await decideAgain(scope, { messageId, depth, checked, model });
}

async function decideAgain(
  scope: WorkspaceScope,
  {
    messageId,
    depth,
    checked,
    model,
  }: { messageId: string; depth: number; checked: CheckedAnswer | null; model: AnswerModel },
): Promise<void> {
  const ofAll = await findBotSettings(scope);
  const builtIn = await findAnswersFlow(scope);
  const { consentWords } = await findMessagingSettings(scope);
  const [message] = await findArrived(scope, [messageId], consentWords);
  // Erased, merged into a contact without it, or too old by now.
  if (!message || !builtIn) return;
  const settings = settingsOfSender(ofAll, message.channelId);
  await lockContacts(scope, [message.contactId]);
  const found = await lockBotState(scope, message.conversationId);
  if (!found || (await isAnswered(scope, messageId))) return;
  const now = scope.clock();
  const before = resumeBotState(found.state, now.getTime(), settings.resumeAfterHours);
  const decision = decideAnswer({
    ...{ settings, message, before, flows: [], wasTalking: true, isOpen: true, now: now.getTime() },
    model: checked ? { state: 'answered', answer: checked } : { state: 'failed' },
  });
  if ('ask' in decision || 'later' in decision) return;
  const askedAt = await findAskedAt(scope, messageId);
  const flows = await findActiveFlows(scope);
  await applyDecision(scope, decision, { message, settings, flows, builtIn, depth, model, askedAt });
}

/** Entries in the place of their parts, each once: those are what people know. */
function namedEntries(used: CheckedAnswer['sources'], given: readonly Source[]): CheckedAnswer['sources'] {
  const entries = used.flatMap(({ id }) => given.filter((source) => source.id === id));
  return [...new Map(entries.map(({ knowledgeId: id, title }) => [id, { id, title }])).values()];
}

/** A question whose vector does not come is searched by its words. */
export async function embedQuestion(
  aiModels: AiModels,
  opened: AiConnection,
  { embedding_model: model }: StoredAiConnection,
  question: string,
  signal: AbortSignal,
): Promise<{ vector: number[]; model: string } | null> {
  if (model === null || question.trim() === '') return null;
  const reply = await aiModels.embed(opened, { model, texts: [question.slice(0, 2_000)], signal });
  const vector = reply.ok ? reply.value[0] : undefined;
  return vector ? { vector, model } : null;
}

async function findAskedAt(scope: ReadScope, messageId: string): Promise<Date> {
  const { rows } = await scope.query<{ asked_at: Date }>(
    'SELECT asked_at FROM ai_calls WHERE workspace_id = $1 AND id = $2',
    [scope.workspaceId, messageId],
  );
  return rows[0]?.asked_at ?? scope.clock();
}
