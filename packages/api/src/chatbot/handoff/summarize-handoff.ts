import { buildAssistPrompt } from '@app/domain/chatbot/model/assist-prompt';
import { createMasker } from '@app/domain/chatbot/model/mask-personal-data';
import { chooseLanguage } from '@app/domain/text/interface-language';
import { z } from 'zod';
import { lockBotState, writeBotState } from '../../conversations/bot-states.ts';
import { defineJob } from '../../platform/jobs/define-job.ts';
import { findBotSettings } from '../bot-settings.ts';
import { readConversationTalk } from '../model/read-talk.ts';
import { findWriter, writeText } from '../model/write-text.ts';

const payload = z.object({ conversationId: z.uuid(), handedOverAt: z.number().nullable() });

/** A model puts into words what people who take over have to know. Where it does not come, what the rules found stays. */
export const botHandoffSummary = defineJob<z.infer<typeof payload>>({
  ...{ name: 'bot-handoff-summary', as: 'facts', payload, repeat: 'once' },
  ...{ attempts: 1, pauseSeconds: 1, longestPauseSeconds: 1, timeoutSeconds: 90 },
  ...{ atOnce: 10, atOnceOfOne: 4, usefulSeconds: 900 },
  async run(
    { change, read, aiModels, secrets },
    { payload: { conversationId, handedOverAt }, workspaceId, signal },
  ) {
    if (!workspaceId) return { outcome: 'none' };
    const asked = await read(async (scope) => {
      const settings = await findBotSettings(scope);
      const writer = await findWriter(scope, settings);
      const talk = await readConversationTalk(scope, conversationId);
      if (typeof writer === 'string' || !talk) return null;
      const { rows } = await scope.query<{ language: string | null }>(
        'SELECT language FROM workspaces WHERE id = $1',
        [workspaceId],
      );
      const language = chooseLanguage([rows[0]?.language]);
      return { ...talk, settings, writer, language, today: scope.clock().toISOString().slice(0, 10) };
    });
    if (!asked) return { outcome: 'none' };
    const { business, messages, contactId, channelId, settings, writer, language, today } = asked;
    const masker = createMasker(settings.masksPersonalData);
    const prompt = buildAssistPrompt({
      ...{ task: 'summarize', text: '', business, messages, language, masker, today, facts: '', sources: [] },
    });
    const written = await writeText(
      { workspaceId, change, aiModels, secrets },
      { purpose: 'summary', connection: writer, contactId, channelId, prompt, signal },
    );
    if (written.text === null) return { outcome: written.problem };
    const text = masker.unmask(written.text);
    await change(async (scope) => {
      const found = await lockBotState(scope, conversationId);
      // Handed back, or handed over anew, meanwhile.
      if (!found?.state?.handoff || found.state.handedOverAt !== handedOverAt) return;
      const { handoff } = found.state;
      await writeBotState(scope, conversationId, { ...found.state, handoff: { ...handoff, text } });
      await scope.emit({
        ...{ type: 'chatbot.summarized', subject: conversationId },
        values: { contactIds: [contactId] },
      });
    });
    return { outcome: 'written' };
  },
});
