import { newId } from '@app/database/new-id';
import { buildPrompt } from '@app/domain/chatbot/model/build-prompt';
import { settingsOfSender } from '@app/domain/chatbot/sender-settings';
import { checkModelAnswer } from '@app/domain/chatbot/model/check-model-answer';
import { readBotState } from '@app/domain/chatbot/bot-state';
import type { EffectOutcome } from '@app/domain/flows/run-state';
import type { RunEffect } from '@app/flows/flow-host';
import {
  beginLater,
  enqueueLater,
  laterEffect,
  settleLater,
} from '../../automation/engine/later/later-effect.ts';
import type { FlowEffectParts } from '../../platform/features/server-feature.ts';
import { defineJob } from '../../platform/jobs/define-job.ts';
import type { ReadScope, WorkspaceScope } from '../../platform/workspace-scope.ts';
import { findBotSettings } from '../bot-settings.ts';
import { searchKnowledge } from '../knowledge/search-knowledge.ts';
import { settleAiCall, settleReply, storeAiCall } from './ai-calls.ts';
import { findAiConnection, noteAiProblem, openAiConnection } from './ai-connections.ts';
import { embedQuestion, findModelStep, MOST_TOKENS } from './ask-model.ts';
import { readMessages } from './read-talk.ts';

type Request = { callId: string; question: string; channelId: string; threshold: number | null };

const DAY_MS = 86_400_000;

/** The step that asks the model, within the budgets of the day and of the conversation. A job asks; the step says the answer. */
export function aiAnswer({ jobs }: FlowEffectParts): RunEffect<WorkspaceScope> {
  return async (scope, asked) => {
    const { contactId, request } = asked;
    const { channelId, question, threshold } = request;
    if (contactId === null || typeof channelId !== 'string')
      return { status: 'failed', code: 'contact_missing' };
    const settings = await findBotSettings(scope);
    const since = await findSince(scope, contactId, channelId);
    const { state } = await findModelStep(scope, { message: { contactId, channelId }, settings, since });
    if (state !== 'ready') return { status: 'failed', code: 'ai_not_ready' };
    const callId = newId();
    await storeAiCall(scope, { id: callId, purpose: 'flow', state: 'asked', contactId, channelId });
    await enqueueLater(scope, jobs, botFlowAnswer, asked);
    return { later: { messageId: null, request: { callId, question, channelId, threshold, contactId } } };
  };
}

/** When this talk with the bot began: questions to the model are counted from then on. */
async function findSince(scope: ReadScope, contactId: string, channelId: string): Promise<number> {
  const { rows } = await scope.query<{ bot_state: unknown }>(
    'SELECT bot_state FROM conversations WHERE workspace_id = $1 AND contact_id = $2 AND channel_id = $3',
    [scope.workspaceId, contactId, channelId],
  );
  return readBotState(rows[0]?.bot_state)?.since ?? scope.clock().getTime();
}

/** At most once: a call whose process died may have been made, and is not made again. */
export const botFlowAnswer = defineJob({
  ...{ name: 'bot-flow-answer', as: 'caller', payload: laterEffect, repeat: 'once' },
  ...{ attempts: 5, pauseSeconds: 1, longestPauseSeconds: 30, timeoutSeconds: 150 },
  ...{ atOnce: 20, atOnceOfOne: 10, usefulSeconds: 900 },
  async run({ change, read, aiModels, secrets }, { payload, workspaceId, signal }) {
    const begun = await change(async (scope) => {
      const found = await beginLater(scope, payload);
      if (!found) return null;
      const request = found.request as Request & { contactId: string }; // the effect wrote it
      const connection = await findAiConnection(scope);
      if (!connection?.is_enabled) {
        await settleAiCall(scope, request.callId, { state: 'unused' });
        await settleLater(scope, payload, { status: 'failed', code: 'ai_not_ready' });
        return null;
      }
      await scope.query(
        `UPDATE ai_calls SET state = 'begun', model = $3 WHERE workspace_id = $1 AND id = $2`,
        [...[scope.workspaceId, request.callId, connection.model]],
      );
      return { ...request, connection };
    });
    if (!begun || !workspaceId) return { outcome: 'none' };
    const { callId, question, connection } = begun;
    const opened = await openAiConnection(workspaceId, connection, secrets);
    const vector = await embedQuestion(aiModels, opened, connection, question, signal);
    const asked = await read(async (scope) => {
      const sources = await searchKnowledge(scope, question, vector);
      return {
        ...(await readTalk(scope, begun)),
        settings: settingsOfSender(await findBotSettings(scope), begun.channelId),
        sources: sources.map((part, place) => ({ ...part, id: `s${place + 1}` })),
        today: scope.clock().toISOString().slice(0, 10),
      };
    });
    const { settings, sources, business, messages, today } = asked;
    const { businessFacts: facts, masksPersonalData: masks, confidenceThreshold } = settings;
    const prompt = buildPrompt({ business, facts, sources, messages, masks, today });
    const reply = await aiModels.answer(opened, {
      ...{ ...prompt, model: connection.model, mostTokens: MOST_TOKENS, signal },
    });
    const checked = reply.ok
      ? checkModelAnswer(reply.value, { sources, facts, question, talk: messages, today })
      : null;
    const outcome: EffectOutcome = checked
      ? {
          status: 'done',
          values: {
            ...{ text: checked.text, confidence: checked.confidence },
            isSure: checked.confidence >= (begun.threshold ?? confidenceThreshold),
          },
        }
      : { status: 'failed', code: 'ai_failed' };
    await change(async (scope) => {
      await settleReply(scope, callId, reply, connection);
      await noteAiProblem(scope, reply.ok ? null : reply.problem);
      await settleLater(scope, payload, outcome);
    });
    return { outcome: reply.ok ? 'answered' : reply.problem };
  },
});

/** What was said lately, with the question at its end. */
async function readTalk(
  scope: ReadScope,
  { contactId, channelId, question }: Request & { contactId: string },
): Promise<{ business: string; messages: { isOurs: boolean; text: string }[] }> {
  const { rows } = await scope.query<{ business: string }>(
    `SELECT coalesce(nullif(settings->>'businessName', ''), name) AS business FROM workspaces WHERE id = $1`,
    [scope.workspaceId],
  );
  const until = scope.clock();
  const said = await readMessages(scope, {
    ...{ contactId, channelId, until, from: new Date(until.getTime() - DAY_MS) },
  });
  const isAsked = said.at(-1)?.isOurs === false && said.at(-1)?.text === question;
  return {
    business: rows[0]?.business ?? '',
    messages: isAsked ? said : [...said, { isOurs: false, text: question }],
  };
}
