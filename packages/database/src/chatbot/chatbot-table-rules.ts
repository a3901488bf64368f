import * as as from '../backup/read-in/column-rules.ts';
import type { TableRules } from '../table-rules.ts';

export const chatbotTableRules = {
  ai_connections: {
    noContacts: 'what opens the AI model of the workspace',
    archive: { how: 'leave-out', because: 'the key is sealed by one installation: people enter it again' },
    clear: { how: 'delete', keptForFile: 'of the chatbot' },
  },
  bot_knowledge: {
    noContacts: 'what staff wrote or uploaded for nobody in particular',
    archive: { how: 'move', columns: as.ofOwnId },
    clear: { how: 'delete', keptForFile: 'of the chatbot' },
  },
  bot_knowledge_parts: {
    noContacts: 'the same, cut into parts',
    archive: { how: 'move', columns: { ...as.ofWorkspace, knowledge_id: as.id } },
    clear: { how: 'cascade' },
  },
  bot_settings: {
    noContacts: 'how the bot answers',
    archive: {
      how: 'move',
      columns: {
        ...{ ...as.ofWorkspace, answers_flow_id: as.id },
        // It may answer where the archive was taken.
        settings: (column) => `${as.document(column)} || '{"isEnabled": false}'`,
      },
    },
    clear: { how: 'delete', keptForFile: 'of the chatbot, of which a file says nothing' },
  },
  bot_flows: {
    noContacts: 'what staff wrote for nobody in particular',
    archive: { how: 'move', columns: as.ofOwnId },
    clear: { how: 'cascade' },
  },
  bot_answers: {
    archive: {
      how: 'move',
      columns: {
        ...{ ...as.ofWorkspace, message_id: as.id, contact_id: as.id, channel_id: as.id, flow_id: as.id },
        ...{ model: as.document, run_id: as.id },
      },
    },
    clear: { how: 'delete' },
  },
  ai_calls: {
    archive: { how: 'leave-out', because: 'what this installation asked of models' },
    clear: { how: 'delete', keptForFile: 'what was asked of models was asked, and cost what it cost' },
  },
} as const satisfies TableRules;
