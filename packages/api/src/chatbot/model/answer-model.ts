import type { botAnswerModel } from '@app/contracts/chatbot/chatbot-contract';
import type { AiProblem, AiReply, ModelAnswer } from '@app/domain/chatbot/model/ai-models';
import { PROMPT_VERSION } from '@app/domain/chatbot/model/build-prompt';
import type { CheckedAnswer } from '@app/domain/chatbot/model/check-model-answer';
import type { z } from 'zod';
import { costOf } from './ai-calls.ts';
import type { StoredAiConnection } from './ai-connections.ts';

/** What a model had to do with an answer, as it is stored with it. */
export type AnswerModel = z.infer<typeof botAnswerModel>;

export function describeModel(
  connection: Pick<StoredAiConnection, 'model' | 'price_in' | 'price_out'>,
  reply: AiReply<ModelAnswer>,
  checked: CheckedAnswer | null,
): AnswerModel {
  const usage = reply.ok ? reply.usage : { inputTokens: 0, outputTokens: 0 };
  return {
    ...noAnswer(connection.model, reply.ok ? null : reply.problem),
    ...(checked && {
      ...{ confidence: checked.confidence, doubt: checked.doubt },
      ...{ sources: checked.sources, entities: checked.entities },
    }),
    ...{ ...usage, cost: reply.ok ? costOf(usage, connection) : null, durationMs: reply.durationMs },
  };
}

/** `interrupted`: the process died while the model was asked. */
export function noAnswer(name: string, problem: AiProblem | 'interrupted' | null): AnswerModel {
  return {
    ...{ name, promptVersion: PROMPT_VERSION, confidence: null, doubt: null, problem },
    ...{ sources: [], entities: [], inputTokens: 0, outputTokens: 0, cost: null, durationMs: 0 },
  };
}
