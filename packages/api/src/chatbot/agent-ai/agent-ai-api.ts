import { agentAiContract } from '@app/contracts/chatbot/agent-ai-contract';
import { buildAssistPrompt, lastOfCustomer } from '@app/domain/chatbot/model/assist-prompt';
import { createMasker } from '@app/domain/chatbot/model/mask-personal-data';
import { settingsOfSender } from '@app/domain/chatbot/sender-settings';
import { implementEndpoints } from '../../platform/implement-endpoints.ts';
import { findBotSettings } from '../bot-settings.ts';
import { searchKnowledge } from '../knowledge/search-knowledge.ts';
import { findWriter, writeText } from '../model/write-text.ts';
import { readConversationTalk } from '../model/read-talk.ts';

const os = implementEndpoints(agentAiContract);

/** The AI model writes for agents. Nothing is sent: what it wrote goes back to the one who asked. */
export const agentAiApi = os.router({
  write: os.write.handler(async ({ input, context, errors }) => {
    const { conversationId, task, text, language } = input;
    const asked = await context.read(async (scope) => {
      const talk = await readConversationTalk(scope, conversationId);
      if (!talk) return null;
      const settings = await findBotSettings(scope);
      const writer = await findWriter(scope, settings);
      const question = lastOfCustomer(talk.messages);
      const sources = task === 'suggest' ? await searchKnowledge(scope, question, null) : [];
      const today = scope.clock().toISOString().slice(0, 10);
      return { ...talk, settings, writer, question, sources, today };
    });
    if (!asked) throw errors.conversation_not_found();
    const { writer, settings, sources, business, messages, today, contactId, channelId } = asked;
    if (typeof writer === 'string') return { text: null, problem: writer };
    // Of a customer who wrote nothing there is nothing to translate, and no language.
    const needsTalk = ['summarize', 'translate_last', 'to_customer'].includes(task);
    if (asked.question === '' && (needsTalk || text === '')) return { text: null, problem: 'nothing_said' };
    const masker = createMasker(settings.masksPersonalData);
    const prompt = buildAssistPrompt({
      ...{
        task,
        text,
        business,
        messages,
        language,
        masker,
        today,
        facts: settingsOfSender(settings, channelId).businessFacts,
      },
      sources: sources.map((part, place) => ({ ...part, id: `s${place + 1}` })),
    });
    const { session, change, aiModels, secrets } = context;
    const written = await writeText(
      { workspaceId: session.workspaceId, change, aiModels, secrets },
      { purpose: 'agent', connection: writer, contactId, channelId, prompt },
    );
    return written.text === null ? written : { ...written, text: masker.unmask(written.text) };
  }),
});
