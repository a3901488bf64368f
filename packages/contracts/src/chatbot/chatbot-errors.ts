/** What the API refuses of the chatbot; a part of the one table of errors. */
export const chatbotErrors = {
  bot_settings_changed: { status: 409, message: 'Another user changed these settings in the meantime.' },
  bot_flow_not_found: { status: 404, message: 'There is no such bot flow.' },
  bot_flow_not_published: { status: 409, message: 'This bot flow was never published.' },
  bot_flow_changed: { status: 409, message: 'Someone else changed this bot flow in the meantime.' },
  bot_flow_limit: { status: 409, message: 'There are as many bot flows as there can be.' },
  bot_flow_template_gone: { status: 422, message: 'A response names a template that is not there.' },
  bot_ai_not_connected: { status: 409, message: 'No AI model is connected.' },
  bot_ai_changed: { status: 409, message: 'Someone else changed the AI connection in the meantime.' },
  bot_ai_key_needed: { status: 422, message: 'Another provider or address needs its key anew.' },
  bot_ai_address_refused: {
    status: 422,
    message: 'This address cannot be called: it needs https and has to be public.',
  },
  bot_knowledge_not_found: { status: 404, message: 'There is no such entry of the knowledge.' },
  bot_knowledge_changed: { status: 409, message: 'Someone else changed this entry in the meantime.' },
  bot_knowledge_limit: { status: 409, message: 'The knowledge is as large as it can be.' },
  bot_knowledge_unreadable: { status: 422, message: 'This file or page cannot be read.' },
} as const;
