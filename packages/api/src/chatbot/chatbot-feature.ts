import type { ServerFeature } from '../platform/features/server-feature.ts';
import { agentAiApi } from './agent-ai/agent-ai-api.ts';
import { answerMessages } from './answer-messages.ts';
import { botLaterAnswer } from './answer-one.ts';
import { chatbotApi } from './chatbot-api.ts';
import { botHandoff } from './flow-handoff.ts';
import { followHandoffs } from './handoff/follow-handoffs.ts';
import { botHandoffSummary } from './handoff/summarize-handoff.ts';
import { botKnowledgeEmbed } from './knowledge/embed-knowledge.ts';
import { botKnowledgeApi } from './knowledge/knowledge-api.ts';
import { knowledgeFiles } from './knowledge/knowledge-files.ts';
import { botAiApi } from './model/bot-ai-api.ts';
import { aiAnswer, botFlowAnswer } from './model/flow-answer.ts';
import { botModelAnswer } from './model/ask-model.ts';
import { settleLostCalls } from './model/ai-calls.ts';
import { chatbotPersonData } from './chatbot-person-data.ts';

export const chatbotFeature = {
  name: 'chatbot',
  router: { chatbot: chatbotApi, agentAi: agentAiApi, botAi: botAiApi, botKnowledge: botKnowledgeApi },
  files: () => knowledgeFiles,
  consumers: [answerMessages, followHandoffs],
  jobs: [botModelAnswer, botFlowAnswer, botLaterAnswer, botHandoffSummary, botKnowledgeEmbed],
  upkeep: { seldom: [settleLostCalls] },
  flowEffects: (parts) => ({ bot_handoff: botHandoff, ai_answer: aiAnswer(parts) }),
  personData: chatbotPersonData,
} satisfies ServerFeature;
