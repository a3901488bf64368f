import type { FeatureNeeds } from './feature-needs.ts';

export const chatbotNeeds: FeatureNeeds = {
  endpoints: {
    'campaigns:read': 'chatbot.listFlows chatbot.deleteFlow',
    'campaigns:create':
      'chatbot.createFlow chatbot.importFlow botKnowledge.create botKnowledge.createFromAddress',
    'campaigns:update': 'chatbot.updateFlow chatbot.orderFlows botKnowledge.update botKnowledge.readAgain',
    'campaigns:delete': 'botKnowledge.remove',
    'campaigns:update messages:create': 'chatbot.updateSettings chatbot.setFlowActive',
    'messages:read contacts:read':
      'chatbot.listConversations chatbot.getConversation chatbot.listAnswers chatbot.getAnalytics',
    'messages:create contacts:read': 'agentAi.write',
    'messages:update contacts:read': 'chatbot.setStatus',
    'messages:read': 'chatbot.getSettings botAi.get botKnowledge.list botKnowledge.search',
    'settings:manage': 'botAi.save botAi.test botAi.remove',
  },
  addresses: {
    'campaigns:create': ['POST /api/bot/knowledge/files/:knowledgeId'],
  },
  keys: {
    endpoints: `botAi.get botKnowledge.list botKnowledge.search botKnowledge.create botKnowledge.update botKnowledge.remove
      chatbot.getSettings chatbot.updateSettings chatbot.listFlows chatbot.createFlow chatbot.importFlow chatbot.updateFlow
      chatbot.setFlowActive chatbot.deleteFlow chatbot.listAnswers`,
    addresses: ['POST /api/bot/knowledge/files/:knowledgeId'],
  },
};
