import { interfaceLanguages, type InterfaceLanguage } from '../text/interface-language.ts';

/** By language, as people write them. */
export type ConsentWords = Record<InterfaceLanguage, { stop: string[]; start: string[] }>;
export type ConsentKind = 'stop' | 'start';
/** Words by how they are compared, with the language in which they were found first. */
type Compiled = Record<ConsentKind, ReadonlyMap<string, InterfaceLanguage>>;

/** Nobody takes these away: whoever writes them gets no more marketing, whatever a workspace made of its words. */
const ALWAYS_STOP = ['stop', 'unsubscribe'];

/**
 * Whole messages by which a person ends or renews consent, in the five languages of the product. Letters stand without their marks: `desabonner` is `désabonner`
 * as well. A word that means something else as a whole message, such as `para` or `yes`, is none.
 */
export const defaultConsentWords: ConsentWords = {
  en: {
    stop: listOf(`
      stop; stopp; stop all; stopall; unsubscribe; unsubscribe me; cancel; end; quit; optout; opt out; opt me out; remove me; stop messages; stop messaging me;
      stop texting me; stop sending messages; no more; no more messages; leave me alone; do not contact me; don’t contact me; stop ads; stop marketing; stop updates; stop promotions; stop promo;`),
    start: listOf('start; unstop; subscribe; optin; opt in; resume; resubscribe'),
  },
  es: {
    stop: listOf(`
      baja; dar de baja; darme de baja; dame de baja; de baja; parar; cancelar; no mas; no mas mensajes; basta de mensajes; detener; desuscribir; desuscribirme;
      cancelar suscripcion; no quiero mas mensajes; no me escriban mas; no me escribas mas; stop mensajes; sin publicidad;`),
    start: listOf('alta; inicio; darme de alta; suscribir; suscribirme'),
  },
  fr: {
    stop: listOf(`
      arret; arreter; arretez; desabonner; me desabonner; se desabonner; desabonnez moi; desabonnement; desinscrire; me desinscrire; desinscription; resilier; stop sms;
      stop pub; stop messages; plus de messages; plus de pub; ne m’ecrivez plus;`),
    start: listOf('demarrer; m’abonner; s’abonner; abonner; reprendre'),
  },
  de: {
    stop: listOf(`
      abmelden; abbestellen; austragen; mich abmelden; bitte abmelden; abmeldung; kündigen; keine nachrichten mehr; keine werbung; keine werbung mehr; nicht mehr schreiben;
      schreibt mir nicht mehr; aufhören; werbung stopp; stop werbung;`),
    start: listOf('anmelden; abonnieren; wieder anmelden'),
  },
  pt: {
    stop: listOf(`
      sair; descadastrar; me descadastre; descadastre me; parem; pare; remover; cancelar inscricao; nao quero mais; nao quero mais mensagens; chega de mensagens; parar mensagens;
      sem propaganda; cancelar assinatura`),
    start: listOf('comecar; inscrever; inscrever me; assinar; voltar'),
  },
};

/** By the words themselves: a group of messages asks with the same ones. */
const compiled = new WeakMap<ConsentWords, Compiled>();

/** What people add out of politeness, which changes nothing about the word. */
const POLITE = `
  please; pls; plz; thanks; thank you; thx; cheers; hi; hello; hey; bitte; danke; danke schon; vielen dank; hallo; por favor; porfavor; porfa; gracias; muchas gracias; hola;
  s’il vous plait; s’il te plait; svp; stp; merci; merci beaucoup; bonjour; obrigado; obrigada; pf; pfv; ola; oi; ok; now; jetzt; ahora; agora; maintenant`;
const COURTESY = [...wordsOf(POLITE)].toSorted((one, other) => other.length - one.length).join('|');
const POLITE_FIRST = new RegExp(`^(?:${COURTESY})(?![\\p{L}\\p{N}])`, 'u');
const POLITE_LAST = new RegExp(`(?<![\\p{L}\\p{N}])(?:${COURTESY})$`, 'u');
/** No keyword with its courtesies is longer. */
const LONGEST = 60;
const MOST_COURTESIES = 3;

/**
 * What a whole inbound message says about consent: `stop`, `start`, or null for anything else. Nobody is written to against
 * their word because they were polite; a renewal is taken from the word alone.
 */
export function readConsentKeyword(text: string, words: ConsentWords | null = null): ConsentKind | null {
  return findConsentWord(text, words)?.kind ?? null;
}

/** The same with the language of the word; null stands for the words that come with the product. */
export function findConsentWord(
  text: string,
  words: ConsentWords | null = null,
): { kind: ConsentKind; language: InterfaceLanguage } | null {
  if (text.length > LONGEST) return null;
  const { stop, start } = compiledOf(words ?? defaultConsentWords);
  const said = plain(text);
  const stopped = stop.get(said) ?? stop.get(withoutCourtesy(said));
  if (stopped !== undefined) return { kind: 'stop', language: stopped };
  // A question is no consent.
  const started = text.includes('?') ? undefined : start.get(said);
  return started === undefined ? null : { kind: 'start', language: started };
}

/** Whether something is left of a word when it is compared. */
export function isConsentWord(word: string): boolean {
  return plain(word) !== '' && word.length <= LONGEST;
}

/** Without what was said out of courtesy before and after the word. */
function withoutCourtesy(words: string): string {
  let rest = words;
  for (let count = 0; count < MOST_COURTESIES; count += 1) {
    const shorter = rest.replace(POLITE_FIRST, '').trim().replace(POLITE_LAST, '').trim();
    if (shorter === rest) return rest;
    rest = shorter;
  }
  return rest;
}

/** In small letters without marks, with one space between words and no other sign than an apostrophe within them. */
function plain(text: string): string {
  return text
    .normalize('NFD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replaceAll(/['`´]/g, '’')
    .replace(/[^\p{L}\p{N}’]+/gu, ' ')
    .trim();
}

function wordsOf(list: string): ReadonlySet<string> {
  return new Set(list.split(';').map(plain));
}

function listOf(list: string): string[] {
  return list
    .split(';')
    .map((word) => word.trim())
    .filter((word) => word !== '');
}

function compiledOf(words: ConsentWords): Compiled {
  const known = compiled.get(words) ?? compile(words);
  compiled.set(words, known);
  return known;
}

/** A word that ends consent in one language ends it in all, also where it renews it in another. */
function compile(words: ConsentWords): Compiled {
  const stop = new Map<string, InterfaceLanguage>();
  const start = new Map<string, InterfaceLanguage>();
  for (const language of interfaceLanguages) {
    for (const word of words[language].stop) if (!stop.has(plain(word))) stop.set(plain(word), language);
    for (const word of words[language].start) if (!start.has(plain(word))) start.set(plain(word), language);
  }
  for (const word of ALWAYS_STOP) if (!stop.has(word)) stop.set(word, 'en');
  return { stop, start };
}
