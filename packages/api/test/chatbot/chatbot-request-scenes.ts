import type { OpenScenes } from '../scene-kit.ts';

export const openScenes: OpenScenes = ({ query, next, post, workspaceId, pageUrl, addConversation }) => {
  const addKnowledge = () => post('/api/bot/knowledge', { question: `Question ${next()}?`, answer: 'Yes.' });

  const botFlow = () => ({
    name: `Bot flow ${next()}`,
    trigger: { type: 'keyword', value: 'price' },
    responses: [{ type: 'text', content: 'Ten.' }],
  });

  const addBotFlow = async () => {
    const { id: botFlowId, version } = await post('/api/bot-flows', botFlow());
    return { botFlowId, version };
  };

  return {
    makers: {
      botFlowId: addBotFlow,
      knowledgeId: async () => ({ knowledgeId: (await addKnowledge()).id }),
    },
    scenes: {
      'chatbot.createFlow': async () => botFlow(),
      'chatbot.importFlow': async () => ({ kind: 'bot', name: `Imported ${next()}` }),
      'chatbot.updateFlow': async () => ({ ...(await addBotFlow()), ...botFlow() }),
      'chatbot.updateSettings': async () => {
        const { rows } = await query(
          `INSERT INTO bot_settings (workspace_id, settings) VALUES ($1, '{}') ON CONFLICT (workspace_id) DO UPDATE SET settings = '{}' RETURNING version`,
          [workspaceId],
        );
        return { responseDelay: 500, version: rows[0].version };
      },
      'botKnowledge.create': async () => ({ question: `Question ${next()}?`, answer: 'Yes.' }),
      'botKnowledge.createFromAddress': async () => ({ url: `${pageUrl}?page=${next()}` }),
      'botKnowledge.update': async () => {
        const { id: knowledgeId } = await addKnowledge();
        return { knowledgeId, question: `Question ${next()}?`, answer: 'No.', version: 1 };
      },
      'agentAi.write': async () => ({
        conversationId: (await addConversation()).conversationId,
        ...{ task: 'suggest', language: 'en' },
      }),
      'botAi.save': async () => {
        await query(`DELETE FROM ai_connections WHERE workspace_id = $1`, [workspaceId]);
        return { provider: 'openai', key: `k ${next()}`, model: 'small', version: 0 };
      },
      'botAi.remove': async () => {
        await query(
          `INSERT INTO ai_connections (workspace_id, provider, model) VALUES ($1, 'openai', 'small') ON CONFLICT DO NOTHING`,
          [workspaceId],
        );
        return {};
      },
    },
  };
};
