/** Titles of activities in a CRM, in the languages of workspaces. `{name}` and `{outcome}` are filled in. */
const words = {
  en: {
    ...{ reply: 'Wrote a message', sent: 'Was sent a message', handoff: 'Handed over by the chatbot' },
    ...{ optOut: 'Opted out of messages', optIn: 'Opted in to messages', test: 'Test event' },
    ...{ resolved: 'Conversation resolved', open: 'Open chat', openCampaign: 'Open campaign' },
    campaign: 'Campaign “{name}”: {outcome}',
    outcome: {
      ...{ sent: 'sent', delivered: 'delivered', read: 'read', failed: 'failed' },
      ...{ clicked: 'clicked', replied: 'replied' },
    },
  },
  es: {
    ...{ reply: 'Escribió un mensaje', sent: 'Se le envió un mensaje', handoff: 'Traspasado por el chatbot' },
    ...{ optOut: 'Se dio de baja de los mensajes', optIn: 'Aceptó recibir mensajes' },
    ...{ test: 'Evento de prueba', resolved: 'Conversación resuelta' },
    ...{ open: 'Abrir chat', openCampaign: 'Abrir campaña' },
    campaign: 'Campaña «{name}»: {outcome}',
    outcome: {
      ...{ sent: 'enviado', delivered: 'entregado', read: 'leído', failed: 'fallido' },
      ...{ clicked: 'hizo clic', replied: 'respondió' },
    },
  },
  fr: {
    ...{ reply: 'A écrit un message', sent: 'A reçu un message', handoff: 'Transféré par le chatbot' },
    ...{ optOut: 'S’est désinscrit des messages', optIn: 'A accepté les messages' },
    ...{ test: 'Événement de test', resolved: 'Discussion résolue' },
    ...{ open: 'Ouvrir la discussion', openCampaign: 'Ouvrir la campagne' },
    campaign: 'Campagne « {name} »\u00a0: {outcome}',
    outcome: {
      ...{ sent: 'envoyé', delivered: 'remis', read: 'lu', failed: 'échoué' },
      ...{ clicked: 'a cliqué', replied: 'a répondu' },
    },
  },
  de: {
    ...{ reply: 'Hat geschrieben', sent: 'Hat eine Nachricht erhalten', handoff: 'Vom Chatbot übergeben' },
    ...{ optOut: 'Hat Nachrichten abbestellt', optIn: 'Hat Nachrichten zugestimmt', test: 'Testereignis' },
    ...{ resolved: 'Unterhaltung erledigt', open: 'Chat öffnen', openCampaign: 'Kampagne öffnen' },
    campaign: 'Kampagne „{name}“: {outcome}',
    outcome: {
      ...{ sent: 'gesendet', delivered: 'zugestellt', read: 'gelesen', failed: 'fehlgeschlagen' },
      ...{ clicked: 'geklickt', replied: 'geantwortet' },
    },
  },
  pt: {
    ...{ reply: 'Escreveu uma mensagem', sent: 'Recebeu uma mensagem', handoff: 'Transferido pelo chatbot' },
    ...{ optOut: 'Cancelou as mensagens', optIn: 'Aceitou mensagens', test: 'Evento de teste' },
    ...{ resolved: 'Conversa resolvida', open: 'Abrir conversa', openCampaign: 'Abrir campanha' },
    campaign: 'Campanha “{name}”: {outcome}',
    outcome: {
      ...{ sent: 'enviada', delivered: 'entregue', read: 'lida', failed: 'falhou' },
      ...{ clicked: 'clicou', replied: 'respondeu' },
    },
  },
} as const;

type Words = typeof words.en;
export type ActivityTitle = Exclude<keyof Words, 'campaign' | 'outcome' | 'open' | 'openCampaign'>;
export type OutcomeWord = keyof Words['outcome'];

/** A language that there is not is English. */
export function activityWords(language: string): (typeof words)[keyof typeof words] {
  return Object.hasOwn(words, language) ? words[language as keyof typeof words] : words.en;
}
