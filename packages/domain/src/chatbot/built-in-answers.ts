import { interfaceLanguages, type InterfaceLanguage } from '../text/interface-language.ts';
import { findKeyword, wordsOf } from './match-keywords.ts';

/** What the bot answers by itself, without a flow and without a model. */
export const builtInRules = ['greeting', 'order', 'price', 'human'] as const;
export type BuiltInRule = (typeof builtInRules)[number];

/** Stored with each built-in answer. */
export const BUILT_IN_CONFIDENCE = 0.85;
export const BUILT_IN_INTENT = 'general_inquiry';

type Words = Record<InterfaceLanguage, readonly string[]>;

/** The words of each rule, by language; a message that has one of them gets the answer in that language. */
const ruleWords: Record<BuiltInRule, Words> = {
  greeting: {
    en: ['hello', 'hi', 'hey', 'good morning', 'good afternoon', 'good evening'],
    es: ['hola', 'buenos días', 'buenas tardes', 'buenas noches', 'buenas'],
    fr: ['bonjour', 'bonsoir', 'salut', 'coucou'],
    de: ['hallo', 'guten tag', 'guten morgen', 'guten abend', 'moin', 'servus', 'grüß gott'],
    pt: ['olá', 'oi', 'bom dia', 'boa tarde', 'boa noite'],
  },
  order: {
    en: ['order', 'orders', 'tracking', 'track', 'delivery', 'shipment'],
    es: ['pedido', 'pedidos', 'seguimiento', 'envío', 'entrega'],
    fr: ['commande', 'commandes', 'suivi', 'livraison', 'colis'],
    de: ['bestellung', 'bestellungen', 'sendung', 'sendungsverfolgung', 'lieferung', 'paket'],
    pt: ['encomenda', 'rastreamento', 'rastreio', 'meu pedido', 'envio'],
  },
  price: {
    en: ['price', 'prices', 'cost', 'costs', 'how much', 'pricing'],
    es: ['precio', 'precios', 'cuánto cuesta', 'cuánto vale', 'costo', 'coste'],
    fr: ['prix', 'tarif', 'tarifs', 'combien coûte', 'coût'],
    de: ['preis', 'preise', 'kosten', 'kostet', 'wie viel', 'wieviel'],
    pt: ['preço', 'preços', 'quanto custa', 'valores'],
  },
  human: {
    en: ['human', 'agent', 'real person', 'representative'],
    es: ['humano', 'agente', 'asesor', 'una persona'],
    fr: ['humain', 'conseiller', 'une personne'],
    de: ['mensch', 'mitarbeiter', 'berater', 'kundenberater'],
    pt: ['humano', 'atendente', 'uma pessoa'],
  },
};

export const builtInTexts = ['greeting', 'order', 'price', 'human', 'ask_details', 'closed'] as const;
export type BuiltInText = (typeof builtInTexts)[number];

