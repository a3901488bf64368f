/** What a channel reads, in the languages of workspaces. `{name}` and figures are filled in. */
const words = {
  en: {
    ...{ chat: '*{name}* started a chat', handoff: 'The chatbot handed *{name}* over' },
    campaign: 'Campaign *{name}* is completed: {sent} sent, {failed} failed',
    ...{ test: 'This is a test event.', open: 'Open chat', openCampaign: 'Open campaign' },
    notSent: 'Your reply was not sent to the customer: {code}',
    filesNotSent: 'The file was not sent to the customer. Attach it in the chat to send it.',
  },
  es: {
    ...{ chat: '*{name}* inició un chat', handoff: 'El chatbot ha traspasado a *{name}*' },
    campaign: 'La campaña *{name}* ha terminado: {sent} enviados, {failed} fallidos',
    ...{ test: 'Este es un evento de prueba.', open: 'Abrir chat', openCampaign: 'Abrir campaña' },
    notSent: 'Su respuesta no se envió al cliente: {code}',
    filesNotSent: 'El archivo no se envió al cliente. Adjúntelo en el chat para enviarlo.',
  },
  fr: {
    ...{ chat: '*{name}* a ouvert une discussion', handoff: 'Le chatbot a transféré *{name}*' },
    campaign: 'La campagne *{name}* est terminée\u00a0: {sent} envoyés, {failed} en échec',
    ...{
      test: 'Ceci est un événement de test.',
      open: 'Ouvrir la discussion',
      openCampaign: 'Ouvrir la campagne',
    },
    notSent: 'Votre réponse n’a pas été envoyée au client\u00a0: {code}',
    filesNotSent: 'Le fichier n’a pas été envoyé au client. Joignez-le dans la discussion pour l’envoyer.',
  },
  de: {
    ...{ chat: '*{name}* hat einen Chat begonnen', handoff: 'Der Chatbot hat *{name}* übergeben' },
    campaign: 'Die Kampagne *{name}* ist abgeschlossen: {sent} gesendet, {failed} fehlgeschlagen',
    ...{ test: 'Dies ist ein Testereignis.', open: 'Chat öffnen', openCampaign: 'Kampagne öffnen' },
    notSent: 'Ihre Antwort wurde nicht an den Kunden gesendet: {code}',
    filesNotSent:
      'Die Datei wurde nicht an den Kunden gesendet. Hängen Sie sie im Chat an, um sie zu senden.',
  },
  pt: {
    ...{ chat: '*{name}* iniciou uma conversa', handoff: 'O chatbot transferiu *{name}*' },
    campaign: 'A campanha *{name}* foi concluída: {sent} enviadas, {failed} com falha',
    ...{ test: 'Este é um evento de teste.', open: 'Abrir conversa', openCampaign: 'Abrir campanha' },
    notSent: 'Sua resposta não foi enviada ao cliente: {code}',
    filesNotSent: 'O arquivo não foi enviado ao cliente. Anexe-o na conversa para enviá-lo.',
  },
} as const;

/** A text of a channel; a language that there is not is English. */
export function slackText(
  language: string,
  key: keyof (typeof words)['en'],
  values: Readonly<Record<string, string>> = {},
): string {
  const known = Object.hasOwn(words, language) ? words[language as keyof typeof words] : words.en;
  return known[key].replaceAll(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '');
}

/** Three signs have a meaning in Slack's text: api.slack.com, formatting text. */
export function escapeSlack(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** The opposite, for what people wrote there. */
export function unescapeSlack(text: string): string {
  return text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
}
