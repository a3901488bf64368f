/** Subjects of tasks, in the languages of workspaces. */
const words = {
  en: {
    ...{ reply: 'Wrote a message', sent: 'Was sent a message', handoff: 'Handed over by the chatbot' },
    ...{ optOut: 'Opted out of messages', optIn: 'Opted in to messages', test: 'Test event' },
  },
  es: {
    ...{ reply: 'Escribió un mensaje', sent: 'Se le envió un mensaje', handoff: 'Traspasado por el chatbot' },
    ...{
      optOut: 'Se dio de baja de los mensajes',
      optIn: 'Aceptó recibir mensajes',
      test: 'Evento de prueba',
    },
  },
  fr: {
    ...{ reply: 'A écrit un message', sent: 'A reçu un message', handoff: 'Transféré par le chatbot' },
    ...{
      optOut: 'S’est désinscrit des messages',
      optIn: 'A accepté les messages',
      test: 'Événement de test',
    },
  },
  de: {
    ...{ reply: 'Hat geschrieben', sent: 'Hat eine Nachricht erhalten', handoff: 'Vom Chatbot übergeben' },
    ...{ optOut: 'Hat Nachrichten abbestellt', optIn: 'Hat Nachrichten zugestimmt', test: 'Testereignis' },
  },
  pt: {
    ...{ reply: 'Escreveu uma mensagem', sent: 'Recebeu uma mensagem', handoff: 'Transferido pelo chatbot' },
    ...{ optOut: 'Cancelou as mensagens', optIn: 'Aceitou mensagens', test: 'Evento de teste' },
  },
} as const;

export type TaskWord = keyof typeof words.en;

/** A language that there is not is English. */
export const taskWord = (language: string, word: TaskWord): string =>
  (Object.hasOwn(words, language) ? words[language as keyof typeof words] : words.en)[word];
