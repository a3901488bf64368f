import { aiProblems } from '@app/domain/chatbot/model/ai-models';
import { assistLimits, assistTasks, rewritingTasks } from '@app/domain/chatbot/model/assist-prompt';
import { interfaceLanguages } from '@app/domain/text/interface-language';
import { z } from 'zod';
import { endpoint, id } from '../endpoint.ts';

/** Why a model wrote nothing: what a call can end with, and what keeps it from being made. */
export const assistProblems = [
  ...aiProblems,
  ...(['not_connected', 'budget', 'nothing_said'] as const),
] as const;

export const agentAiContract = {
  write: endpoint({
    method: 'POST',
    path: '/conversations/{conversationId}/ai-text',
    access: ['messages:create', 'contacts:read'],
    repeat: 'keyed-outside',
    summary:
      'Asks the AI model for a text: a reply, the text of an agent in other words or in another language, or a summary. Nothing is sent',
    input: z
      .strictObject({
        conversationId: id,
        task: z.enum(assistTasks),
        /** What the agent has written. */
        text: z.string().trim().max(assistLimits.text).default(''),
        /** That of the agent. */
        language: z.enum(interfaceLanguages),
      })
      .refine(({ task, text }) => text !== '' || !rewritingTasks.includes(task), {
        path: ['text'],
        message: 'There is no text to rewrite.',
      }),
    output: z.object({
      /** Null where the model wrote none. */
      text: z.string().nullable(),
      problem: z.enum(assistProblems).nullable(),
    }),
    errors: ['conversation_not_found'],
  }),
};