/** What customers read, so it stands here and not in the catalogues of the web. */
const texts: Record<BuiltInText, Record<InterfaceLanguage, string>> = {
  greeting: {
    en: 'Hello! How can I help you today?',
    es: '¡Hola! ¿En qué puedo ayudarle hoy?',
    fr: 'Bonjour ! Comment puis-je vous aider aujourd’hui ?',
    de: 'Hallo! Wie kann ich Ihnen heute helfen?',
    pt: 'Olá! Como posso ajudar você hoje?',
  },
  order: {
    en: 'I can help you with your order. Please send me your order number.',
    es: 'Puedo ayudarle con su pedido. Por favor, envíeme su número de pedido.',
    fr: 'Je peux vous aider avec votre commande. Veuillez m’envoyer votre numéro de commande.',
    de: 'Ich helfe Ihnen gern bei Ihrer Bestellung. Bitte senden Sie mir Ihre Bestellnummer.',
    pt: 'Posso ajudar com o seu pedido. Por favor, envie o número do pedido.',
  },
  price: {
    en: 'I can help you with prices. Which product are you interested in?',
    es: 'Puedo ayudarle con los precios. ¿Qué producto le interesa?',
    fr: 'Je peux vous renseigner sur nos prix. Quel produit vous intéresse ?',
    de: 'Gern nenne ich Ihnen Preise. Für welches Produkt interessieren Sie sich?',
    pt: 'Posso ajudar com os preços. Qual produto interessa a você?',
  },
  human: {
    en: 'I’ll connect you with a human agent. Please wait a moment.',
    es: 'Le pondré en contacto con un agente. Espere un momento, por favor.',
    fr: 'Je vous mets en relation avec un conseiller. Veuillez patienter un instant.',
    de: 'Ich verbinde Sie mit einem Mitarbeiter. Bitte haben Sie einen Moment Geduld.',
    pt: 'Vou conectar você com um atendente. Aguarde um momento, por favor.',
  },
  ask_details: {
    en: 'Thank you for your message. Could you please give me more details, so that I can help you?',
    es: 'Gracias por su mensaje. ¿Podría darme más detalles para que pueda ayudarle?',
    fr: 'Merci pour votre message. Pourriez-vous me donner plus de détails afin que je puisse vous aider ?',
    de: 'Danke für Ihre Nachricht. Können Sie mir bitte mehr Einzelheiten nennen, damit ich Ihnen helfen kann?',
    pt: 'Obrigado pela sua mensagem. Você poderia me dar mais detalhes para que eu possa ajudar?',
  },
  closed: {
    en: 'Thanks for your message! We are closed right now and will get back to you soon.',
    es: '¡Gracias por su mensaje! Ahora estamos cerrados y le responderemos pronto.',
    fr: 'Merci pour votre message ! Nous sommes fermés pour le moment et vous répondrons bientôt.',
    de: 'Danke für Ihre Nachricht! Wir haben gerade geschlossen und melden uns bald bei Ihnen.',
    pt: 'Obrigado pela mensagem! Estamos fechados no momento e responderemos em breve.',
  },
};

export function builtInText(name: BuiltInText, language: InterfaceLanguage): string {
  return texts[name][language];
}

export type FoundRule = { rule: BuiltInRule; language: InterfaceLanguage; keyword: string };

/** The first rule one of whose words the message has, its own language first; the rule about people is asked for alone. */
export function findBuiltInRule(
  text: string,
  language: InterfaceLanguage,
  { asksForPeople }: { asksForPeople: boolean },
): FoundRule | null {
  const order = [language, ...interfaceLanguages.filter((other) => other !== language)];
  const rules = builtInRules.filter((rule) => rule !== 'human' || asksForPeople);
  // What somebody wants goes before how they begin: “Hello, where is my order?”
  const ranked = [
    ...rules.filter((rule) => rule !== 'greeting'),
    ...rules.filter((rule) => rule === 'greeting'),
  ];
  for (const rule of ranked)
    for (const tongue of order) {
      const keyword = findKeyword(text, ruleWords[rule][tongue]);
      if (keyword !== null) return { rule, language: tongue, keyword };
    }
  return null;
}

/** How customers ask for people, in all languages: for the handoff keywords of a business that is not English alone. */
export const handoffWords: readonly string[] = interfaceLanguages.flatMap(
  (language) => ruleWords.human[language],
);

/** All built-in greetings, for a trigger that names none. */
export const greetingWords: readonly string[] = interfaceLanguages.flatMap(
  (language) => ruleWords.greeting[language],
);

/** A greeting and not much else: “Hi there”, “Hello dear team”, not “Hi, where is my order?” */
const LONGEST_GREETING = 4;

/** The greeting with which a message begins, if it says little beside it. */
export function findGreeting(text: string, greetings: readonly string[]): string | null {
  const words = wordsOf(text);
  if (words.length === 0 || words.length > LONGEST_GREETING) return null;
  return (
    greetings.find(
      (greeting) => findKeyword(words.slice(0, wordsOf(greeting).length).join(' '), [greeting]) !== null,
    ) ?? null
  );
}
